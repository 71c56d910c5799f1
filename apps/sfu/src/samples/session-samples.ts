import type { Closeable } from '@rtms/bus';
import type { Clock, Timer } from '@rtms/clock';
import {
  sampledMs,
  sampleIntervalMs,
  type SampledMinute,
  type SamplesPage,
  type SamplesQuery,
  type SessionSample,
  type TrackStatistics,
} from '@rtms/contracts';
import { messageOf, type Logger } from '@rtms/logging';
import type { Session } from '../rooms/session.js';

/** The gateway stores complete minutes. It may be away for this long without a gap. */
const keptMs = 10 * sampledMs;

/** A measurement that begins in the last second of a minute may end in the next one. */
const settlingMs = 5_000;

/** A minute has about 700 bytes as JSON, so a page is less than half of NATS's 1 MB limit per message. */
const pageSize = 600;

interface SampledNode {
  sessions(): { session: Pick<Session, 'sessionID' | 'state' | 'statistics'> }[];
}

/** Samples of the node's active sessions, every 10 s, for the last ten minutes. */
export class SessionSamples implements Closeable {
  /** By place: the time of the minute, then the session. */
  private readonly minutes = new Map<string, SampledMinute>();
  private readonly timer: Timer;
  private sampling: Promise<void> | undefined;

  constructor(
    private readonly node: SampledNode,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    this.timer = clock.every(sampleIntervalMs, () => void this.sample());
  }

  read({ sessionID, after = '' }: SamplesQuery): SamplesPage {
    const newest = sessionID === undefined ? this.clock.now() - sampledMs - settlingMs : Infinity;
    const wanted = [...this.minutes]
      .filter(([place, each]) => place > after && each.minute <= newest && isOf(each, sessionID))
      .sort(([one], [other]) => (one < other ? -1 : 1));
    const page = wanted.slice(0, pageSize);
    const next = page.at(-1)?.[0] ?? after;
    return { minutes: page.map(([, each]) => each), next, isLast: page.length === wanted.length };
  }

  async close(): Promise<void> {
    this.timer.cancel();
    await this.sampling;
  }

  /** Skips a turn while the media workers have not answered the turn before. */
  private sample(): Promise<void> {
    this.sampling ??= this.sampleAll(this.clock.now()).finally(() => {
      this.sampling = undefined;
    });
    return this.sampling;
  }

  private async sampleAll(at: number): Promise<void> {
    for (const [place, { minute }] of this.minutes) if (minute < at - keptMs) this.minutes.delete(place);
    for (const { session } of this.node.sessions()) {
      if (session.state !== 'active') continue;
      try {
        const { tracks } = await session.statistics(true);
        if (tracks.length > 0) this.add(session.sessionID, sampleOf(tracks, at));
      } catch (error) {
        this.logger.debug({ sessionID: session.sessionID, message: messageOf(error) }, 'cannot sample a session');
      }
    }
  }

  private add(sessionID: string, sample: SessionSample): void {
    const minute = Math.floor(sample.at / sampledMs) * sampledMs;
    const place = `${minute} ${sessionID}`;
    const known = this.minutes.get(place) ?? { sessionID, minute, samples: [] };
    known.samples.push(sample);
    this.minutes.set(place, known);
  }
}

function isOf(minute: SampledMinute, sessionID: string | undefined): boolean {
  return sessionID === undefined || minute.sessionID === sessionID;
}

/** Sums the bit rates, and takes the worst value of the tracks else. */
export function sampleOf(tracks: readonly TrackStatistics[], at: number): SessionSample {
  const worst = (valueOf: (track: TrackStatistics) => number | null): number | null => {
    const known = tracks.map(valueOf).filter(value => value !== null);
    return known.length === 0 ? null : Math.max(...known);
  };
  return {
    at,
    bitrate: tracks.reduce((sum, { bitrate }) => sum + bitrate, 0),
    fractionLost: worst(track => track.fractionLost) ?? 0,
    jitterMs: worst(track => track.jitterMs) ?? 0,
    roundTripMs: worst(track => track.roundTripMs),
    frameRate: worst(track => track.frameRate),
  };
}
