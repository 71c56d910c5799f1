import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Closeable } from '@rtms/bus';
import type { RtpPacket } from '@rtms/bitstream';
import type { Clock, Timer } from '@rtms/clock';
import type { MediaKind, RepairInput, RepairSender } from '@rtms/contracts';
import type { OrderedPacket } from '../../rtp/reordering-buffer.js';
import type { Keyframe, TimedFrame } from '../../rtp/source-feed.js';
import { Unwrapper } from '../../rtp/unwrap.js';

/** Four seconds of Opus. */
const mostQueuedAudio = 200;
/** A second of 40 Mbit/s. */
const mostQueuedVideo = 4_000;

type Outgoing = Pick<RtpPacket, 'timestamp' | 'marker' | 'payload'>;

/** RTP of one kind to an SFU node. */
interface OutgoingTrack {
  input: RepairInput;
  sequenceNumber: number;
}

/** The video of one FFmpeg: its RTP time and the media time of its first picture. */
interface VideoBase {
  first: Keyframe;
  times: Unwrapper;
  /** Unwrapped RTP timestamp of the first packet from FFmpeg, which starts anywhere. */
  encodedFrom: number | undefined;
}

interface QueuedVideo {
  /** Media time of its picture, ms since 1970. */
  timeMs: number;
  packet: Outgoing;
  lostBefore: number;
}

/**
 * Sends repaired video and delayed audio from one port to an SFU node. The RTP timestamps are the publisher's own. Both leave equally
 * late, because the SFU's sender reports follow the departure: a picture that left early would shift the lips until the next report.
 */
export class RepairedStream implements Closeable {
  private readonly tracks = new Map<MediaKind, OutgoingTrack>();
  private readonly delay = new VideoDelay();
  private audio: TimedFrame[] = [];
  private pictures: QueuedVideo[] = [];
  private video: VideoBase | undefined;
  private timer: Timer | undefined;
  private closing: Promise<void> | undefined;

  private constructor(
    private readonly socket: Socket,
    private readonly clock: Clock,
  ) {
    // Requests for keyframes arrive here. FFmpeg makes them by itself each second.
    socket.on('message', () => undefined);
    socket.on('error', () => undefined);
  }

  static async open(listenIP: string, clock: Clock): Promise<RepairedStream> {
    const socket = createSocket(listenIP.includes(':') ? 'udp6' : 'udp4');
    const listening = once(socket, 'listening');
    socket.bind(0, listenIP);
    await listening;
    return new RepairedStream(socket, clock);
  }

  /** ms by which the video leaves after its time at the SFU; undefined before the first picture. */
  get delayMs(): number | undefined {
    return this.delay.ms;
  }

  senders(kinds: readonly MediaKind[], ip: string): RepairSender[] {
    const { port } = this.socket.address();
    return kinds.map(kind => ({ kind, ip, port }));
  }

  sendTo(inputs: readonly RepairInput[]): void {
    for (const input of inputs)
      this.tracks.set(input.kind, { input, sequenceNumber: Math.floor(Math.random() * 65_536) });
  }

  /** Another FFmpeg begins with this picture. */
  beginVideo(first: Keyframe): void {
    this.video = { first, times: new Unwrapper(32), encodedFrom: undefined };
    if (this.delay.ms === undefined) this.audio = this.audio.filter(({ timeMs }) => timeMs >= first.timeMs);
  }

  /** Sends a packet of FFmpeg. A gap stays a gap, so that viewers ask for a keyframe. */
  onVideo({ packet: { timestamp, marker, payload }, lostBefore }: Pick<OrderedPacket, 'packet' | 'lostBefore'>): void {
    const { video } = this;
    if (!video || this.closing) return;
    const encodedAt = video.times.unwrap(timestamp);
    video.encodedFrom ??= encodedAt;
    const elapsed = encodedAt - video.encodedFrom;
    const timeMs = video.first.timeMs + elapsed / 90;
    if (marker) this.delay.note(this.clock.now() - timeMs);
    const packet = { timestamp: (video.first.rtpTimestamp + elapsed) >>> 0, marker, payload };
    this.pictures.push({ timeMs, packet, lostBefore });
    this.sendDue();
  }

  onAudio(frame: TimedFrame): void {
    if (this.closing) return;
    this.audio.push(frame);
    if (this.audio.length > mostQueuedAudio) this.audio.shift();
    this.sendDue();
  }

  close(): Promise<void> {
    this.closing ??= this.closeSocket();
    return this.closing;
  }

  private async closeSocket(): Promise<void> {
    this.timer?.cancel();
    this.audio = [];
    this.pictures = [];
    const closed = once(this.socket, 'close');
    this.socket.close();
    await closed;
  }

  private sendDue(): void {
    const now = this.clock.now();
    while (this.pictures[0] && this.isDue(this.pictures[0], now)) {
      const [{ packet, lostBefore }] = this.pictures.splice(0, 1) as [QueuedVideo];
      this.send('video', packet, lostBefore);
    }
    const { ms } = this.delay;
    if (ms === undefined || this.closing) return;
    this.sendDueAudio(now - ms);
    this.timer?.cancel();
    const waiting = [...this.audio.slice(0, 1), ...this.pictures.slice(0, 1)];
    const next = Math.min(...waiting.map(({ timeMs }) => timeMs));
    this.timer = next === Infinity ? undefined : this.clock.after(Math.max(1, next + ms - now), () => this.sendDue());
  }

  private sendDueAudio(upToMs: number): void {
    while (this.audio[0] && this.audio[0].timeMs <= upToMs) {
      const [{ rtpTimestamp: timestamp, data: payload }] = this.audio.splice(0, 1) as [TimedFrame];
      this.send('audio', { timestamp, marker: false, payload });
    }
  }

  /** Viewers see the first pictures at once. A jump of the clock holds nothing back. */
  private isDue({ timeMs }: QueuedVideo, now: number): boolean {
    const { ms } = this.delay;
    const waitMs = ms === undefined ? 0 : timeMs + ms - now;
    return waitMs <= 0 || waitMs > mostMs || this.pictures.length > mostQueuedVideo;
  }

  private send(kind: MediaKind, { timestamp, marker, payload }: Outgoing, lostBefore = 0): void {
    const track = this.tracks.get(kind);
    if (!track) return;
    const { ip, port, payloadType, ssrc } = track.input;
    track.sequenceNumber = (track.sequenceNumber + 1 + lostBefore) & 0xffff;
    const header = Buffer.alloc(12);
    header[0] = 0x80;
    header[1] = (marker ? 0x80 : 0) | payloadType;
    header.writeUInt16BE(track.sequenceNumber, 2);
    header.writeUInt32BE(timestamp, 4);
    header.writeUInt32BE(ssrc, 8);
    this.socket.send([header, payload], port, ip);
  }
}

const keptSamples = 31;
/** Of the kept ones: so many pictures may leave later. */
const mostLate = 3;
/** Samples before the first estimate: a start sends some pictures late. */
const firstSamples = 5;
/** ms per picture, too slow to hear. */
const slewMs = 1;
/** A larger delay means that the encoder cannot keep up. */
const mostMs = 1_000;

/**
 * Decides how late pictures leave: as late as nine of ten pictures of the last second are ready, so that they leave evenly. It begins with
 * the median, because a start makes some pictures late, and follows slowly.
 */
export class VideoDelay {
  ms: number | undefined;
  private readonly samples: number[] = [];

  note(latenessMs: number): void {
    this.samples.push(Math.min(Math.max(latenessMs, 0), mostMs));
    if (this.samples.length > keptSamples) this.samples.shift();
    if (this.samples.length < firstSamples) return;
    const sorted = [...this.samples].sort((a, b) => a - b);
    const isFull = sorted.length === keptSamples;
    const wanted = sorted[isFull ? sorted.length - 1 - mostLate : sorted.length >> 1] ?? 0;
    this.ms ??= wanted;
    this.ms += Math.min(Math.max(wanted - this.ms, -slewMs), slewMs);
  }
}
