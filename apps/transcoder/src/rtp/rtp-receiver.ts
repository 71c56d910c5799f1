import { isRtcp, parseRtpPacket } from '@rtms/bitstream';
import type { Clock, Timer } from '@rtms/clock';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { ReorderingBuffer, type OrderedPacket } from './reordering-buffer.js';
import { parseSenderReports, type SenderReport } from './timeline.js';

export interface RtpListener {
  onPacket(packet: OrderedPacket): void;
  onSenderReport(report: SenderReport): void;
}

/** Datagrams kept before `listen`, because the sender may start before its reply arrives. */
const earlyDatagrams = 1024;
/** A keyframe arrives in one burst, which the kernel must buffer while this process is busy. */
const receiveBufferBytes = 4 * 1024 * 1024;
const releaseIntervalMs = 50;

/** Receives one RTP stream on two free UDP ports, for RTP and RTCP. */
export class RtpReceiver {
  private readonly reordering = new ReorderingBuffer();
  private early: { datagram: Buffer; arrivedAt: number }[] = [];
  private listener: RtpListener | undefined;
  private ssrc: number | undefined;
  private timer: Timer | undefined;
  private closing: Promise<void> | undefined;

  private constructor(
    private readonly rtp: Socket,
    private readonly rtcp: Socket,
    private readonly clock: Clock,
  ) {
    for (const socket of [rtp, rtcp]) {
      socket.on('message', datagram => this.onDatagram(datagram, this.clock.now()));
      // ICMP "port unreachable" arrives as an error, but the stream continues.
      socket.on('error', () => undefined);
    }
  }

  static async open(ip: string, clock: Clock): Promise<RtpReceiver> {
    const rtp = await bindSocket(ip);
    try {
      return new RtpReceiver(rtp, await bindSocket(ip), clock);
    } catch (error) {
      rtp.close();
      throw error;
    }
  }

  get rtpPort(): number {
    return this.rtp.address().port;
  }

  get rtcpPort(): number {
    return this.rtcp.address().port;
  }

  /** Delivers the packets of `ssrc`, also those that arrived before the call. */
  listen(ssrc: number, listener: RtpListener): void {
    this.ssrc = ssrc;
    this.listener = listener;
    const early = this.early;
    this.early = [];
    for (const { datagram, arrivedAt } of early) this.onDatagram(datagram, arrivedAt);
    this.timer = this.clock.every(releaseIntervalMs, () => this.releaseLate());
  }

  close(): Promise<void> {
    this.closing ??= this.closeSockets();
    return this.closing;
  }

  private async closeSockets(): Promise<void> {
    this.timer?.cancel();
    this.listener = undefined;
    const closed = [once(this.rtp, 'close'), once(this.rtcp, 'close')];
    this.rtp.close();
    this.rtcp.close();
    await Promise.all(closed);
  }

  private onDatagram(datagram: Buffer, arrivedAt: number): void {
    if (this.closing) return;
    if (!this.listener) return this.keepEarly(datagram, arrivedAt);
    if (isRtcp(datagram)) return this.onRtcp(datagram, this.listener);
    const packet = parseRtpPacket(datagram);
    if (!packet || packet.ssrc !== this.ssrc) return;
    this.give(this.reordering.push(packet, arrivedAt));
  }

  private onRtcp(datagram: Buffer, listener: RtpListener): void {
    for (const report of parseSenderReports(datagram)) if (report.ssrc === this.ssrc) listener.onSenderReport(report);
  }

  private releaseLate(): void {
    if (this.reordering.hasWaiting) this.give(this.reordering.release(this.clock.now()));
  }

  private give(packets: OrderedPacket[]): void {
    for (const packet of packets) this.listener?.onPacket(packet);
  }

  private keepEarly(datagram: Buffer, arrivedAt: number): void {
    if (this.early.length < earlyDatagrams) this.early.push({ datagram, arrivedAt });
  }
}

async function bindSocket(ip: string): Promise<Socket> {
  const socket = createSocket(ip.includes(':') ? 'udp6' : 'udp4');
  const listening = once(socket, 'listening');
  socket.bind(0, ip);
  await listening;
  enlargeReceiveBuffer(socket);
  return socket;
}

function enlargeReceiveBuffer(socket: Socket): void {
  try {
    socket.setRecvBufferSize(receiveBufferBytes);
  } catch {
    // net.core.rmem_max limits the size. A smaller buffer loses more packets under load.
  }
}
