import { Inject, Injectable } from '@nestjs/common';
import { pageOfInventory, sfuCommands, type InventoryQuery, type SfuInventory } from '@rtms/contracts';
import type { Logger } from '@rtms/logging';
import { EPOCH, LOGGER, NodeWork, OnCommand } from '@rtms/node';
import { DiagnosisService } from './diagnosis/diagnosis.service.js';
import { MEDIA_ENGINE, type MediaEngine } from './media/media-engine.js';
import { NodeRelaying } from './relay/node-relaying.js';
import { RoomRegistry } from './rooms/room-registry.js';
import { SFU_CONFIG, type SfuConfig } from './sfu.config.js';

/** The work of an SFU node: its rooms and its relays of other nodes' rooms. */
@Injectable()
export class SfuWork extends NodeWork {
  readonly drainTimes: { drainSeconds: number };

  constructor(
    @Inject(SFU_CONFIG) { drainSeconds }: SfuConfig,
    @Inject(MEDIA_ENGINE) private readonly engine: MediaEngine,
    @Inject(EPOCH) private readonly epoch: number,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly rooms: RoomRegistry,
    private readonly relaying: NodeRelaying,
    private readonly diagnosis: DiagnosisService,
  ) {
    super();
    this.drainTimes = { drainSeconds };
  }

  load(): { load: number; capacity: number } {
    const { consumers: load, capacity } = this.engine.load();
    return { load, capacity };
  }

  start(): Promise<void> {
    return this.relaying.start();
  }

  /** Announces the new load to the other SFU nodes. */
  override drainChanged(): void {
    this.relaying.tellLoad();
  }

  /** Sends `reconnect` to viewers with an event stream. */
  override sendAway(): void {
    this.rooms.tellViewers('reconnect');
    this.relaying.host.dismiss();
  }

  isEmpty(): boolean {
    return this.rooms.isIdle && this.relaying.host.isIdle;
  }

  async endAll(): Promise<void> {
    // Viewers that connected after the drain began have not received `reconnect` yet.
    this.rooms.tellViewers('reconnect');
    for (const room of this.rooms.list()) await room.members.dismiss();
    for (const { room, session } of this.rooms.sessions()) {
      await room.endSession(session.sessionID, 'node_drained').catch((error: unknown) => {
        this.logger.error({ err: error, sessionID: session.sessionID }, 'cannot end a session');
      });
    }
    await this.relaying.host.closeAll();
  }

  /** Closes the rooms and their event streams. Does not end sessions: publishers may reconnect on another node. */
  override async closeStreams(): Promise<void> {
    await this.diagnosis.close();
    await this.rooms.close();
    await this.relaying.close();
  }

  close(): Promise<void> {
    return this.engine.close();
  }

  @OnCommand(sfuCommands.inventory)
  inventory(query: InventoryQuery): SfuInventory {
    const inventory = {
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
    return pageOfInventory(inventory, query);
  }
}
