import { Injectable } from '@nestjs/common';
import type { EndReason } from '@rtms/contracts';
import { DataSource, LessThanOrEqual, type EntityManager } from 'typeorm';
import { Participant } from '../records/participant.entity.js';

/** A socket and the participant that uses it. */
export interface SocketConnection {
  connectionID: string;
  participantID: string;
  meetingID: string;
}

/** A connection of a gateway process that sends no heartbeats. */
interface OrphanedConnection extends SocketConnection {
  /** The last heartbeat of the process; null when its row is gone. */
  heardAt: Date | null;
}

/** A connection of this replica that the database does not have. */
export interface StrayConnection extends SocketConnection {
  /** The connection that the database has for the participant. */
  currentID: string | null;
  leaveReason: EndReason | null;
}

const rowsAtMost = 500;

const orphanedStatement = `
SELECT p.id AS "participantID", p.meeting_id AS "meetingID", p.connection_id AS "connectionID", r.seen_at AS "heardAt"
FROM participants p LEFT JOIN gateway_replicas r ON r.id = p.replica_id
WHERE p.connection_id IS NOT NULL AND p.state = 'joined'
  AND (r.id IS NULL OR r.id = ANY($1)) LIMIT ${rowsAtMost}`;

/** Leaves out participants that left within the last two seconds: the event that closes their connection is on its way. */
const strayStatement = `
SELECT mine.connection_id AS "connectionID", p.connection_id AS "currentID", p.meeting_id AS "meetingID",
  p.id AS "participantID", p.leave_reason AS "leaveReason"
FROM unnest($1::text[], $2::text[]) AS mine (connection_id, participant_id)
JOIN participants p ON p.id = mine.participant_id WHERE p.connection_id IS DISTINCT FROM mine.connection_id
  AND (p.left_at IS NULL OR p.left_at < $3::timestamptz - interval '2 seconds')`;

const endedSessionsStatement = `
SELECT id AS "sessionID", end_reason AS "endReason" FROM external_sessions
WHERE id = ANY($1) AND state IN ('ended', 'failed')`;

const mediaNodeStatement = 'SELECT node_id AS "nodeID" FROM room_media WHERE meeting_id = $1';

/** Compares connections with the database, and reads the two tables of the media domain that presence depends on. */
@Injectable()
export class PresenceRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Connections of the given gateway processes, and of processes without a row. */
  listOrphaned(silentReplicaIDs: readonly string[]): Promise<OrphanedConnection[]> {
    return this.dataSource.query(orphanedStatement, [silentReplicaIDs]);
  }

  /** Participants whose grace time is over. */
  listLapsed(now: Date): Promise<Pick<Participant, 'id' | 'meetingID'>[]> {
    return this.dataSource.manager.find(Participant, {
      select: { id: true, meetingID: true },
      where: { state: 'joined', graceUntil: LessThanOrEqual(now) },
      take: rowsAtMost,
    });
  }

  /** The given connections that the database does not have as their participant's connection. */
  listStray(
    mine: readonly Pick<SocketConnection, 'connectionID' | 'participantID'>[],
    now: Date,
  ): Promise<StrayConnection[]> {
    const ids = [mine.map(each => each.connectionID), mine.map(each => each.participantID)];
    return this.dataSource.query(strayStatement, [...ids, now]);
  }

  /** The given external sessions that have ended. */
  listEndedSessions(
    sessionIDs: readonly (string | undefined)[],
  ): Promise<{ sessionID: string; endReason: EndReason | null }[]> {
    return this.dataSource.query(endedSessionsStatement, [sessionIDs]);
  }

  /** The media node of the room; null before anybody opened media there. */
  async mediaNodeOf(manager: EntityManager, meetingID: string): Promise<string | null> {
    const [place] = await manager.query<{ nodeID: string }[]>(mediaNodeStatement, [meetingID]);
    return place?.nodeID ?? null;
  }
}
