import { scopeConditions, type RoomScope } from '../auth/room-scope.js';
import type { ListSource } from '../database/counted-lists.js';
import type { Period } from '../database/page-statement.js';

export const roomLogKinds = ['room', 'recording', 'message'] as const;
export type RoomLogKind = (typeof roomLogKinds)[number];

export interface LogFilter {
  meetingID?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** Where log entries are; all of these tables are indexed by account, with or without the room, newest first. */
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

/** A recording was made and charged, whether or not its file is kept. */
export const tablesOfKind: Readonly<Record<RoomLogKind, readonly LogTable[]>> = {
  room: [roomLogTables.room],
  recording: [roomLogTables.recording, roomLogTables.deletedRecording],
  message: [roomLogTables.message],
};
export const sipCallTable: LogTable = { table: 'sip_calls', roomColumn: 'meeting_id' };

/** The rows of a table that are entries of a log. */
export function logSources(scope: RoomScope, { meetingID }: LogFilter, { table, roomColumn }: LogTable): ListSource[] {
  const ofRoom = meetingID !== undefined && { [roomColumn]: meetingID };
  return scopeConditions(scope).map(({ accountID, keyType }) => ({
    table,
    where: { account_id: accountID, key_type: keyType, ...ofRoom },
  }));
}

export function periodOf({ from, to }: LogFilter): Period {
  return { from: from === undefined ? undefined : new Date(from), to: to === undefined ? undefined : new Date(to) };
}

/** `room_…` → `log_…`: an entry is always named alike. */
export function logIDOf(id: string): string {
  return `log_${id.slice(id.indexOf('_') + 1)}`;
}
