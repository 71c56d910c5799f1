import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { FeedDestination, FeedTrack } from '@rtms/contracts';
import { silentOpusFrame } from '../src/encoder/matroska/stream-writer.js';
import type { FeedSource } from './fake-sfu.js';
import { rtpDatagram } from './packetize.js';

export interface PacketSourceOptions {
  codec: string;
  /** The payloads of each frame, played in a loop. The first frame is a keyframe. */
  frames: readonly Buffer[][];
  frameRate: number;
  hasAudio?: boolean;
}

const videoSsrc = 0x2001;
const audioSsrc = 0x2002;

/** Sends prepared frames in real time from this process. It needs little CPU time, and a test can make it misbehave. */
export class PacketSource implements FeedSource {
  /** The kinds that are not sent. */
  readonly muted = new Set<'audio' | 'video'>();
  private socket: Socket | undefined;
  private timer: NodeJS.Timeout | undefined;
  private sequence = { audio: 65_500, video: 65_000 };
  private startedAt = 0;
  private sent = { audio: 0, video: 0 };

  constructor(private options: PacketSourceOptions) {}

  get tracks(): FeedTrack[] {
    const { codec, hasAudio = true } = this.options;
    const video: FeedTrack = {
      ...{
        trackID: 'trk_v',
        kind: 'video',
        codec,
        payloadType: 96,
        clockRate: 90_000,
        ssrc: videoSsrc,
        parameters: {},
      },
    };
    const audio: FeedTrack = {
      ...{ trackID: 'trk_a', kind: 'audio', codec: 'opus', payloadType: 111, clockRate: 48_000, channels: 2 },
      ...{ ssrc: audioSsrc, parameters: {} },
    };
    return hasAudio ? [video, audio] : [video];
  }

  /** Continues with other frames, e.g. of another size. */
  play(frames: readonly Buffer[][]): void {
    this.options = { ...this.options, frames };
    this.sent.video = Math.ceil(this.sent.video / frames.length) * frames.length;
  }

  start(destinations: readonly FeedDestination[]): void {
    this.socket = createSocket('udp4');
    this.startedAt = Date.now();
    this.timer = setInterval(() => this.sendDue(destinations), 5);
  }

  async stop(): Promise<void> {
    const { socket } = this;
    this.socket = undefined;
    clearInterval(this.timer);
    if (!socket) return;
    const closed = once(socket, 'close');
    socket.close();
    await closed;
  }

  private sendDue(destinations: readonly FeedDestination[]): void {
    const elapsed = (Date.now() - this.startedAt) / 1000;
    for (; this.sent.video / this.options.frameRate <= elapsed; this.sent.video += 1) this.sendVideo(destinations);
    for (; this.sent.audio / 50 <= elapsed; this.sent.audio += 1) this.sendAudio(destinations);
  }

  private sendVideo(destinations: readonly FeedDestination[]): void {
    if (this.muted.has('video')) return;
    const payloads = this.options.frames[this.sent.video % this.options.frames.length]!;
    const timestamp = Math.round((this.sent.video * 90_000) / this.options.frameRate);
    payloads.forEach((payload, i) => {
      const marker = i === payloads.length - 1;
      const sequenceNumber = this.sequence.video++;
      this.send(
        'video',
        destinations,
        rtpDatagram({ payloadType: 96, sequenceNumber, timestamp, ssrc: videoSsrc, marker }, payload),
      );
    });
  }

  private sendAudio(destinations: readonly FeedDestination[]): void {
    if (this.muted.has('audio')) return;
    const sequenceNumber = this.sequence.audio++;
    const fields = {
      payloadType: 111,
      sequenceNumber,
      timestamp: this.sent.audio * 960,
      ssrc: audioSsrc,
      marker: false,
    };
    this.send('audio', destinations, rtpDatagram(fields, silentOpusFrame));
  }

  private send(kind: 'audio' | 'video', destinations: readonly FeedDestination[], datagram: Buffer): void {
    const to = destinations.find(destination => destination.kind === kind);
    if (to) this.socket?.send(datagram, to.rtpPort, to.ip);
  }
}
