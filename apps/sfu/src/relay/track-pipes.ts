import { relayCommands } from '@rtms/contracts';
import { nanoid } from 'nanoid';
import type { PublishedTrack, RoomPipe, TrackPipe } from '../media/media-engine.js';
import type { RelayLink } from './relay-link.js';

/** ms. A track that received nothing for so long is not missed elsewhere. */
const arrivesWithin = 2_000;

interface SharedPipe {
  pipeID: string;
  pipe: Promise<TrackPipe>;
  /** Once the relay has it. */
  opened?: TrackPipe;
  viewers: number;
  /** ms since 1970; undefined: the relay receives what there is. */
  missedSince?: number | undefined;
}

/** The tracks that a relay gets, each once, as long as one of its viewers is sent it. */
export class TrackPipes {
  private readonly shared = new Map<PublishedTrack, SharedPipe>();

  constructor(
    private readonly link: RelayLink,
    private readonly pipe: RoomPipe,
    private readonly onPaused: () => void,
  ) {}

  /** Resolves once the relay has it; the answer gives it back, and may be called twice. */
  async acquire(track: PublishedTrack): Promise<() => void> {
    const shared = this.shared.get(track) ?? this.open(track);
    shared.viewers++;
    let held = true;
    const release = (): void => {
      if (held) this.leave(track, shared);
      held = false;
    };
    await shared.pipe.catch((error: unknown) => {
      release();
      throw error;
    });
    return release;
  }

  list(): { trackID: string; paused: boolean }[] {
    return [...this.shared.keys()].map(({ trackID, state }) => ({ trackID, paused: state === 'paused' }));
  }

  /** `silent`: those that the relay has had nothing of. Answers one of which it should have had something for so long. */
  findMissed(silent: readonly string[], forMs: number, now = Date.now()): string | undefined {
    const silentIDs = new Set(silent);
    for (const [track, shared] of this.shared) {
      const isMissed = silentIDs.has(track.trackID) && shared.opened?.hasSent && isArriving(track, now);
      shared.missedSince = isMissed ? (shared.missedSince ?? now) : undefined;
      if (shared.missedSince !== undefined && now - shared.missedSince >= forMs) return track.trackID;
    }
    return undefined;
  }

  private open(track: PublishedTrack): SharedPipe {
    const pipeID = nanoid();
    const shared: SharedPipe = { pipeID, pipe: this.send(track, pipeID), viewers: 0 };
    this.shared.set(track, shared);
    shared.pipe.then(
      pipe => {
        shared.opened = pipe;
        pipe.onEnded(() => this.end(track, shared));
      },
      () => this.end(track, shared),
    );
    return shared;
  }

  private async send(track: PublishedTrack, pipeID: string): Promise<TrackPipe> {
    const pipe = await this.pipe.send(track);
    pipe.onPaused(() => this.onPaused());
    try {
      await this.link.ask(relayCommands.openTrack, { pipeID, track: pipe.track });
      return pipe;
    } catch (error) {
      await pipe.close();
      throw error;
    }
  }

  private leave(track: PublishedTrack, shared: SharedPipe): void {
    shared.viewers--;
    if (shared.viewers > 0) return;
    this.end(track, shared);
    shared.pipe.then(
      pipe => pipe.close(),
      () => undefined,
    );
  }

  private end(track: PublishedTrack, shared: SharedPipe): void {
    if (this.shared.get(track) !== shared) return;
    this.shared.delete(track);
    this.link.tell(relayCommands.closeTrack, { pipeID: shared.pipeID, trackID: track.trackID });
  }
}

function isArriving(track: PublishedTrack, now: number): boolean {
  const at = track.lastReceivedAt();
  return track.state === 'live' && at !== undefined && now - at < arrivesWithin;
}
