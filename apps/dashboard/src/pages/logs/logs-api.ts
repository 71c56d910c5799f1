import { request } from '../../api/request.js';
import type { ApiRecord, Listing, PageOf } from '../../api/resource.js';

export type RoomLog = ApiRecord<'RoomLog'>;
export type RecordingLog = ApiRecord<'RecordingLog'>;
export type MessageLog = ApiRecord<'MessageLog'>;
export type SipCallLog = ApiRecord<'SipCallLog'>;

export interface LogEntries {
  room: RoomLog;
  recording: RecordingLog;
  message: MessageLog;
  call: SipCallLog;
}

export type LogKind = keyof LogEntries;

export interface LogFilter {
  meetingID: string;
  /** The value of a `datetime-local` field: local time, without a zone. */
  from: string;
  to: string;
}

/** The API sends no total. One entry more than the page shows whether another page follows. */
export async function listLog<Kind extends LogKind>(
  kind: Kind,
  { meetingID, from, to }: LogFilter,
  { startIndex, pageSize }: PageOf,
  signal: AbortSignal,
): Promise<Listing<LogEntries[Kind]>> {
  const path = kind === 'call' ? '/v1/sipcall/logs' : '/v1/room/logs';
  const query = {
    ...(kind !== 'call' && { kind }),
    meetingID: meetingID.trim(),
    from: instantOf(from),
    to: instantOf(to),
    envelope: 1,
    startIndex,
    pageSize: pageSize + 1,
  };
  const { data } = await request<{ data: LogEntries[Kind][] }>('GET', path, { query, signal });
  const items = data.slice(0, pageSize);
  const hasMore = data.length > pageSize;
  return { items, startIndex, pageSize, total: startIndex + data.length, isTotalKnown: !hasMore };
}

function instantOf(localTime: string): string {
  const time = new Date(localTime);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}
