import type { Closeable } from '@rtms/bus';
import { ServiceError, type PayloadNumbers, type PipedTrack, type PipeEnd, type TransportState } from '@rtms/contracts';
import { workersFullError } from '../media/media-errors.js';
import type { MediaEngine, MediaRoom, PublishedTrack, RoomPipe } from '../media/media-engine.js';
import { HostedViewer, type ViewerNews } from './hosted-viewer.js';

interface HostedTrack {
  track: Promise<PublishedTrack>;
  openedAt: number;
}

/** What an owner wants here, in full. */
export interface WantedRelay {
  viewerIDs: string[];
  tracks: { trackID: string; paused: boolean }[];
}

/** A room of another node's, as far as this one serves its viewers: a room without publishers, fed by a pipe. */
export class HostedRelay implements Closeable {
  keptAt = Date.now();
  private readonly tracks = new Map<string, HostedTrack>();
  private readonly viewers = new Map<string, Promise<HostedViewer>>();
  private readonly open = new Map<string, HostedViewer>();

  private constructor(
    readonly ownerID: string,
    private readonly room: MediaRoom,
    private readonly pipe: RoomPipe,
    private readonly tell: (viewerID: string, news: ViewerNews) => void,
  ) {}

  static async open(
    engine: MediaEngine,
    { relayID, ownerID, pipe: remote }: { relayID: string; ownerID: string; pipe: PipeEnd },
    tell: (viewerID: string, news: ViewerNews) => void,
  ): Promise<HostedRelay> {
    const room = await engine.openRoom(relayID);
    try {
      const pipe = await room.openPipe();
      await pipe.connect(remote);
      return new HostedRelay(ownerID, room, pipe, tell);
    } catch (error) {
      await room.close();
      throw error;
    }
  }

  get end(): PipeEnd {
    return this.pipe.end;
  }

  get viewerCount(): number {
    return this.open.size;
  }

  /** Calls back once, also when the media worker died. */
  onClosed(listener: () => void): void {
    this.pipe.onClosed(listener);
  }

  async openTrack(piped: PipedTrack): Promise<void> {
    const known = this.tracks.get(piped.trackID) ?? { track: this.pipe.receive(piped), openedAt: Date.now() };
    this.tracks.set(piped.trackID, known);
    await known.track.catch((error: unknown) => {
      this.tracks.delete(piped.trackID);
      throw error;
    });
  }

  async closeTrack(trackID: string): Promise<void> {
    const known = this.tracks.get(trackID);
    this.tracks.delete(trackID);
    await (await known?.track.catch(() => undefined))?.close();
  }

  async track(trackID: string): Promise<PublishedTrack> {
    const known = this.tracks.get(trackID);
    if (!known) throw new ServiceError('not_found', 'There is no such track at this relay.');
    return known.track;
  }

  /** Throws `capacity_reached`; nobody but a room's own node goes into what is kept. */
  async openViewer(viewerID: string, numbers: PayloadNumbers | undefined): Promise<HostedViewer> {
    const opening = this.viewers.get(viewerID) ?? this.admit(viewerID, numbers);
    this.viewers.set(viewerID, opening);
    return opening.catch((error: unknown) => {
      this.viewers.delete(viewerID);
      throw error;
    });
  }

  viewer(viewerID: string): HostedViewer {
    const viewer = this.open.get(viewerID);
    if (!viewer) throw new ServiceError('not_found', 'There is no such viewer at this relay.');
    return viewer;
  }

  async closeViewer(viewerID: string): Promise<void> {
    await (await this.viewers.get(viewerID)?.catch(() => undefined))?.close();
  }

  /** Closes what is not wanted, but nothing that was opened after the list was made. */
  async keep({ viewerIDs, tracks }: WantedRelay, graceMs: number): Promise<void> {
    this.keptAt = Date.now();
    const isOld = ({ openedAt }: { openedAt: number }): boolean => openedAt + graceMs < this.keptAt;
    for (const [viewerID, viewer] of [...this.open])
      if (isOld(viewer) && !viewerIDs.includes(viewerID)) await viewer.close();
    for (const [trackID, hosted] of [...this.tracks]) {
      const wanted = tracks.find(each => each.trackID === trackID);
      if (wanted) await setPaused(await hosted.track.catch(() => undefined), wanted.paused);
      else if (isOld(hosted)) await this.closeTrack(trackID);
    }
  }

  states(): { viewerID: string; state: TransportState }[] {
    return [...this.open].map(([viewerID, { state }]) => ({ viewerID, state }));
  }

  async close(): Promise<void> {
    await this.room.close();
  }

  private async admit(viewerID: string, numbers: PayloadNumbers | undefined): Promise<HostedViewer> {
    if (!this.room.hasPlaceForViewer) throw workersFullError();
    const transport = await this.room.openViewer(numbers);
    const viewer = new HostedViewer(transport, news => this.tell(viewerID, news));
    this.open.set(viewerID, viewer);
    transport.onStateChange(state => {
      if (state !== 'closed') return;
      this.open.delete(viewerID);
      this.viewers.delete(viewerID);
    });
    return viewer;
  }
}

async function setPaused(track: PublishedTrack | undefined, paused: boolean): Promise<void> {
  if (!track || (track.state === 'paused') === paused) return;
  await (paused ? track.pause() : track.resume());
}
