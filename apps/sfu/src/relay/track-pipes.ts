import { relayCommands } from '@rtms/contracts';
import { nanoid } from 'nanoid';
import type { PublishedTrack, RoomPipe, TrackPipe } from '../media/media-engine.js';
import { SharedOpenings } from '../media/shared-openings.js';
import type { RelayLink } from './relay-link.js';
import { relayTimings } from './relay-timings.js';

/** ms. A track that received nothing for so long is not missed elsewhere. */
const arrivesWithin = 2_000;

interface SentPipe {
  pipe: TrackPipe;
  /** ms since 1970; undefined: the relay receives what there is. */
  missedSince?: number | undefined;
}

/** The tracks that a relay gets, each once, as long as one of its viewers is sent it. */
export class TrackPipes {
  private readonly sent = new SharedOpenings<PublishedTrack, SentPipe>({
    close: ({ pipe }) => pipe.close(),
    onEnded: ({ pipe }, listener) => pipe.onEnded(listener),
  });
  /** Also those that the relay is being asked to open. */
  private readonly pipes = new WeakMap<PublishedTrack, TrackPipe>();

  constructor(
    private readonly link: RelayLink,
    private readonly pipe: RoomPipe,
    private readonly onPaused: () => void,
  ) {}

  /** Resolves once the relay has it; the answer gives it back, and may be called twice. */
  async acquire(track: PublishedTrack): Promise<() => void> {
    return (await this.sent.acquire(track, () => this.send(track))).release;
  }

  list(): { trackID: string; paused: boolean }[] {
    return this.sent.keys().map(track => ({ trackID: track.trackID, paused: this.pipes.get(track)?.paused ?? false }));
  }

  /** `silent`: tracks of which the relay has received nothing. Returns one that should have arrived for `silentAfterMs`. */
  findMissed(silent: readonly string[], now: number): string | undefined {
    const silentIDs = new Set(silent);
    for (const [track, sent] of this.sent.entries()) {
      const isMissed = silentIDs.has(track.trackID) && sent.pipe.hasSent && isArriving(track, now);
      sent.missedSince = isMissed ? (sent.missedSince ?? now) : undefined;
      if (sent.missedSince !== undefined && now - sent.missedSince >= relayTimings.silentAfterMs) return track.trackID;
    }
    return undefined;
  }

  private async send(track: PublishedTrack): Promise<SentPipe> {
    const pipeID = nanoid();
    const { trackID } = track;
    const pipe = await this.pipe.send(track);
    this.pipes.set(track, pipe);
    pipe.onPaused(() => this.onPaused());
    pipe.onEnded(() => this.link.tell(relayCommands.closeTrack, { pipeID, trackID }));
    try {
      await this.link.ask(relayCommands.openTrack, { pipeID, track: pipe.track });
      return { pipe };
    } catch (error) {
      await pipe.close();
      throw error;
    }
  }
}

function isArriving(track: PublishedTrack, now: number): boolean {
  const at = track.lastReceivedAt();
  return track.state === 'live' && at !== undefined && now - at < arrivesWithin;
}
