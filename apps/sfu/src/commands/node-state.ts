import type { NodeLease, SfuInventory } from '@rtms/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { DrainState } from '@rtms/health';
import type { MediaEngine } from '../media/media-engine.js';
import { RoomRegistry } from '../rooms/room-registry.js';
import type { SfuConfig } from '../sfu.config.js';
import { EPOCH, MEDIA_ENGINE, SFU_CONFIG } from '../sfu.tokens.js';

/** What this node says of itself. */
@Injectable()
export class NodeState {
  constructor(
    @Inject(SFU_CONFIG) private readonly config: SfuConfig,
    @Inject(MEDIA_ENGINE) private readonly engine: MediaEngine,
    @Inject(EPOCH) private readonly epoch: number,
    private readonly rooms: RoomRegistry,
    private readonly drain: DrainState,
  ) {}

  get isDraining(): boolean {
    return this.drain.isDraining;
  }

  lease(): NodeLease {
    const { nodeID, publicUrl, internalUrl, drainSeconds } = this.config;
    const { consumers: load, capacity } = this.engine.load();
    const { epoch, isDraining: draining } = this;
    return { nodeID, role: 'sfu', epoch, publicUrl, internalUrl, load, capacity, draining, drainSeconds };
  }

  inventory(): SfuInventory {
    return {
      epoch: this.epoch,
      meetingIDs: this.rooms.meetingIDs(),
      sessions: this.rooms
        .sessions()
        .map(({ room, session: { sessionID, state } }) => ({ sessionID, meetingID: room.meetingID, state })),
      playbacks: this.rooms
        .playbacks()
        .map(({ playbackID, source, state }) => ({ playbackID, sessionID: source.sessionID, state })),
      members: this.rooms
        .members()
        .filter(({ member }) => !member.session)
        .map(({ room, member: { participantID, liveTracks } }) => ({
          participantID,
          meetingID: room.meetingID,
          trackIDs: liveTracks.map(({ trackID }) => trackID),
        })),
    };
  }
}
