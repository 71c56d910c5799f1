import { Injectable } from '@nestjs/common';
import { ServiceError, type MediaKind } from '@rtms/contracts';
import type { EntityManager } from 'typeorm';
import { SessionSourcesService, requireKinds } from '../resources/session-sources.service.js';
import { ParticipantsService, type Participant } from '../../rooms/records/participants.service.js';
import { noController } from '../nodes/choose-node.js';
import { RoomHomesService } from '../nodes/room-homes.service.js';
import type { Broadcast } from '../resources/broadcast.entity.js';
import { broadcastTracks } from './member-source.js';

/** The source of a broadcast, and its node. */
export interface BroadcastSource {
  /** The ID of the source on the media node. */
  sourceID: string;
  kinds: MediaKind[];
  nodeID: string;
  /** The tracks of a member. Empty for an external session: the broadcast has all its tracks. */
  trackIDs: string[];
}

type SourceColumns = Pick<Broadcast, 'accountID' | 'meetingID' | 'sourceSessionID' | 'sourceParticipantID'>;

/** Finds external sessions and members as sources of broadcasts. */
@Injectable()
export class BroadcastSourcesService {
  constructor(
    private readonly sessions: SessionSourcesService,
    private readonly homes: RoomHomesService,
    private readonly participants: ParticipantsService,
  ) {}

  /** Throws unless the source sends video. The source cannot end before this transaction ends. */
  async require(manager: EntityManager, row: SourceColumns): Promise<BroadcastSource> {
    return row.sourceSessionID === null
      ? this.requireMember(manager, row)
      : this.requireSession(manager, { ...row, sessionID: row.sourceSessionID });
  }

  /** undefined: the source sends no media now, or no node holds it. */
  async find(manager: EntityManager, row: SourceColumns): Promise<BroadcastSource | undefined> {
    if (row.sourceSessionID === null) return this.findMember(manager, row);
    const source = await this.sessions.find(manager, row.sourceSessionID);
    return source?.isActive ? { ...source, sourceID: source.sessionID, trackIDs: [] } : undefined;
  }

  private async requireSession(
    manager: EntityManager,
    query: { accountID: string; meetingID: string; sessionID: string },
  ): Promise<BroadcastSource> {
    const { sessionID, kinds, nodeID } = await this.sessions.requireActive(manager, query);
    requireKinds(['video'], kinds);
    return { sourceID: sessionID, kinds, nodeID, trackIDs: [] };
  }

  private async requireMember(manager: EntityManager, row: SourceColumns): Promise<BroadcastSource> {
    const { accountID, meetingID, sourceParticipantID: id } = row;
    const of = { id: id ?? '', accountID, meetingID };
    const member = await this.participants.requireMember(manager, of, { locked: true });
    if (member.state === 'left') throw new ServiceError('source_not_active', 'The participant has left the room.');
    if (!member.isConnected) throw new ServiceError('source_not_active', 'The participant is not connected.');
    const trackIDs = broadcastTracks(member.tracks);
    if (trackIDs.length === 0) throw new ServiceError('source_has_no_video', 'The participant sends no video.');
    const home = await this.homes.find(meetingID, manager);
    if (!home) throw noController();
    return memberSource(member, home.nodeID, trackIDs);
  }

  private async findMember(manager: EntityManager, row: SourceColumns): Promise<BroadcastSource | undefined> {
    const member = await this.participants.findJoined(row.sourceParticipantID ?? '', manager);
    const trackIDs = broadcastTracks(member?.tracks ?? []);
    const home = await this.homes.find(row.meetingID, manager);
    return member && home && trackIDs.length > 0 ? memberSource(member, home.nodeID, trackIDs) : undefined;
  }
}

/** Audio always has a place in the broadcast, since members unmute at any time. */
function memberSource({ id }: Participant, nodeID: string, trackIDs: string[]): BroadcastSource {
  return { sourceID: id, kinds: ['video', 'audio'], nodeID, trackIDs };
}
