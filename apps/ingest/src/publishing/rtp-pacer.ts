import type { Clock, Timer } from '@rtms/clock';
import type { MediaKind } from '@rtms/contracts';
import { kindOf, type StreamName, type TimeReport } from '@rtms/whip-publisher';

/** RTP ticks per millisecond. */
const ticksPerMs: Record<MediaKind, number> = { audio: 48, video: 90 };

/** Beyond this the packets leave at once: two seconds of 40 Mbit/s. */
const mostPackets = 8_192;

/** A packet that would wait for longer follows a jump of the encoder's times. */
const longestWaitMs = 5_000;

/** Added to the lateness of packets, so that small variations of it delay no packet. */
const marginMs = 10;

/** The delay follows the latest packet of this time. Before the start, packets of an old beginning arrive. */
const memoryMs = { before: 400, after: 2_000 };

/** A delay that is no longer needed shrinks by this share of the time: media then plays a little faster. */
const catchUpShare = 0.05;

/** With B-frames a picture follows another one that is shown up to so much later. */
const longestReorderingMs = 1_000;

interface Waiting {
  stream: StreamName;
  packet: Buffer;
  dueMs: number;
}

/**
 * Sends audio and video of the same moment at the same time, although encoders send audio later and in bursts. The SFU tells
 * viewers how audio and video belong together by the arrival of their packets.
 */
export class RtpPacer {
  private readonly reports = new Map<StreamName, TimeReport>();
  private readonly queue: Waiting[] = [];
  /** Of the packets that have arrived, in media time. */
  private readonly latestDue = new Map<StreamName, number>();
  /** The greatest lateness of a packet, of the current and of the former half of the memory. */
  private lateness = { current: -Infinity, former: -Infinity, since: 0 };
  private delayMs: number | undefined;
  private adjustedAt = 0;
  private timer: Timer | undefined;
  private timerAt = 0;
  private hasStarted = false;
  private closed = false;

  constructor(
    private readonly clock: Clock,
    private readonly send: (stream: StreamName, packet: Buffer) => void,
  ) {}

  /** Says which time the timestamps of a stream mean. Only a recent report tells: a timestamp of video repeats after 13 hours. */
  report(stream: StreamName, report: TimeReport): void {
    this.reports.set(stream, report);
  }

  /** For each stream the timestamp that is due now. All have the same time. */
  timesNow(): Map<StreamName, TimeReport> {
    const ntpMs = this.clock.now() - (this.delayMs ?? 0);
    const timestampAt = (stream: StreamName, first: TimeReport): number =>
      first.rtpTimestamp + Math.round((ntpMs - first.ntpMs) * ticksPerMs[kindOf(stream)]);
    return new Map(
      [...this.reports].map(([stream, first]) => [stream, { ntpMs, rtpTimestamp: timestampAt(stream, first) }]),
    );
  }

  add(stream: StreamName, packet: Buffer): void {
    const mediaMs = this.mediaTimeOf(stream, packet.readUInt32BE(4));
    if (this.closed || mediaMs === undefined) return;
    const now = this.clock.now();
    const dueMs = this.dueOf(stream, mediaMs);
    this.learn(now, dueMs);
    if (!this.hasStarted) return;
    if (dueMs + (this.delayMs ?? 0) - now > longestWaitMs) this.startAnew(now, dueMs);
    this.insert({ stream, packet, dueMs });
    if (this.queue.length > mostPackets) this.flush();
    else this.release(now);
  }

  /** Sends from now on, with no more delay than the live packets need. Older packets are dropped. */
  start(): void {
    this.hasStarted = true;
  }

  /** Drops what waits. Safe to call twice. */
  close(): void {
    this.closed = true;
    this.timer?.cancel();
    this.queue.length = 0;
  }

  private mediaTimeOf(stream: StreamName, timestamp: number): number | undefined {
    const report = this.reports.get(stream);
    if (report === undefined) return undefined;
    // The difference has 32 bits with a sign, so a timestamp may pass its highest value.
    return report.ntpMs + ((timestamp - report.rtpTimestamp) | 0) / ticksPerMs[kindOf(stream)];
  }

  /** B-frames are due with the picture that they follow, because they leave after it. */
  private dueOf(stream: StreamName, mediaMs: number): number {
    const latest = this.latestDue.get(stream) ?? mediaMs;
    const isReordered = mediaMs < latest && latest - mediaMs <= longestReorderingMs;
    const dueMs = isReordered ? latest : mediaMs;
    this.latestDue.set(stream, dueMs);
    return dueMs;
  }

  private learn(now: number, dueMs: number): void {
    const memory = this.hasStarted ? memoryMs.after : memoryMs.before;
    if (now - this.lateness.since > memory / 2)
      this.lateness = { former: this.lateness.current, current: -Infinity, since: now };
    this.lateness.current = Math.max(this.lateness.current, now - dueMs);
    const needed = Math.max(this.lateness.current, this.lateness.former) + marginMs;
    const shrunk = (this.delayMs ?? -Infinity) - (now - this.adjustedAt) * catchUpShare;
    this.delayMs = this.hasStarted ? Math.max(needed, shrunk) : needed;
    this.adjustedAt = now;
  }

  /** Former packets say nothing about the delay that this time needs. */
  private startAnew(now: number, dueMs: number): void {
    this.flush();
    this.lateness = { current: -Infinity, former: -Infinity, since: now };
    this.delayMs = undefined;
    this.learn(now, dueMs);
  }

  /** By due time. Packets of one stream stay in order. */
  private insert(waiting: Waiting): void {
    const before = this.queue.findLastIndex(({ stream, dueMs }) => stream === waiting.stream || dueMs <= waiting.dueMs);
    this.queue.splice(before + 1, 0, waiting);
  }

  private release(now: number): void {
    const due = now - (this.delayMs ?? 0);
    const firstLater = this.queue.findIndex(({ dueMs }) => dueMs > due);
    const count = firstLater < 0 ? this.queue.length : firstLater;
    if (count > 0) for (const { stream, packet } of this.queue.splice(0, count)) this.send(stream, packet);
    const [next] = this.queue;
    if (next && !this.closed) this.wakeAt(now, Math.max(1, Math.ceil(next.dueMs - due)));
  }

  /** A timer that ends earlier stays. It then looks again, which costs less than a new timer for each packet. */
  private wakeAt(now: number, waitMs: number): void {
    if (this.timer && this.timerAt <= now + waitMs) return;
    this.timer?.cancel();
    this.timerAt = now + waitMs;
    this.timer = this.clock.after(waitMs, () => {
      this.timer = undefined;
      this.release(this.clock.now());
    });
  }

  private flush(): void {
    for (const { stream, packet } of this.queue.splice(0)) this.send(stream, packet);
  }
}
