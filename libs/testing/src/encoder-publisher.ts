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
  /** Frames a second; default 10. */
  frameRate?: number;
  /** Frames between keyframes; default one second's. */
  keyframeInterval?: number;
  /** Of the video, as FFmpeg writes it, e.g. `2500k`; default: what x264 chooses. */
  bitrate?: string;
  faults?: EncoderFaults;
  /** A media file to loop, instead of the test picture and its tone. */
  file?: string;
}

export interface EncoderOptions extends EncoderMedia {
  url: string;
  token: string;
  /** Default true. */
  video?: boolean;
  /** Default true. */
  audio?: boolean;
  /** PEM: whom it believes besides the CAs that everybody knows. */
  caFile?: string;
}

/** What an encoder does wrong. */
export interface EncoderFaults {
  /** B-frames in a row. */
  bFrames?: number;
  /** x264's name of the profile that is sent, where it is not the one that was offered. */
  sentProfile?: 'baseline' | 'main' | 'high';
  /** Nothing is to be heard. */
  silent?: boolean;
  /** How fast the clocks of both streams go; 1 is right. */
  clockSpeed?: number;
  /** Of ten packets so many do not arrive. */
  lostOfTen?: number;
}

type Report = { connected: true } | { refused: string } | { left: number } | { changed: true };

const program = fileURLToPath(new URL('./encoder-process.mjs', import.meta.url));

/**
 * A hardware-like encoder: FFmpeg's picture and sound over a real ICE, DTLS and SRTP peer, offered as FFmpeg's WHIP muxer
 * does (`setup:passive`, no header extensions, no feedback, no trickle). The media is a loop of 10 s that was encoded
 * once, at 160×90 with 10 frames a second. With a size, a frame rate, a keyframe interval, a bitrate, a preset or a fault
 * of the encoder, FFmpeg encodes live.
 */
export class EncoderPublisher {
  private constructor(private readonly child: ChildProcess) {}

  /** Resolves once connected and sending. Throws the service's answer when it refuses the offer. */
  static async publish(options: EncoderOptions): Promise<EncoderPublisher> {
    const env = { PATH: process.env['PATH'] ?? '', NODE_EXTRA_CA_CERTS: options.caFile ?? '' };
    const child = fork(program, { execArgv: [], env });
    const report = await ask(child, { publish: options });
    if ('refused' in report) throw new Error(report.refused);
    return new EncoderPublisher(child);
  }

  /** Encodes by other settings from now on, within the same streams. */
  async change(options: Pick<EncoderOptions, 'keyframeInterval' | 'faults'>): Promise<void> {
    await ask(this.child, { change: options });
  }

  /** Ends the session as WHIP asks for: DELETE of the resource. Returns the status. */
  async leave(): Promise<number> {
    const gone = once(this.child, 'exit');
    const report = await ask(this.child, { leave: true });
    await gone;
    return 'left' in report ? report.left : 0;
  }

  /** Goes without a word to the service; safe to call twice. */
  async vanish(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    if (this.child.connected) this.child.disconnect();
    await gone;
  }
}

async function ask(child: ChildProcess, message: object): Promise<Report> {
  const answer = once(child, 'message') as Promise<[Report]>;
  child.send(message);
  const [report] = await answer;
  return report;
}
