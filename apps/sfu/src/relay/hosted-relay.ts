import type { Closeable } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { ServiceError, type PayloadNumbers, type PipedTrack, type PipeEnd, type TransportState } from '@rtms/contracts';
import { workersFullError } from '../media/media-errors.js';
import type { MediaEngine, MediaRoom, PublishedTrack, RoomPipe } from '../media/media-engine.js';
import { SerialQueue } from '../rooms/serial-queue.js';
import { HostedViewer, type ViewerNews } from './hosted-viewer.js';

interface HostedTrack {
  /** Of the owner's sending end: another one sends by other SSRCs. */
  pipeID: string;
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
  /** When the owner last sent `keep`, or when this node last had no bus. */
  keptAt: number;
  private readonly tracks = new Map<string, HostedTrack>();
  private readonly viewers = new Map<string, Promise<HostedViewer>>();
  private readonly open = new Map<string, HostedViewer>();
  private readonly keeping = new SerialQueue();

  private constructor(
    readonly ownerID: string,
    private readonly room: MediaRoom,
    private readonly pipe: RoomPipe,
    private readonly clock: Clock,
    private readonly tell: (viewerID: string, news: ViewerNews) => void,
  ) {
    this.keptAt = clock.now();
  }

  static async open(
    engine: MediaEngine,
    { relayID, ownerID, pipe: remote }: { relayID: string; ownerID: string; pipe: PipeEnd },
    clock: Clock,
    tell: (viewerID: string, news: ViewerNews) => void,
  ): Promise<HostedRelay> {
    const room = await engine.openRoom(relayID);
    try {
      const pipe = await room.openPipe();
      await pipe.connect(remote);
      return new HostedRelay(ownerID, room, pipe, clock, tell);
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

  /** What came through a former pipe ends, if nobody told its end. */
  async openTrack(piped: PipedTrack, pipeID: string): Promise<void> {
    const { trackID } = piped;
    const former = this.tracks.get(trackID);
    if (former && former.pipeID !== pipeID) await this.closeTrack(trackID, former.pipeID);
    const opening = (): HostedTrack => ({ pipeID, track: this.pipe.receive(piped), openedAt: this.clock.now() });
    const hosted = this.tracks.get(trackID) ?? opening();
    this.tracks.set(trackID, hosted);
    await hosted.track.catch((error: unknown) => {
      if (this.tracks.get(trackID) === hosted) this.tracks.delete(trackID);
      throw error;
    });
  }

  /** Nothing where the track comes through another pipe by now. */
  async closeTrack(trackID: string, pipeID: string): Promise<void> {
    const known = this.tracks.get(trackID);
    if (known?.pipeID !== pipeID) return;
    this.tracks.delete(trackID);
    await (await known.track.catch(() => undefined))?.close();
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
  keep(wanted: WantedRelay, graceMs: number): Promise<void> {
    const now = this.clock.now();
    this.keptAt = now;
    return this.keeping.run(() => this.comply(wanted, now - graceMs));
  }

  states(): { viewerID: string; state: TransportState }[] {
    return [...this.open].map(([viewerID, { state }]) => ({ viewerID, state }));
  }

  /** Tracks of which nothing has come yet. */
  async silent(): Promise<string[]> {
    const opened = await Promise.all([...this.tracks.values()].map(({ track }) => track.catch(() => undefined)));
    return opened.flatMap(track =>
      track?.state === 'live' && track.lastReceivedAt() === undefined ? track.trackID : [],
    );
  }

  async close(): Promise<void> {
    await this.room.close();
  }

  private async comply({ viewerIDs, tracks }: WantedRelay, since: number): Promise<void> {
    const wantedViewers = new Set(viewerIDs);
    for (const [viewerID, viewer] of [...this.open])
      if (viewer.openedAt < since && !wantedViewers.has(viewerID)) await viewer.close();
    for (const [trackID, { pipeID, track, openedAt }] of [...this.tracks]) {
      const wanted = tracks.find(each => each.trackID === trackID);
      if (wanted) await setPaused(await track.catch(() => undefined), wanted.paused);
      else if (openedAt < since) await this.closeTrack(trackID, pipeID);
    }
  }

  private async admit(viewerID: string, numbers: PayloadNumbers | undefined): Promise<HostedViewer> {
    if (!this.room.hasPlaceForViewer) throw workersFullError();
    const transport = await this.room.openViewer(numbers);
    const viewer = new HostedViewer(transport, this.clock.now(), news => this.tell(viewerID, news));
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
