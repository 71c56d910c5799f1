import { Injectable } from '@nestjs/common';
import { DataSource, In, type EntityTarget, type FindOptionsWhere, type ObjectLiteral } from 'typeorm';
import { scopeConditions, type RoomScope } from '../../platform/auth/room-scope.js';
import type { ListSource } from '../../platform/rows/counted-lists.js';
import { listEntries, type ListEntry, type Listed, type Page } from '../../platform/rows/list-rows.js';
import type { RoomLogKind } from './logs.dto.js';

export interface LogFilter {
  meetingID?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** A table with log entries. Each of these tables has an index by account, with or without the room, newest first. */
interface LogTable {
  table: string;
  roomColumn: string;
}

export const roomLogTables = {
  room: { table: 'rooms', roomColumn: 'id' },
  recording: { table: 'recordings', roomColumn: 'meeting_id' },
  deletedRecording: { table: 'deleted_recordings', roomColumn: 'meeting_id' },
  message: { table: 'room_messages', roomColumn: 'meeting_id' },
} as const satisfies Record<string, LogTable>;

/** A deleted recording stays in the log, because it was charged. */
export const tablesOfKind: Readonly<Record<RoomLogKind, readonly LogTable[]>> = {
  room: [roomLogTables.room],
  recording: [roomLogTables.recording, roomLogTables.deletedRecording],
  message: [roomLogTables.message],
};
export const sipCallTable: LogTable = { table: 'sip_calls', roomColumn: 'meeting_id' };

/** Usage in a room, from the ledger. */
export interface RoomUsage {
  /** Members and external sessions; each counts once, even when it reconnected. */
  participantCount: number;
  externalSessionCount: number;
  meetingMs: number;
  recordingMs: number;
}

const noUsage: RoomUsage = { participantCount: 0, externalSessionCount: 0, meetingMs: 0, recordingMs: 0 };

const usageStatement = `
SELECT meeting_id AS "meetingID",
  (count(DISTINCT resource_id) FILTER (WHERE kind <> 'recording'))::int AS "participantCount",
  (count(DISTINCT resource_id) FILTER (WHERE kind = 'external_session'))::int AS "externalSessionCount",
  COALESCE(sum(ms) FILTER (WHERE kind <> 'recording'), 0)::float8 AS "meetingMs",
  COALESCE(sum(ms) FILTER (WHERE kind = 'recording'), 0)::float8 AS "recordingMs"
FROM usage_intervals,
  LATERAL (SELECT EXTRACT(EPOCH FROM COALESCE(ended_at, GREATEST($2, started_at)) - started_at) * 1000 AS ms) AS ran
WHERE meeting_id = ANY($1) GROUP BY meeting_id`;

/** Lists log entries and reads their rows. */
@Injectable()
export class LogsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The entries of the given tables together, newest first. */
  list(
    scope: RoomScope,
    { meetingID, from, to }: LogFilter,
    tables: readonly LogTable[],
    page: Page,
  ): Promise<Listed<ListEntry>> {
    const sources = tables.flatMap(({ table, roomColumn }): ListSource[] => {
      const ofRoom = meetingID !== undefined && { [roomColumn]: meetingID };
      return scopeConditions(scope).map(({ accountID, keyType }) => ({
        table,
        where: { account_id: accountID, key_type: keyType, ...ofRoom },
      }));
    });
    const period = {
      from: from === undefined ? undefined : new Date(from),
      to: to === undefined ? undefined : new Date(to),
    };
    return listEntries(this.dataSource.manager, sources, page, period);
  }

  findByIDs<Row extends ObjectLiteral & { id: string }>(
    entity: EntityTarget<Row>,
    ids: readonly string[],
  ): Promise<Row[]> {
    if (ids.length === 0) return Promise.resolve([]);
    return this.dataSource.manager.findBy(entity, { id: In([...ids]) } as unknown as FindOptionsWhere<Row>);
  }

  /** A function that returns the usage in each of the given rooms until `now`. */
  async readUsage(meetingIDs: readonly string[], now: Date): Promise<(meetingID: string) => RoomUsage> {
    if (meetingIDs.length === 0) return () => noUsage;
    const rows = await this.dataSource.query<(RoomUsage & { meetingID: string })[]>(usageStatement, [meetingIDs, now]);
    const byRoom = new Map(rows.map(row => [row.meetingID, row]));
    return meetingID => byRoom.get(meetingID) ?? noUsage;
  }
}
