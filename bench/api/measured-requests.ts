import pg from 'pg';
import type { RunningGateway } from './gateway-process.js';

export interface MeasuredRequest {
  method: 'GET' | 'POST';
  path: string;
  /** Other paths of the same request. Each connection goes through all of them, from another one on. */
  otherPaths?: readonly string[];
  headers: Record<string, string>;
  body?: string;
}

const requestNames = ['readSettings', 'createRoom', 'readSession', 'createSession'] as const;
export type RequestName = (typeof requestNames)[number];
export type MeasuredRequests = Record<RequestName, MeasuredRequest>;

/** Sessions of one room wait for each other, so the new ones are spread over rooms. */
const roomsOfSessions = 100;
const placesInRoom = 10_000;

const sessionID = 'ext_0123456789ABCDEFGHIJKL';

/** An ended session sends no command to the nodes, and no task of the gateway changes it. */
const insertSession = `
INSERT INTO external_sessions (id, account_id, meeting_id, placed_at, fact_sequence, created_at, activated_at, ended_at,
  end_reason, participant_id, display_name, protocol, requested_tracks, state, tracks, keyframe_interval_seconds)
SELECT $1, account_id, id, now(), 7, now(), now(), now(), 'requested', 'part_0123456789ABCDEFGHIJKL', 'camera', 'whip',
  '["video","audio"]', 'ended', '[{"trackID":"trk_0123456789ABCDEFGHIJKL","kind":"video","codec":"H264","state":"ended"},
  {"trackID":"trk_0123456789ABCDEFGHIJKM","kind":"audio","codec":"opus","state":"ended"}]', 2
FROM rooms WHERE id = $2`;

/** @throws {Error} for another name, with those that are allowed */
export function requestNamed(text: string): RequestName {
  const found = requestNames.find(name => name === text);
  if (!found) throw new Error(`--request is ${text}; write one of ${requestNames.join(', ')}`);
  return found;
}

/** Creates the resources that the requests read, and returns the requests. */
export async function prepareRequests({ url, authorization, databaseUrl }: RunningGateway): Promise<MeasuredRequests> {
  const headers = { authorization, 'content-type': 'application/json' };
  const post = (path: string, body: object) => ({ method: 'POST' as const, path, headers, body: JSON.stringify(body) });
  const createRoom = post('/v1/rooms', { action: 'create', userName: 'host', duration: 60, capacity: 20 });
  for (const type of ['conference', 'webinar']) {
    await ask(url, post('/v1/eventssettings', { action: 'create', type }));
  }
  const openRoom = async (capacity: number) => {
    const answer = await ask(url, post('/v1/rooms', { action: 'create', userName: 'host', duration: 60, capacity }));
    return (JSON.parse(answer.body) as { room: { meetingID: string } }).room;
  };
  const room = await openRoom(20);
  const sessionPaths: string[] = [];
  for (let opened = 0; opened < roomsOfSessions; opened += 1) {
    sessionPaths.push(`/v1/meetings/${(await openRoom(placesInRoom)).meetingID}/external-sessions`);
  }
  const [sessionPath = '', ...otherPaths] = sessionPaths;
  const session = { displayName: 'camera', ingest: { protocol: 'whip', tracks: ['video', 'audio'] } };
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    await database.query(insertSession, [sessionID, room.meetingID]);
  } finally {
    await database.end();
  }
  return {
    readSettings: { method: 'GET', path: '/v1/eventssettings?action=get', headers: { authorization } },
    createRoom,
    createSession: { ...post(sessionPath, session), otherPaths },
    readSession: {
      method: 'GET',
      path: `/v1/meetings/${room.meetingID}/external-sessions/${sessionID}`,
      headers: { authorization },
    },
  };
}

/** The request to the bare program that also enforces the limits of the account and the places of the room. */
export function withLimits({ path, otherPaths = [], ...request }: MeasuredRequest): MeasuredRequest {
  const limited = (each: string) => `/limited${each}`;
  return { ...request, path: limited(path), otherPaths: otherPaths.map(limited) };
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export async function ask(url: string, { path, otherPaths: _, ...init }: MeasuredRequest): Promise<Answer> {
  const response = await fetch(`${url}${path}`, init);
  const body = await response.text();
  if (!response.ok) throw new Error(`${init.method} ${path}: ${response.status} ${body}`);
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}

/** Throws unless both answer alike, except for identifiers, times and signatures. */
export async function requireSameAnswers(urls: readonly [string, string], requests: MeasuredRequests): Promise<void> {
  for (const [name, request] of Object.entries(requests)) {
    const [one, other] = (await Promise.all(urls.map(url => ask(url, request)))).map(masked);
    if (one !== other) throw new Error(`${name} is answered differently:\n${one}\n${other}`);
  }
}

function masked({ status, headers, body }: Answer): string {
  const kept = Object.entries(headers).filter(([name]) => !['date', 'etag', 'x-request-id'].includes(name));
  const lines = kept.map(([name, value]) => `${name}: ${value}`).sort();
  return [status, ...lines, body]
    .join('\n')
    .replace(/(?<=(?:room|part|ext)_)[A-Za-z0-9]{22}/g, '…')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]{12}Z/g, '…')
    .replace(/(?<="token":")[\w.-]+/g, '…');
}
