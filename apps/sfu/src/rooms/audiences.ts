import type { Clock } from '@rtms/clock';
import { leaseTtlSeconds, ServiceError, type AudienceCounts, type PlaybackAccount } from '@rtms/contracts';
import { tracksOfViewer } from '../media/admission.js';

/** The viewer counts of a playback that the limits need. */
export interface CountedPlayback {
  /** All viewers, including those whose request is still being answered. */
  readonly viewerCount: number;
  /** The viewers that have never been connected. */
  readonly connectingCount: number;
}

/** The limits that can refuse a viewer. */
type ViewerLimit = 'playback' | 'account' | 'connecting';

/**
 * The share of a node's viewers that one account may have connecting at a time. A viewer that never connects occupies its
 * place for `roomTimings.viewerConnectsWithin`. Without this limit, one leaked token could fill a node.
 */
const connectingShare = 1 / 4;
const minConnecting = 20;

/** A node announces an account's viewer count once it reaches this share of the account's limit. */
const announcedShare = 0.01;
const maxAnnounced = 100;

/** For a playback that an older gateway opened without limits. */
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

/** A playback's registration with its account. */
export interface AudienceSeat {
  /** Throws `capacity_reached` if a limit of the account refuses one more viewer. */
  requirePlace(): void;
  leave(): void;
}

/**
 * Counts the viewers of each account and enforces its limits. The limits come with the playback, and nodes announce their
 * counts each second, so a new viewer needs no request. The count misses viewers that other nodes accepted in that second.
 */
export class Audiences {
  private readonly audiences = new Map<string, Audience>();
  private readonly heard = new Map<string, HeardAudiences>();
  readonly refusals: Record<ViewerLimit, number> = { playback: 0, account: 0, connecting: 0 };

  constructor(
    private readonly clock: Clock,
    /** The number of viewer tracks that this node can send. */
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

  /** Applies limits that an administrator changed. Viewers above a lower limit stay. */
  setLimits({ accountID, limits }: PlaybackAccount): void {
    const audience = this.audiences.get(accountID);
    if (audience) audience.limits = limits;
  }

  /** The counts of the largest audiences, to announce to the other nodes. */
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
