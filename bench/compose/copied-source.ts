import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { FeedDestination, FeedTrack } from '@rtms/contracts';
import type { FeedSource } from '../../apps/transcoder/test/fake-sfu.js';

/** A participant that an FFmpeg sends without encoding, because the senders are not measured. */
export class CopiedSource implements FeedSource {
  private child: ChildProcess | undefined;

  readonly tracks: FeedTrack[] = [
    { trackID: 'trk_v', kind: 'video', codec: 'H264', payloadType: 96, clockRate: 90_000, ssrc: 1, parameters: {} },
    {
      ...{ trackID: 'trk_a', kind: 'audio', codec: 'opus', payloadType: 111, clockRate: 48_000, channels: 2 },
      ...{ ssrc: 2, parameters: {} },
    },
  ];

  constructor(
    private readonly ffmpeg: string,
    private readonly picture: string,
    private readonly sound: string,
  ) {}

  start(destinations: readonly FeedDestination[]): void {
    const loop = (file: string) => ['-re', '-stream_loop', '-1', '-i', file];
    const outputs = this.tracks.flatMap(({ kind, payloadType, ssrc }) => {
      const to = destinations.find(destination => destination.kind === kind);
      if (!to) return [];
      const url = `rtp://${to.ip}:${to.rtpPort}?rtcpport=${to.rtcpPort}&pkt_size=1200`;
      const copy = kind === 'video' ? ['-map', '0:v', '-bsf:v', 'h264_mp4toannexb'] : ['-map', '1:a'];
      return [...copy, '-c', 'copy', '-payload_type', `${payloadType}`, '-ssrc', `${ssrc}`, '-f', 'rtp', url];
    });
    const inputs = [...loop(this.picture), ...loop(this.sound)];
    this.child = spawn(this.ffmpeg, ['-v', 'error', '-nostdin', ...inputs, ...outputs], { stdio: 'ignore' });
  }

  async stop(): Promise<void> {
    if (this.child) await endProcess(this.child);
  }
}

export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
