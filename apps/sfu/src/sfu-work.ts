import { Inject, Injectable } from '@nestjs/common';
import { pageOfInventory, sfuCommands, type InventoryQuery, type SfuInventory } from '@rtms/contracts';
import { DrainState, type DrainTimes, EPOCH, NodeWork, OnCommand } from '@rtms/node';
import { DiagnosisService } from './diagnosis/diagnosis.service.js';
import { MEDIA_ENGINE, type MediaEngine } from './media/media-engine.js';
import { NodeRelaying } from './relay/node-relaying.js';
import { RoomRegistry } from './rooms/room-registry.js';
import { SessionSamples } from './samples/session-samples.js';
import { ViewerSamples } from './samples/viewer-samples.js';
import { SFU_CONFIG, type SfuConfig } from './sfu.config.js';

/** After this time without the gateway, a drained node closes its rooms itself. */
const lingerSeconds = 10;

/** The work of an SFU node: its rooms and its relays of other nodes' rooms. */
@Injectable()
export class SfuWork extends NodeWork {
  readonly drainTimes: DrainTimes;

  constructor(
    @Inject(SFU_CONFIG) { drainSeconds }: SfuConfig,
    @Inject(MEDIA_ENGINE) private readonly engine: MediaEngine,
    @Inject(EPOCH) private readonly epoch: number,
    private readonly drain: DrainState,
    private readonly rooms: RoomRegistry,
    private readonly samples: SessionSamples,
    private readonly viewerSamples: ViewerSamples,
    private readonly relaying: NodeRelaying,
    private readonly diagnosis: DiagnosisService,
  ) {
    super();
    this.drainTimes = { drainSeconds, lingerSeconds };
  }

  load(): { load: number; capacity: number } {
    const { used: load, capacity } = this.engine.load();
    return { load, capacity };
  }

  start(): Promise<void> {
    return this.relaying.start();
  }

  /** Announces the new load to the other SFU nodes. */
  override drainChanged(): void {
    this.relaying.tellLoad();
    if (this.drain.isDraining) return;
    for (const { session } of this.rooms.sessions()) session.reclaim();
  }

  /** Sends `reconnect` to viewers with an event stream. */
  override sendAway(): void {
    this.rooms.tellViewers('reconnect');
    this.relaying.host.dismiss();
  }

  isEmpty(): boolean {
    return this.rooms.isIdle && this.relaying.host.isIdle;
  }

  /** Reports all sessions interrupted. The gateway then moves each room, or ends its sessions if there is no other node. */
  async endAll(): Promise<void> {
    for (const { session } of this.rooms.sessions()) session.release();
    await this.relaying.host.closeAll();
  }

  /** The gateway did not answer in time. Clients reconnect, and find their sessions on another node. */
  override async abandon(): Promise<void> {
    this.rooms.tellViewers('reconnect');
    for (const room of this.rooms.list()) await room.dismiss();
  }

  /** Closes the rooms and their event streams. Does not end sessions: publishers may reconnect on another node. */
  override async closeStreams(): Promise<void> {
    await this.diagnosis.close();
    await this.samples.close();
    await this.viewerSamples.close();
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
      relayedViewers: this.relaying.host.viewerCount,
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
