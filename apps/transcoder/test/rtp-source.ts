import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { CodecName, FeedDestination, FeedTrack, MediaKind } from '@rtms/contracts';
import { spawnTied } from '../../../tools/setup/run-command.mjs';

export interface RtpSourceOptions {
  video: Exclude<CodecName, 'opus' | 'av1'>;
  /** e.g. `1280x720`. */
  size?: string;
  frameRate?: string;
  /** FFmpeg's description of the picture, without size and rate, e.g. `color=red`. */
  picture?: string;
  /** Filters of the picture. */
  filters?: string;
  /** FFmpeg's description of the sound. */
  sound?: string;
  hasAudio?: boolean;
  keyframeSeconds?: number;
  /** Consecutive B-frames of H264. */
  bFrames?: number;
}

const encoders: Record<RtpSourceOptions['video'], string[]> = {
  h264: [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-tune',
    'zerolatency',
    '-profile:v',
    'high',
    '-pix_fmt',
    'yuv420p',
    '-x264-params',
    'repeat-headers=1',
  ],
  vp8: ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8'],
  vp9: [
    '-c:v',
    'libvpx-vp9',
    '-deadline',
    'realtime',
    '-cpu-used',
    '8',
    '-row-mt',
    '1',
    '-lag-in-frames',
    '0',
    '-strict',
    'experimental',
  ],
};

const payloadTypes: Record<MediaKind, number> = { video: 96, audio: 111 };
const ssrcs: Record<MediaKind, number> = { video: 0x1001, audio: 0x1002 };

/** A publisher as an SFU node would pass it on: FFmpeg sends real RTP, with a beep and a flash that coincide. */
export class RtpSource {
  private readonly processes = new Set<ChildProcess>();

  constructor(private readonly options: RtpSourceOptions) {}

  get tracks(): FeedTrack[] {
    const { video, hasAudio = true } = this.options;
    const track = (kind: MediaKind, codec: string, clockRate: number): FeedTrack => {
      return {
        trackID: `trk_${kind}`,
        kind,
        codec,
        clockRate,
        payloadType: payloadTypes[kind],
        ssrc: ssrcs[kind],
        parameters: {},
      };
    };
    const tracks = [track('video', video.toUpperCase(), 90_000)];
    return hasAudio ? [...tracks, { ...track('audio', 'opus', 48_000), channels: 2 }] : tracks;
  }

  start(destinations: readonly FeedDestination[]): void {
    // It must not outlive a test that was killed.
    const started = spawnTied('KILL', ['ffmpeg', ...this.arguments(destinations)], { stdio: 'ignore' });
    this.processes.add(started.once('exit', () => this.processes.delete(started)));
  }

  async stop(): Promise<void> {
    const end = async (process: ChildProcess) => {
      process.kill('SIGKILL');
      await once(process, 'exit');
    };
    await Promise.all([...this.processes].map(end));
  }

  private get picture(): string {
    const { picture = 'testsrc2=', filters, size = '640x360', frameRate = '30' } = this.options;
    const shape = `${picture.endsWith('=') ? '' : ':'}size=${size}:rate=${frameRate}`;
    return `${picture}${shape}${filters === undefined ? '' : `,${filters}`}`;
  }

  private get sound(): string {
    return this.options.sound ?? 'sine=frequency=440:sample_rate=48000';
  }

  private arguments(destinations: readonly FeedDestination[]): string[] {
    const { hasAudio = true } = this.options;
    const to = (kind: MediaKind) => destinations.find(destination => destination.kind === kind);
    return [
      ...['-hide_banner', '-loglevel', 'error', '-re', '-f', 'lavfi', '-i', this.picture],
      ...(hasAudio ? ['-re', '-f', 'lavfi', '-i', this.sound] : []),
      ...(to('video') ? ['-map', '0:v', ...this.videoEncoding, ...rtpOutput('video', to('video'))] : []),
      ...(hasAudio && to('audio')
        ? ['-map', '1:a', '-c:a', 'libopus', '-ac', '2', '-b:a', '64k', ...rtpOutput('audio', to('audio'))]
        : []),
    ];
  }

  private get videoEncoding(): string[] {
    const { video, frameRate = '30', keyframeSeconds = 1, bFrames } = this.options;
    const group = Math.round(framesPerSecond(frameRate) * keyframeSeconds);
    const backward = bFrames === undefined ? [] : ['-bf', `${bFrames}`, '-b_strategy', '0'];
    return [...encoders[video], '-b:v', '1500k', '-g', `${group}`, ...backward];
  }
}

/** Of FFmpeg's notation, e.g. `30000/1001`. */
function framesPerSecond(rate: string): number {
  const [numerator = 0, denominator = 1] = rate.split('/').map(Number);
  return numerator / denominator;
}

function rtpOutput(kind: MediaKind, destination: FeedDestination | undefined): string[] {
  if (!destination) throw new Error(`nobody takes the ${kind}`);
  const { ip, rtpPort, rtcpPort } = destination;
  const url = `rtp://${ip}:${rtpPort}?rtcpport=${rtcpPort}&pkt_size=1200`;
  return ['-payload_type', `${payloadTypes[kind]}`, '-ssrc', `${ssrcs[kind]}`, '-f', 'rtp', url];
}
