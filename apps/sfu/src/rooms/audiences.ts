import type { Clock } from '@rtms/clock';
import { leaseTtlSeconds, ServiceError, type AudienceCounts, type PlaybackAccount } from '@rtms/contracts';
import { tracksOfViewer } from '../media/consumer-budget.js';

/** A playback, as its account's limits see it. */
export interface CountedPlayback {
  /** With those who are being let in. */
  readonly viewerCount: number;
  /** Of these, those who were never connected. */
  readonly connectingCount: number;
}

/** Refusals by the limit that was reached. */
export type ViewerLimit = 'playback' | 'account' | 'connecting';

/**
 * Of the viewers that a node can serve, one account may have this share connecting at a time. A viewer that never
 * connects holds its place for `roomTimings.viewerConnectsWithin`, so that a token alone does not fill a node.
 */
const connectingShare = 1 / 4;
const minConnecting = 20;

/** Other nodes hear of an audience from this share of its account's limit on. */
const announcedShare = 0.01;
const maxAnnounced = 100;

/** A playback that was opened by a gateway of a former version. */
const unlimited: PlaybackAccount = {
  accountID: '',
  limits: { viewersPerPlayback: Infinity, viewersPerAccount: Infinity },
};

interface Audience {
  limits: PlaybackAccount['limits'];
  playbacks: Set<CountedPlayback>;
}

interface HeardAudiences {
  counts: AudienceCounts;
  /** ms since 1970. */
  at: number;
}

/** A playback's place among those of its account. */
export interface AudienceSeat {
  /** Throws `capacity_reached` when a limit of the account does not allow one more viewer. */
  requirePlace(): void;
  leave(): void;
}

/**
 * The viewers of each account, and how many it may have. The limits come with the playback, and other nodes tell their
 * counts each second: so a new viewer costs no request. Viewers that other nodes took within that second are missed.
 */
export class Audiences {
  private readonly audiences = new Map<string, Audience>();
  private readonly heard = new Map<string, HeardAudiences>();
  readonly refusals: Record<ViewerLimit, number> = { playback: 0, account: 0, connecting: 0 };

  constructor(
    private readonly clock: Clock,
    /** Viewer tracks that this node can send. */
    private readonly capacity: () => number,
  ) {}

  join(playback: CountedPlayback, account: PlaybackAccount = unlimited): AudienceSeat {
    const { accountID, limits } = account;
    const audience = this.audiences.get(accountID) ?? { limits, playbacks: new Set() };
    audience.limits = limits;
    audience.playbacks.add(playback);
    this.audiences.set(accountID, audience);
    return {
      requirePlace: () => this.requirePlace(accountID, audience, playback),
      leave: () => {
        audience.playbacks.delete(playback);
        if (audience.playbacks.size === 0 && this.audiences.get(accountID) === audience)
          this.audiences.delete(accountID);
      },
    };
  }

  /** An administrator changed them. Viewers above a lower limit stay. */
  setLimits({ accountID, limits }: PlaybackAccount): void {
    const audience = this.audiences.get(accountID);
    if (audience) audience.limits = limits;
  }

  /** The largest audiences, for the other nodes. */
  counts(): AudienceCounts {
    const counts = [...this.audiences]
      .map(([accountID, audience]) => ({ accountID, viewers: viewersOf(audience), of: audience.limits }))
      .filter(({ viewers, of }) => viewers > 0 && viewers >= of.viewersPerAccount * announcedShare)
      .sort((a, b) => b.viewers - a.viewers)
      .slice(0, maxAnnounced);
    return Object.fromEntries(counts.map(({ accountID, viewers }) => [accountID, viewers]));
  }

  hear(nodeID: string, counts: AudienceCounts): void {
    this.heard.set(nodeID, { counts, at: this.clock.now() });
  }

  private requirePlace(accountID: string, audience: Audience, playback: CountedPlayback): void {
    const { viewersPerPlayback, viewersPerAccount } = audience.limits;
    if (playback.viewerCount >= viewersPerPlayback)
      this.refuse('playback', `The playback has reached its limit of ${viewersPerPlayback} viewers.`);
    if (viewersOf(audience) + this.viewersElsewhere(accountID) >= viewersPerAccount)
      this.refuse('account', `The account has reached its limit of ${viewersPerAccount} viewers.`);
    if (connectingOf(audience) >= this.mostConnecting())
      this.refuse('connecting', 'Too many viewers of the account are connecting now. Try again later.');
  }

  private refuse(limit: ViewerLimit, message: string): never {
    this.refusals[limit]++;
    throw new ServiceError('capacity_reached', message);
  }

  private mostConnecting(): number {
    return Math.max(minConnecting, Math.floor((this.capacity() / tracksOfViewer) * connectingShare));
  }

  private viewersElsewhere(accountID: string): number {
    const since = this.clock.now() - leaseTtlSeconds * 1000;
    let viewers = 0;
    for (const [nodeID, { counts, at }] of this.heard) {
      if (at < since) this.heard.delete(nodeID);
      else viewers += counts[accountID] ?? 0;
    }
    return viewers;
  }
}

function viewersOf({ playbacks }: Audience): number {
  return sumOf(playbacks, ({ viewerCount }) => viewerCount);
}

function connectingOf({ playbacks }: Audience): number {
  return sumOf(playbacks, ({ connectingCount }) => connectingCount);
}

function sumOf(playbacks: Iterable<CountedPlayback>, countOf: (playback: CountedPlayback) => number): number {
  let sum = 0;
  for (const playback of playbacks) sum += countOf(playback);
  return sum;
}
