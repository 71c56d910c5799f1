import { Inject, Injectable } from '@nestjs/common';
import {
  ServiceError,
  sfuCommands,
  type FeedTrack,
  type OpenFeedRequest,
  type OpenPlaybackRequest,
  type OpenSessionRequest,
  type PayloadProfile,
  type PlaybackAccount,
  type RepairInput,
  type SamplesPage,
  type SamplesQuery,
  type SessionStatistics,
  type ViewerSamplesPage,
  type ViewerSamplesQuery,
} from '@rtms/contracts';
import { DrainState, OnCommand, type RequestOf } from '@rtms/node';
import { drainingError, MEDIA_ENGINE, type MediaEngine } from '../media/media-engine.js';
import { Audiences } from '../rooms/audiences.js';
import { RoomRegistry } from '../rooms/room-registry.js';
import { SessionSamples } from '../samples/session-samples.js';
import { ViewerSamples } from '../samples/viewer-samples.js';
import type { Room } from '../rooms/room.js';

/** Commands of the gateway and the transcoders for sessions, playbacks, feeds and rooms. All are idempotent. */
@Injectable()
export class RoomCommands {
  constructor(
    @Inject(MEDIA_ENGINE) private readonly engine: MediaEngine,
    private readonly rooms: RoomRegistry,
    private readonly samples: SessionSamples,
    private readonly viewerSamples: ViewerSamples,
    private readonly audiences: Audiences,
    private readonly drain: DrainState,
  ) {}

  @OnCommand(sfuCommands.openSession)
  async openSession({ meetingID, ...session }: OpenSessionRequest): Promise<void> {
    const known = this.rooms.roomOfSession(session.sessionID);
    if (known) return known.openSession(session);
    if (this.drain.isDraining) throw drainingError();
    if (session.tracks.length === 0)
      throw new ServiceError('invalid_request', 'tracks is empty. An external session needs audio, video or both.');
    const room = await this.rooms.open(meetingID);
    room.openSession(session);
  }

  @OnCommand(sfuCommands.closeSession)
  async closeSession({ sessionID }: { sessionID: string }): Promise<void> {
    await this.rooms.roomOfSession(sessionID)?.closeSession(sessionID);
  }

  @OnCommand(sfuCommands.sessionStatistics)
  statistics({ sessionID }: { sessionID: string }): Promise<SessionStatistics> {
    return this.roomOf(sessionID).session(sessionID).statistics();
  }

  @OnCommand(sfuCommands.readSamples)
  readSamples(query: SamplesQuery): SamplesPage {
    return this.samples.read(query);
  }

  @OnCommand(sfuCommands.readViewerSamples)
  readViewerSamples(query: ViewerSamplesQuery): ViewerSamplesPage {
    return this.viewerSamples.read(query);
  }

  @OnCommand(sfuCommands.openPlayback)
  openPlayback(request: OpenPlaybackRequest): { payloadProfile: PayloadProfile } {
    this.roomOf(request.sessionID).openPlayback(request);
    return { payloadProfile: this.engine.payloadProfile };
  }

  @OnCommand(sfuCommands.setViewerLimits)
  async setViewerLimits(account: PlaybackAccount): Promise<void> {
    this.audiences.setLimits(account);
  }

  @OnCommand(sfuCommands.closePlayback)
  async closePlayback({ playbackID }: { playbackID: string }): Promise<void> {
    await this.rooms.roomOfPlayback(playbackID)?.closePlayback(playbackID);
  }

  /** While the node drains, the room moves to another node. Viewers receive `reconnect` and members open their media again. */
  @OnCommand(sfuCommands.closeRoom)
  async closeRoom({ meetingID }: { meetingID: string }): Promise<void> {
    const room = this.rooms.find(meetingID);
    if (this.drain.isDraining && room) {
      room.tellViewers('reconnect');
      await room.members.dismiss();
    }
    await this.rooms.closeRoom(meetingID);
  }

  @OnCommand(sfuCommands.openFeed)
  async openFeed(request: OpenFeedRequest): Promise<{ tracks: FeedTrack[] }> {
    return { tracks: await this.roomOfSource(request.sourceID).openFeed(request) };
  }

  @OnCommand(sfuCommands.closeFeed)
  async closeFeed({ feedID, destinations }: RequestOf<typeof sfuCommands.closeFeed>): Promise<void> {
    await this.rooms.roomOfFeed(feedID)?.closeFeed(feedID, destinations);
  }

  @OnCommand(sfuCommands.requestKeyframe)
  async requestKeyframe({ sourceID, view }: RequestOf<typeof sfuCommands.requestKeyframe>): Promise<void> {
    await this.roomOfSource(sourceID).requestKeyframe(sourceID, view);
  }

  @OnCommand(sfuCommands.openRepair)
  async openRepair({
    repairID,
    senders,
  }: RequestOf<typeof sfuCommands.openRepair>): Promise<{ inputs: RepairInput[] }> {
    const found = this.sessionOfRepair(repairID);
    if (!found) throw new ServiceError('not_found', 'No session of this media node wants this repair.');
    return { inputs: await found.session.repair.open(repairID, senders, await found.room.media.get()) };
  }

  @OnCommand(sfuCommands.keepRepair)
  async keepRepair({ repairID, isLeaving }: RequestOf<typeof sfuCommands.keepRepair>): Promise<{ isWanted: boolean }> {
    return { isWanted: this.sessionOfRepair(repairID)?.session.repair.keep(repairID, isLeaving) ?? false };
  }

  private sessionOfRepair(repairID: string) {
    return this.rooms.sessions().find(({ session }) => session.repair.has(repairID));
  }

  private roomOfSource(sourceID: string): Room {
    const room = this.rooms.roomOfSource(sourceID);
    if (!room) throw new ServiceError('not_found', 'This media node has no such external session or member.');
    return room;
  }

  private roomOf(sessionID: string): Room {
    const room = this.rooms.roomOfSession(sessionID);
    if (!room) throw new ServiceError('not_found', 'This media node has no such external session.');
    return room;
  }
}
