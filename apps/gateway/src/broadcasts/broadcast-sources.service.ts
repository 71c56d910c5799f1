import { Injectable } from '@nestjs/common';
import { ServiceError, type MediaKind } from '@rtms/contracts';
import type { EntityManager } from 'typeorm';
import { SessionSources } from '../external-sessions/session-sources.service.js';
import { requireKinds } from '../media/require-kinds.js';
import { Participant } from '../participants/participant.entity.js';
import { noController } from '../nodes/require-node.js';
import { RoomHomes } from '../room-media/room-homes.service.js';
import type { Broadcast } from './broadcast.entity.js';
import { broadcastTracks } from './member-source.js';

/** What a broadcast is made of, where it is now. */
export interface BroadcastSource {
  /** By which the media node knows it. */
  sourceID: string;
  kinds: MediaKind[];
  nodeID: string;
  /** Of a member; of an external session all are taken. */
  trackIDs: string[];
}

type SourceColumns = Pick<Broadcast, 'accountID' | 'meetingID' | 'sourceSessionID' | 'sourceParticipantID'>;

/** External sessions and members as sources of broadcasts. */
@Injectable()
export class BroadcastSources {
  constructor(
    private readonly sessions: SessionSources,
    private readonly homes: RoomHomes,
  ) {}

  /** Throws unless it sends a picture now; it can't end before this transaction does. */
  async require(manager: EntityManager, row: SourceColumns): Promise<BroadcastSource> {
    return row.sourceSessionID === null
      ? this.requireMember(manager, row)
      : this.requireSession(manager, { ...row, sessionID: row.sourceSessionID });
  }

  /** undefined: it sends nothing now, or no node has it. */
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
    const where = { id: id ?? '', accountID, meetingID, kind: 'member' as const };
    const member = await manager.findOne(Participant, { where, lock: { mode: 'pessimistic_read' } });
    if (!member) throw new ServiceError('not_found', 'There is no such participant in this room.');
    if (member.state === 'left') throw new ServiceError('source_not_active', 'The participant has left the room.');
    if (!member.isConnected) throw new ServiceError('source_not_active', 'The participant is not connected.');
    const trackIDs = broadcastTracks(member.tracks);
    if (trackIDs.length === 0) throw new ServiceError('source_has_no_video', 'The participant sends no video.');
    const home = await this.homes.find(meetingID, manager);
    if (!home) throw noController();
    return memberSource(member, home.nodeID, trackIDs);
  }

  private async findMember(manager: EntityManager, row: SourceColumns): Promise<BroadcastSource | undefined> {
    const member = await manager.findOneBy(Participant, { id: row.sourceParticipantID ?? '', state: 'joined' });
    const trackIDs = broadcastTracks(member?.tracks ?? []);
    const home = await this.homes.find(row.meetingID, manager);
    return member && home && trackIDs.length > 0 ? memberSource(member, home.nodeID, trackIDs) : undefined;
  }
}

/** The sound has its place from the beginning, since members unmute at any time. */
function memberSource({ id }: Participant, nodeID: string, trackIDs: string[]): BroadcastSource {
  return { sourceID: id, kinds: ['video', 'audio'], nodeID, trackIDs };
}
