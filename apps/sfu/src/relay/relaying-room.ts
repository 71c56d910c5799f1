import type { FeedDestination, PayloadNumbers } from '@rtms/contracts';
import type {
  MediaFeed,
  MediaRoom,
  PublishedTrack,
  PublisherTransport,
  RoomPipe,
  ViewerTransport,
} from '../media/media-engine.js';
import type { MemberMedia } from '../media/member-media.js';
import type { RoomRelays } from './room-relays.js';

/** A room of this node whose viewers go to other nodes when this one is full; all else of it is here. */
export class RelayingRoom implements MediaRoom {
  constructor(
    private readonly room: MediaRoom,
    private readonly relays: RoomRelays,
  ) {}

  get meetingID(): string {
    return this.room.meetingID;
  }

  get members(): MemberMedia {
    return this.room.members;
  }

  get hasPlaceForViewer(): boolean {
    return this.room.hasPlaceForViewer;
  }

  openPublisher(): Promise<PublisherTransport> {
    return this.room.openPublisher();
  }

  /** Where no node takes the viewer, what this one keeps for others is given to it as long as there is any. */
  async openViewer(numbers?: PayloadNumbers): Promise<ViewerTransport> {
    const relayed = this.room.hasPlaceForViewer ? undefined : await this.relays.openViewer(numbers);
    return relayed ?? this.room.openViewer(numbers);
  }

  openFeed(tracks: PublishedTrack[], destinations: FeedDestination[]): Promise<MediaFeed> {
    return this.room.openFeed(tracks, destinations);
  }

  openPipe(): Promise<RoomPipe> {
    return this.room.openPipe();
  }

  onLost(listener: () => void): void {
    this.room.onLost(listener);
  }

  async close(): Promise<void> {
    await this.relays.close();
    await this.room.close();
  }
}
