import type { RtpPacket } from '@rtms/bitstream';
import { Unwrapper } from './unwrap.js';

export interface OrderedPacket {
  packet: RtpPacket;
  /** Number of lost packets before this one. */
  lostBefore: number;
  /** Arrival time, ms since 1970. */
  receivedAt: number;
}

interface Waiting {
  packet: RtpPacket;
  receivedAt: number;
}

export interface ReorderingLimits {
  /** ms that a packet waits for an earlier one. */
  delayMs: number;
  /** Maximum of packets in the buffer. */
  packets: number;
}

/** A larger jump of the sequence number means that the sender restarted. */
const restartDistance = 3000;

/**
 * Returns packets in the order of their sequence numbers. Waits up to `delayMs` for a missing packet, then counts it as
 * lost. Drops repeated packets and packets that arrive too late.
 */
export class ReorderingBuffer {
  private sequence = new Unwrapper(16);
  private next: number | undefined;
  private readonly waiting = new Map<number, Waiting>();

  constructor(private readonly limits: ReorderingLimits = { delayMs: 200, packets: 1024 }) {}

  push(packet: RtpPacket, now: number): OrderedPacket[] {
    const number = this.sequence.unwrap(packet.sequenceNumber);
    if (this.next !== undefined && Math.abs(number - this.next) > restartDistance) return this.restart(packet, now);
    this.next ??= number;
    // Nearly all packets arrive in order.
    if (number === this.next && this.waiting.size === 0) {
      this.next += 1;
      return [{ packet, lostBefore: 0, receivedAt: now }];
    }
    if (number >= this.next) this.waiting.set(number, this.waiting.get(number) ?? { packet, receivedAt: now });
    return this.release(now);
  }

  /** Returns the packets whose waiting time is over at `now` (ms). */
  release(now: number): OrderedPacket[] {
    const released = this.releaseConsecutive(0);
    while (this.waiting.size > 0 && this.mustSkip(now)) {
      const lowest = Math.min(...this.waiting.keys());
      const lost = lowest - this.next!;
      this.next = lowest;
      released.push(...this.releaseConsecutive(lost));
    }
    return released;
  }

  /** Whether a packet is waiting for an earlier one. */
  get hasWaiting(): boolean {
    return this.waiting.size > 0;
  }

  private mustSkip(now: number): boolean {
    if (this.waiting.size > this.limits.packets) return true;
    const oldest = Math.min(...[...this.waiting.values()].map(waiting => waiting.receivedAt));
    return now - oldest >= this.limits.delayMs;
  }

  private releaseConsecutive(lostBefore: number): OrderedPacket[] {
    const released: OrderedPacket[] = [];
    for (let entry = this.take(); entry; entry = this.take()) {
      released.push({ ...entry, lostBefore: released.length === 0 ? lostBefore : 0 });
    }
    return released;
  }

  private take(): Waiting | undefined {
    if (this.next === undefined) return undefined;
    const entry = this.waiting.get(this.next);
    if (!entry) return undefined;
    this.waiting.delete(this.next);
    this.next += 1;
    return entry;
  }

  /** Flushes the old stream. The new stream starts with `lostBefore: 1`, because the real number is unknown. */
  private restart(packet: RtpPacket, now: number): OrderedPacket[] {
    const tail = this.release(Number.POSITIVE_INFINITY);
    this.sequence = new Unwrapper(16);
    this.next = this.sequence.unwrap(packet.sequenceNumber) + 1;
    return [...tail, { packet, lostBefore: 1, receivedAt: now }];
  }
}
