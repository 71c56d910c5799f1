import { Injectable } from '@nestjs/common';
import { ServiceError, type MediaKind } from '@rtms/contracts';
import type { EntityManager } from 'typeorm';
import { selectRows } from '../../platform/rows/plain-rows.js';
import { ParticipantsService, type Participant } from '../../rooms/records/participants.service.js';
import { noController } from '../nodes/choose-node.js';
import { RoomHomesService } from '../nodes/room-homes.service.js';
import type { Broadcast } from '../resources/broadcast.entity.js';
import { ExternalSession } from '../resources/external-session.entity.js';
import { RoomMediaPlace } from '../resources/media-resource.entity.js';
import { broadcastTracks } from './member-source.js';

/** A source and its media node. */
export interface LocatedSource {
  /** The ID of the external session or member. */
  sourceID: string;
  /** The kinds of its tracks that have not ended. */
  kinds: MediaKind[];
  nodeID: string;
}

interface SessionSource extends LocatedSource {
  nodeEpoch: number;
}

export interface BroadcastSource extends LocatedSource {
  /** The tracks of a member. Empty for an external session: the broadcast has all its tracks. */
  trackIDs: string[];
}

/** `away`: the source may come back. */
interface Whereabouts {
  standing: 'sending' | 'away' | 'gone';
  nodeID?: string;
}

/** The columns of a broadcast or recording that name its source. */
type SourceColumns = Pick<Broadcast, 'accountID' | 'meetingID' | 'sourceSessionID' | 'sourceParticipantID'>;

/** Finds external sessions and members as sources of playbacks, broadcasts and recordings. */
@Injectable()
export class SourcesService {
  constructor(
    private readonly homes: RoomHomesService,
    private readonly participants: ParticipantsService,
  ) {}

  /** The given sessions on their current nodes, by session ID. A session that no node holds is absent. */
  async findSessions(
    manager: EntityManager,
    sessionIDs: readonly string[],
  ): Promise<Map<string, SessionSource & { isActive: boolean }>> {
    const rows = await selectRows(manager.getRepository(ExternalSession), 'WHERE id = ANY($1)', [sessionIDs]);
    const placed = rows.flatMap(row => {
      const source = toSource(row);
      return source ? [[row.id, { ...source, isActive: row.state === 'active' }] as const] : [];
    });
    return new Map(placed);
  }

  /** Throws unless the session is active. The session cannot end before this transaction ends. */
  async requireSession(
    manager: EntityManager,
    { accountID, meetingID }: Pick<SourceColumns, 'accountID' | 'meetingID'>,
    sessionID: string,
  ): Promise<SessionSource> {
    const row = await manager.findOne(ExternalSession, {
      where: { id: sessionID, accountID, meetingID },
      lock: { mode: 'pessimistic_read' },
    });
    if (!row) throw new ServiceError('not_found', 'There is no such source session in this room.');
    const source = row.state === 'active' ? toSource(row) : undefined;
    if (!source) throw notActive(row);
    return source;
  }

  /** Throws unless the source of a broadcast sends video. The source cannot end before this transaction ends. */
  async requireForBroadcast(manager: EntityManager, row: SourceColumns): Promise<BroadcastSource> {
    const { accountID, meetingID, sourceSessionID, sourceParticipantID } = row;
    if (sourceSessionID !== null) {
      const source = await this.requireSession(manager, row, sourceSessionID);
      requireKinds(['video'], source.kinds);
      return { ...source, trackIDs: [] };
    }
    const of = { id: sourceParticipantID ?? '', accountID, meetingID };
    const member = await this.participants.requireMember(manager, of, { locked: true });
    if (member.state === 'left') throw new ServiceError('source_not_active', 'The participant has left the room.');
    if (!member.isConnected) throw new ServiceError('source_not_active', 'The participant is not connected.');
    const trackIDs = broadcastTracks(member.tracks);
    if (trackIDs.length === 0) throw new ServiceError('source_has_no_video', 'The participant sends no video.');
    const home = await this.homes.find(meetingID, manager);
    if (!home) throw noController();
    return broadcastMember(member, home.nodeID, trackIDs);
  }

  /** undefined: the source of the broadcast sends no media now, or no node holds it. A room is always a source, also an empty one. */
  async findForBroadcast(
    manager: EntityManager,
    row: SourceColumns & Pick<Broadcast, 'composition' | 'tracks'>,
  ): Promise<BroadcastSource | undefined> {
    if (row.composition) return { sourceID: row.meetingID, kinds: row.tracks, nodeID: '', trackIDs: [] };
    if (row.sourceSessionID === null) return this.findMember(manager, row);
    const source = (await this.findSessions(manager, [row.sourceSessionID])).get(row.sourceSessionID);
    return source?.isActive ? { ...source, trackIDs: [] } : undefined;
  }

  private async findMember(manager: EntityManager, row: SourceColumns): Promise<BroadcastSource | undefined> {
    const member = await this.participants.findJoined(row.sourceParticipantID ?? '', manager);
    const trackIDs = broadcastTracks(member?.tracks ?? []);
    const home = await this.homes.find(row.meetingID, manager);
    return member && home && trackIDs.length > 0 ? broadcastMember(member, home.nodeID, trackIDs) : undefined;
  }

  /** Throws unless the source of a recording sends media now. */
  async requireForRecording(manager: EntityManager, row: SourceColumns): Promise<LocatedSource> {
    const { accountID, meetingID, sourceSessionID, sourceParticipantID } = row;
    if (sourceSessionID !== null) return this.requireSession(manager, row, sourceSessionID);
    const of = { id: sourceParticipantID ?? '', accountID, meetingID };
    const member = await this.participants.requireMember(manager, of);
    const kinds = [...new Set(member.tracks.map(track => track.kind))];
    const place = await manager.findOneBy(RoomMediaPlace, { meetingID });
    if (member.state !== 'joined' || kinds.length === 0 || !place) {
      throw new ServiceError('source_not_active', 'The participant sends nothing right now.');
    }
    return { sourceID: member.id, kinds, nodeID: place.nodeID };
  }

  /** The state of a recording's source, and its SFU node. Takes no locks. */
  async locateForRecording(manager: EntityManager, row: SourceColumns): Promise<Whereabouts> {
    if (row.sourceSessionID !== null) {
      // The end of a session also ends its recordings, so a session is never `gone` here.
      const source = (await this.findSessions(manager, [row.sourceSessionID])).get(row.sourceSessionID);
      return source?.isActive ? { standing: 'sending', nodeID: source.nodeID } : { standing: 'away' };
    }
    try {
      return { standing: 'sending', nodeID: (await this.requireForRecording(manager, row)).nodeID };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      // A member who left never comes back with the same ID.
      const isGone = (await this.participants.findJoined(row.sourceParticipantID ?? '', manager)) === null;
      return { standing: isGone ? 'gone' : 'away' };
    }
  }
}

/** undefined: no node holds the session. */
function toSource({ id, tracks, nodeID, nodeEpoch }: ExternalSession): SessionSource | undefined {
  if (nodeID === null || nodeEpoch === null) return undefined;
  const kinds = tracks.filter(track => track.state !== 'ended').map(track => track.kind);
  return { sourceID: id, kinds, nodeID, nodeEpoch };
}

/** Audio always has a place in the broadcast, since members unmute at any time. */
function broadcastMember({ id }: Participant, nodeID: string, trackIDs: string[]): BroadcastSource {
  return { sourceID: id, kinds: ['video', 'audio'], nodeID, trackIDs };
}

function notActive({ state }: ExternalSession): ServiceError {
  if (state === 'pending') return new ServiceError('source_not_active', 'The source session is not active yet.');
  return new ServiceError('session_ended', 'The source session has ended. Choose a session that is active.');
}

/** Throws when the source does not send one of the wanted kinds. */
export function requireKinds(wanted: readonly MediaKind[], sent: readonly MediaKind[]): void {
  const missing = wanted.filter(kind => !sent.includes(kind));
  if (missing.includes('video')) throw new ServiceError('source_has_no_video', 'The source session sends no video.');
  if (missing.includes('audio')) throw new ServiceError('source_not_active', 'The source session sends no audio.');
}
