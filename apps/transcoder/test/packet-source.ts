import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { FeedDestination, FeedTrack, MediaKind } from '@rtms/contracts';
import { clockRates, type Clip, type ClipPacket } from './clip.js';
import type { FeedSource } from './fake-sfu.js';
import { rtpDatagram, senderReport } from './packetize.js';

export interface PacketSourceOptions {
  codec: string;
  /** Played in a loop. A function is called at the start. */
  clip: Clip | (() => Promise<Clip>);
  hasAudio?: boolean;
}

const payloadTypes = { video: 96, audio: 111 };
const ssrcs = { video: 0x2001, audio: 0x2002 };
/** Both soon begin again at 0. */
const firstSequenceNumbers = { video: 65_000, audio: 65_500 };
const reportSeconds = 5;

/** Sends a clip in real time from this process, as an SFU node passes a publisher on. It needs little CPU time, and a test can make it misbehave. */
export class PacketSource implements FeedSource {
  /** The kinds that are not sent. */
  readonly muted = new Set<MediaKind>();
  private streams: Partial<Record<MediaKind, LoopedStream>> = {};
  private socket: Socket | undefined;
  private timer: NodeJS.Timeout | undefined;
  private starting: Promise<void> | undefined;

  constructor(private readonly options: PacketSourceOptions) {}

  get tracks(): FeedTrack[] {
    const { codec, hasAudio = true } = this.options;
    const track = (kind: MediaKind) => ({
      ...{ trackID: `trk_${kind}`, kind, payloadType: payloadTypes[kind], clockRate: clockRates[kind] },
      ...{ ssrc: ssrcs[kind], parameters: {} },
    });
    const video: FeedTrack = { ...track('video'), codec };
    return hasAudio ? [video, { ...track('audio'), codec: 'opus', channels: 2 }] : [video];
  }

  /** Continues with another clip, e.g. of another size. */
  play(clip: Clip): void {
    this.streams.video?.continueWith(clip);
  }

  start(destinations: readonly FeedDestination[]): void {
    const socket = createSocket('udp4');
    this.socket = socket;
    this.starting = this.begin(socket, destinations);
    this.starting.catch(() => undefined);
  }

  /** Throws the error of a clip that could not be made. */
  async stop(): Promise<void> {
    const { socket } = this;
    this.socket = undefined;
    if (!socket) return;
    const closed = once(socket, 'close');
    await this.starting?.finally(() => {
      clearInterval(this.timer);
      socket.close();
    });
    await closed;
  }

  private async begin(socket: Socket, destinations: readonly FeedDestination[]): Promise<void> {
    const { clip, hasAudio = true } = this.options;
    const played = typeof clip === 'function' ? await clip() : clip;
    this.streams = {
      video: new LoopedStream('video', played),
      ...(hasAudio && { audio: new LoopedStream('audio', played) }),
    };
    const startedAt = Date.now();
    const sendDue = () => {
      for (const { kind, rtpPort, rtcpPort, ip } of destinations) {
        const { packets, reports } = this.streams[kind]?.due(startedAt, this.muted.has(kind)) ?? {};
        for (const report of reports ?? []) socket.send(report, rtcpPort, ip);
        for (const packet of packets ?? []) socket.send(packet, rtpPort, ip);
      }
    };
    sendDue();
    this.timer = setInterval(sendDue, 5);
  }
}

class LoopedStream {
  private sequenceNumber: number;
  /** Number of sent packets of the clip, in all loops. */
  private sent = 0;
  /** Seconds from the start to the first loop of the clip. */
  private beganAt = 0;
  private nextReportAt = 0;

  constructor(
    private readonly kind: MediaKind,
    private clip: Clip,
  ) {
    this.sequenceNumber = firstSequenceNumbers[kind];
  }

  /** After the current loop. */
  continueWith(clip: Clip): void {
    this.beganAt += Math.ceil(this.sent / this.packets.length) * this.clip.seconds;
    [this.clip, this.sent] = [clip, 0];
  }

  /** Takes the datagrams that are due now. Leaves out all of a muted stream. */
  due(startedAt: number, isMuted: boolean): { packets: Buffer[]; reports: Buffer[] } {
    const due: { packets: Buffer[]; reports: Buffer[] } = { packets: [], reports: [] };
    const elapsed = (Date.now() - startedAt) / 1000;
    for (;;) {
      const { packets, beganAt, kind } = this;
      const loopAt = beganAt + Math.floor(this.sent / packets.length) * this.clip.seconds;
      const packet = packets[this.sent % packets.length];
      const at = loopAt + (packet?.seconds ?? 0);
      if (!packet || at > elapsed) return due;
      this.sent += 1;
      if (isMuted) continue;
      const timestamp = Math.round(loopAt * clockRates[kind]) + Math.round(packet.timestamp);
      if (at >= this.nextReportAt) {
        this.nextReportAt = at + reportSeconds;
        due.reports.push(senderReport(ssrcs[kind], startedAt + (timestamp / clockRates[kind]) * 1000, timestamp));
      }
      due.packets.push(this.datagram(packet, timestamp));
    }
  }

  private get packets(): readonly ClipPacket[] {
    return this.clip[this.kind];
  }

  private datagram({ marker, payload }: ClipPacket, timestamp: number): Buffer {
    const { kind } = this;
    const fields = { payloadType: payloadTypes[kind], ssrc: ssrcs[kind], timestamp, marker };
    return rtpDatagram({ ...fields, sequenceNumber: this.sequenceNumber++ }, payload);
  }
}
