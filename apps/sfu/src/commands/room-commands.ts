import { Inject, Injectable } from '@nestjs/common';
import {
  ServiceError,
  type FeedDestination,
  type FeedTrack,
  type OpenPlaybackRequest,
  type OpenSessionRequest,
  type PayloadProfile,
  type PlaybackAccount,
  type SessionStatistics,
} from '@rtms/contracts';
import type { MediaEngine } from '../media/media-engine.js';
import { Audiences } from '../rooms/audiences.js';
import { RoomRegistry } from '../rooms/room-registry.js';
import type { Room } from '../rooms/room.js';
import { MEDIA_ENGINE } from '../sfu.tokens.js';
import { NodeState } from './node-state.js';

/** What the gateway and the transcoders have a node do. Each is done once, however often it is commanded. */
@Injectable()
export class RoomCommands {
  constructor(
    @Inject(MEDIA_ENGINE) private readonly engine: MediaEngine,
    private readonly rooms: RoomRegistry,
    private readonly audiences: Audiences,
    private readonly node: NodeState,
  ) {}

  async openSession({ meetingID, ...session }: OpenSessionRequest): Promise<void> {
    const known = this.rooms.roomOfSession(session.sessionID);
    if (known) return known.openSession(session);
    if (this.node.isDraining) throw new ServiceError('controller_unavailable', 'The media node is being drained.');
    if (session.tracks.length === 0)
      throw new ServiceError('invalid_request', 'A session needs at least one kind of track.');
    const room = await this.rooms.open(meetingID);
    room.openSession(session);
  }

  async closeSession(sessionID: string): Promise<void> {
    await this.rooms.roomOfSession(sessionID)?.closeSession(sessionID);
  }

  statistics(sessionID: string): Promise<SessionStatistics> {
    return this.roomOf(sessionID).session(sessionID).statistics();
  }

  openPlayback(request: OpenPlaybackRequest): PayloadProfile {
    this.roomOf(request.sessionID).openPlayback(request);
    return this.engine.payloadProfile;
  }

  async setViewerLimits(account: PlaybackAccount): Promise<void> {
    this.audiences.setLimits(account);
  }

  async closePlayback(playbackID: string): Promise<void> {
    await this.rooms.roomOfPlayback(playbackID)?.closePlayback(playbackID);
  }

  /** Of a node that is drained the room goes to another one: viewers who listen and members are to look for it there. */
  async closeRoom(meetingID: string): Promise<void> {
    const room = this.rooms.find(meetingID);
    if (this.node.isDraining && room) {
      room.tellViewers('reconnect');
      await room.members.dismiss();
    }
    await this.rooms.closeRoom(meetingID);
  }

  openFeed(feedID: string, sourceID: string, destinations: FeedDestination[]): Promise<FeedTrack[]> {
    return this.roomOfSource(sourceID).openFeed(feedID, sourceID, destinations);
  }

  async closeFeed(feedID: string, destinations?: FeedDestination[]): Promise<void> {
    await this.rooms.roomOfFeed(feedID)?.closeFeed(feedID, destinations);
  }

  async requestKeyframe(sourceID: string): Promise<void> {
    await this.roomOfSource(sourceID).requestKeyframe(sourceID);
  }

  private roomOfSource(sourceID: string): Room {
    const room = this.rooms.roomOfSource(sourceID);
    if (!room) throw new ServiceError('not_found', 'This media node has no such external session or member.');
    return room;
  }

  private roomOf(sessionID: string): Room {
    const room = this.rooms.roomOfSession(sessionID);
    if (!room) throw new ServiceError('not_found', 'This media node does not have the external session.');
    return room;
  }
}
