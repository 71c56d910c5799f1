import type { Clock, Timer } from '@rtms/clock';
import type { MediaKind } from '@rtms/contracts';
import { Listeners } from './listeners.js';

/** `received` from publishers and members, `sent` to viewers and members. */
export const directions = ['received', 'sent'] as const;
export type Direction = (typeof directions)[number];

export const mediaKinds = ['audio', 'video'] as const satisfies readonly MediaKind[];

export const clientRoles = ['publisher', 'viewer', 'member'] as const;
export type ClientRole = (typeof clientRoles)[number];

/** `cancelled`: closed before ICE and DTLS had time to fail. */
export const connectionOutcomes = ['connected', 'ice_failed', 'dtls_failed', 'cancelled'] as const;
export type ConnectionOutcome = (typeof connectionOutcomes)[number];

/** The counters of an RTP stream since its start. */
export interface StreamCounters {
  bytes: number;
  packets: number;
  /** Lost packets minus retransmitted ones, so the number may fall (RFC 3550 section 6.4.1). */
  packetsLost: number;
  packetsRetransmitted: number;
  nacks: number;
  /** PLI and FIR. */
  keyframeRequests: number;
}

/** One reading of a stream. */
export interface StreamReading extends StreamCounters {
  ssrc: number;
  /** Share of lost packets in the last RTCP report, 0 to 1. */
  lossRatio: number;
  roundTripSeconds?: number;
}

const noCounters: Readonly<StreamCounters> = {
  bytes: 0,
  packets: 0,
  packetsLost: 0,
  packetsRetransmitted: 0,
  nacks: 0,
  keyframeRequests: 0,
};
const counterNames = Object.keys(noCounters) as (keyof StreamCounters)[];

function recordOf<Key extends string, Value>(keys: readonly Key[], value: () => Value): Record<Key, Value> {
  return Object.fromEntries(keys.map(key => [key, value()])) as Record<Key, Value>;
}

/** The media of all clients of this node since its start. No counter falls when a client leaves. */
export class MediaStatistics {
  readonly streams = recordOf(directions, () => recordOf(mediaKinds, () => ({ ...noCounters })));
  readonly connections = recordOf(clientRoles, () => recordOf(connectionOutcomes, () => 0));
  /** Connections that the client left without DELETE, or whose packets stopped. */
  readonly losses = recordOf(clientRoles, () => 0);
  /** Called with each reading of a stream. */
  readonly onReading = new Listeners<[Direction, StreamReading]>();
  /** Called with the seconds from a client's offer to its first media. */
  readonly onStarted = new Listeners<[ClientRole, number]>();
}

/** Adds the growth of one client's streams to the totals of the node. */
export class StreamMeter {
  private highest = new Map<number, StreamCounters>();

  constructor(
    private readonly statistics: MediaStatistics,
    private readonly direction: Direction,
    private readonly kind: MediaKind,
  ) {}

  /** Takes a reading of each current stream. */
  add(readings: readonly StreamReading[]): void {
    const highest = new Map<number, StreamCounters>();
    for (const reading of readings) {
      highest.set(reading.ssrc, this.grow(this.highest.get(reading.ssrc) ?? noCounters, reading));
      this.statistics.onReading.emit(this.direction, reading);
    }
    // Forgets streams that have ended, so that a publisher that changes its SSRC cannot fill the memory.
    this.highest = highest;
  }

  private grow(before: Readonly<StreamCounters>, now: StreamCounters): StreamCounters {
    const totals = this.statistics.streams[this.direction][this.kind];
    const highest = { ...before };
    for (const name of counterNames) {
      highest[name] = Math.max(before[name], now[name]);
      totals[name] += highest[name] - before[name];
    }
    return highest;
  }
}

/** Reads the counters of a client's track. */
export type StreamReader = () => Promise<unknown>;

const turnMs = 1_000;
/** Seconds in which the node reads all its tracks while it has few. */
const shortestRoundSeconds = 10;
/**
 * A track is read again after this time. The samples of viewers come every 10 s and count as readings. So the rounds read a
 * sampled track only if a sample is late.
 */
const readAgainMs = 12_000;
/** A reading costs about 0.1 ms of this process and of the worker. */
const mostReadingsPerTurn = 200;
/** Readings of closing tracks that may be under way. When a room with thousands of viewers ends, the others are skipped. */
const mostLastReadings = 500;

/**
 * Reads the tracks of all clients in turn, at most 200 a second. A scrape then reads no media worker. 10,000 tracks are read
 * every 50 s, up to 2,000 every 12 s.
 */
export class ReadingRounds {
  /** The times of the last readings, the oldest first. A new track has none. */
  private readonly readers = new Map<StreamReader, number>();
  private readonly timer: Timer;
  private isReading = false;
  private lastReadings = 0;

  constructor(private readonly clock: Clock) {
    this.timer = clock.every(turnMs, () => void this.takeTurn());
  }

  get size(): number {
    return this.readers.size;
  }

  add(reader: StreamReader): void {
    this.readers.set(reader, -Infinity);
  }

  /** The track was read apart from the rounds. */
  postpone(reader: StreamReader): void {
    if (this.readers.delete(reader)) this.readers.set(reader, this.clock.now());
  }

  /** Ends the readings of a track that has closed. */
  remove(reader: StreamReader): void {
    this.readers.delete(reader);
  }

  /** Reads a track that closes next. */
  readLast(reader: StreamReader): void {
    if (!this.readers.delete(reader) || this.lastReadings >= mostLastReadings) return;
    this.lastReadings += 1;
    const done = (): void => void (this.lastReadings -= 1);
    void reader().then(done, done);
  }

  close(): void {
    this.timer.cancel();
  }

  /** Skips the turn while a slow media worker has not answered the last one. */
  private async takeTurn(): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    await Promise.allSettled(this.next().map(read => read()));
    this.isReading = false;
  }

  /** The readers that have waited longest, if they are due. They go to the end of the row. */
  private next(): StreamReader[] {
    const count = Math.min(mostReadingsPerTurn, Math.ceil(this.readers.size / shortestRoundSeconds));
    const newest = this.clock.now() - readAgainMs;
    const due: StreamReader[] = [];
    for (const [reader, readAt] of this.readers) {
      if (due.length === count) break;
      if (readAt <= newest) due.push(reader);
    }
    for (const reader of due) this.postpone(reader);
    return due;
  }
}

/** A reading of 16 tracks keeps the event loop busy for about 2 ms. */
const readAtOnce = 16;

/** Reads the items in portions, so that the event loop turns between them. `read` must not reject. */
export async function readAll<Item>(items: readonly Item[], read: (item: Item) => Promise<void>): Promise<void> {
  for (let first = 0; first < items.length; first += readAtOnce)
    await Promise.all(items.slice(first, first + readAtOnce).map(read));
}
