import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface EncoderMedia {
  /** x264's name of the profile; default `baseline`. */
  profile?: 'baseline' | 'main' | 'high';
  /** x264's preset; default `superfast`. */
  preset?: string;
  /** e.g. `1280x720`; default `160x90`. */
  size?: string;
  /** Frames per second; default 10. */
  frameRate?: number;
  /** Frames between keyframes; default: one second. */
  keyframeInterval?: number;
  /** Video bit rate in FFmpeg's format, e.g. `2500k`; default: x264's choice. */
  bitrate?: string;
  faults?: EncoderFaults;
  /** A media file to loop, instead of the test picture and its tone. */
  file?: string;
  /** The size of the frames that come on FFmpeg's standard input, which then cover the top of the test picture. */
  clock?: { width: number; height: number };
}

export interface EncoderOptions extends EncoderMedia {
  url: string;
  token: string;
  /** Default true. */
  video?: boolean;
  /** Default true. */
  audio?: boolean;
  /** PEM file with additional CAs. */
  caFile?: string;
}

/** Faults of an encoder. */
export interface EncoderFaults {
  /** Consecutive B-frames. */
  bFrames?: number;
  /** x264's name of the sent profile, if it differs from the offered one. */
  sentProfile?: 'baseline' | 'main' | 'high';
  /** Sends silence. */
  silent?: boolean;
  /** Speed of both RTP clocks; 1 is correct. */
  clockSpeed?: number;
  /** Lost packets out of ten. */
  lostOfTen?: number;
}

type Report = { connected: true } | { refused: string } | { left: number } | { changed: true };

/** The process reports the loss of its connection at any time. */
interface Loss {
  lost: true;
}

const program = fileURLToPath(new URL('./encoder-process.mjs', import.meta.url));

/**
 * Simulates a hardware encoder: FFmpeg's media over a real ICE, DTLS and SRTP peer, with the offer of FFmpeg's WHIP muxer
 * (`setup:passive`, no header extensions, no feedback, no trickle). By default the media is a recorded loop of 10 s, 160×90,
 * 10 frames per second. FFmpeg encodes live if any media option or encoder fault is set.
 */
export class EncoderPublisher {
  /** Resolves once the service has closed the connection, or the connection broke. */
  readonly lost: Promise<void>;

  private constructor(private readonly child: ChildProcess) {
    this.lost = new Promise(resolve => {
      child.on('message', (report: Report | Loss) => {
        if ('lost' in report) resolve();
      });
    });
  }

  /** Resolves once connected and sending. Throws the response of a refused offer. */
  static async publish(options: EncoderOptions): Promise<EncoderPublisher> {
    const env = { PATH: process.env['PATH'] ?? '', NODE_EXTRA_CA_CERTS: options.caFile ?? '' };
    const child = fork(program, { execArgv: [], env });
    const report = await ask(child, { publish: options });
    if ('refused' in report) throw new Error(report.refused);
    return new EncoderPublisher(child);
  }

  /** Changes the encoder settings within the same streams. */
  async change(options: Pick<EncoderOptions, 'keyframeInterval' | 'faults'>): Promise<void> {
    await ask(this.child, { change: options });
  }

  /** Ends the WHIP session with DELETE. Returns the HTTP status. */
  async leave(): Promise<number> {
    const gone = once(this.child, 'exit');
    const report = await ask(this.child, { leave: true });
    await gone;
    if ('refused' in report) throw new Error(report.refused);
    return 'left' in report ? report.left : 0;
  }

  /** Kills the encoder without ending the session. Safe to call twice. */
  async vanish(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    if (this.child.connected) this.child.disconnect();
    await gone;
  }
}

/** Rejects if the process ends without an answer. All that it has sent arrives before `disconnect`. */
async function ask(child: ChildProcess, message: object): Promise<Report> {
  return new Promise<Report>((resolve, reject) => {
    const listen = (report: Report | Loss): void => {
      if ('lost' in report) return;
      stop();
      resolve(report);
    };
    const fail = (): void => {
      stop();
      reject(new Error('The process of the encoder has ended without an answer.'));
    };
    const stop = (): void => void child.off('message', listen).off('disconnect', fail);
    child.on('message', listen).on('disconnect', fail);
    child.send(message, problem => problem && fail());
  });
}
