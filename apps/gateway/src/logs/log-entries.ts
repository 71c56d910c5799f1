export const roomLogKinds = ['room', 'recording', 'message'] as const;
export type RoomLogKind = (typeof roomLogKinds)[number];

export interface LogFilter {
  meetingID?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** Where log entries are; all of these tables are indexed by account, with or without the room, newest first. */
interface LogTable {
  kind: string;
  table: string;
  roomColumn: string;
}

export const roomLogTables: Readonly<Record<RoomLogKind, LogTable>> = {
  room: { kind: 'room', table: 'rooms', roomColumn: 'id' },
  recording: { kind: 'recording', table: 'recordings', roomColumn: 'meeting_id' },
  message: { kind: 'message', table: 'room_messages', roomColumn: 'meeting_id' },
};

/** Which entries a page has, newest first; the parameters begin with account, OFFSET and LIMIT. */
export function selectEntries(
  tables: readonly LogTable[],
  { meetingID, from, to }: LogFilter,
): { statement: string; parameters: (string | Date)[] } {
  const given: { condition: (table: LogTable) => string; value: string | Date }[] = [];
  const add = (value: string | Date | undefined, condition: (table: LogTable, position: string) => string) => {
    if (value === undefined) return;
    const position = `$${given.length + 4}`;
    given.push({ condition: table => condition(table, position), value });
  };
  add(meetingID, ({ roomColumn }, position) => `${roomColumn} = ${position}`);
  add(from && new Date(from), (_, position) => `created_at >= ${position}`);
  add(to && new Date(to), (_, position) => `created_at < ${position}`);
  const selects = tables.map(table => {
    const conditions = ['account_id = $1', ...given.map(({ condition }) => condition(table))].join(' AND ');
    return `SELECT '${table.kind}' AS kind, id, created_at FROM ${table.table} WHERE ${conditions}`;
  });
  const statement = `SELECT kind, id FROM (${selects.join(' UNION ALL ')}) AS entries
ORDER BY created_at DESC, id DESC OFFSET $2 LIMIT $3`;
  return { statement, parameters: given.map(({ value }) => value) };
}

/** `room_…` → `log_…`: an entry is always named alike. */
export function logIDOf(id: string): string {
  return `log_${id.slice(id.indexOf('_') + 1)}`;
}
