import { ServiceError, type ErrorReason, type FeedDestination, type PayloadNumbers } from '@rtms/contracts';
import type {
  MediaFeed,
  MediaRoom,
  PublishedTrack,
  PublisherTransport,
  RoomPipe,
  ViewerTransport,
} from '../media/media-engine.js';
import type { MemberMedia } from '../media/member-media.js';
import { RelayedViewer } from './relayed-viewer.js';
import type { RoomRelays } from './room-relays.js';

/** What may not be so on the own node. */
const ofThePlace: readonly ErrorReason[] = ['controller_unavailable', 'capacity_reached', 'internal_error'];

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

  /** A relay that fails gets no viewers for a while; this one is served here, out of what is kept. */
  async openViewerInstead(
    failed: ViewerTransport,
    error: unknown,
    numbers?: PayloadNumbers,
  ): Promise<ViewerTransport | undefined> {
    const isOfThePlace = error instanceof ServiceError && ofThePlace.includes(error.reason);
    if (!(failed instanceof RelayedViewer) || !isOfThePlace) return undefined;
    this.relays.avoid(failed.nodeID);
    return this.room.openViewer(numbers);
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
