import { relayCommands } from '@rtms/contracts';
import type { PublishedTrack, RoomPipe, TrackPipe } from '../media/media-engine.js';
import type { RelayLink } from './relay-link.js';

interface SharedPipe {
  pipe: Promise<TrackPipe>;
  viewers: number;
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

  private open(track: PublishedTrack): SharedPipe {
    const shared = { pipe: this.send(track), viewers: 0 };
    this.shared.set(track, shared);
    shared.pipe.then(
      pipe => pipe.onEnded(() => this.end(track, shared)),
      () => this.end(track, shared),
    );
    return shared;
  }

  private async send(track: PublishedTrack): Promise<TrackPipe> {
    const pipe = await this.pipe.send(track);
    pipe.onPaused(() => this.onPaused());
    try {
      await this.link.ask(relayCommands.openTrack, { track: pipe.track });
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
    this.link.tell(relayCommands.closeTrack, { trackID: track.trackID });
  }
}
