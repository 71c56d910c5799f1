/**
 * Express and pg, and the bus for the command of a new session: the reads and the row that the gateway needs for the measured requests, and
 * its answers. It enforces no limit of the account: it takes no lock, counts nothing, and needs no transaction. Below `/limited` it adds
 * rows as the API promises at least: within the limits of the account and the places of the room, each in a transaction of its own. Triggers
 * write the events of both. Its parent sends one message with the settings; it answers with its address.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type Request, type Response } from 'express';
import pg from 'pg';
import { NatsBus } from '@rtms/bus';
import { sfuCommands } from '@rtms/contracts';
import type { TestBusUser } from '@rtms/testing';
import type { RequestName } from './measured-requests.js';

export interface BareProgramTask {
  databaseUrl: string;
  /** The gateway finds a key by this hash, and computes it for each request. */
  keyHash: string;
  /** The gateway sends these besides the headers of Node and Express. */
  headers: Record<RequestName, Record<string, string>>;
  /** The gateway signs one for each room. */
  joinToken: string;
  socketUrl: string;
  /** The gateway's answer to a new session. */
  createdSession: { externalSession: Row & { ingest: Row } };
  busUser: TestBusUser;
}

type Row = Record<string, unknown>;

const keyStatement = `
SELECT k.hash, k.id AS "keyID", k.type AS "keyType", k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt",
  NULL AS operations, NULL AS domains, NULL AS "lastUsedAt", a.id AS "accountID", a.state AS "accountState",
  COALESCE(s.api_user_name, a.api_user_name) AS "apiUserName",
  s.id AS "subUserID", s.role AS "subUserRole", s.state AS "subUserState", s.permissions,
  ARRAY(SELECT d.domain FROM domains d WHERE d.account_id = a.id AND d.domain = ANY($2) AND d.enabled)
    AS "registeredDomains"
FROM api_keys k JOIN accounts a ON a.id = k.account_id LEFT JOIN sub_users s ON s.id = k.sub_user_id
WHERE k.hash = $1`;

const settingsColumns = `id, account_id AS "accountID", owner_id AS "ownerID", type, audio_setting AS "audioSetting",
  video_setting AS "videoSetting", screenshare_setting AS "screenshareSetting", chat_setting AS "chatSetting",
  target_resolution AS "targetResolution", add_co_host AS "addCoHost", enable_ai_notes AS "enableAiNotes",
  translation_config_nick_name AS "translationConfigNickName", created_at AS "createdAt", updated_at AS "updatedAt"`;
const settingsStatement = `
SELECT ${settingsColumns} FROM event_settings WHERE owner_id = $1 ORDER BY created_at DESC, id DESC`;
const settingsInForceStatement = `SELECT ${settingsColumns} FROM event_settings WHERE owner_id IN ($1, $2)`;

const unsettled = (recording: boolean): string => `
COALESCE((SELECT GREATEST(sum(u.running) * EXTRACT(EPOCH FROM $1::timestamptz) * 1000 - sum(u.running_from_ms), 0) + sum(u.ended_ms)
  FROM unsettled_usage u
  WHERE u.account_id = b.account_id AND u.key_type = b.key_type AND u.recording = ${recording}), 0)`;
const balanceStatement = `
SELECT b.key_type AS "keyType", (b.meeting_ms - ${unsettled(false)})::float8 AS "meetingMs",
  (b.recording_ms - ${unsettled(true)})::float8 AS "recordingMs"
FROM balances b WHERE b.account_id = $2`;

const insertRoomStatement = `
INSERT INTO rooms (id, account_id, room_name, event_type, state, key_type, host_name, duration, capacity, settings,
  metadata, secure_code_hash, record_on_start, created_at, expires_at, ended_at, end_reason)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`;

const sessionStatement = `
SELECT id, account_id AS "accountID", meeting_id AS "meetingID", node_id AS "nodeID", node_epoch AS "nodeEpoch",
  placed_at AS "placedAt", fact_sequence AS "factSequence", grace_until AS "graceUntil", created_at AS "createdAt",
  activated_at AS "activatedAt", ended_at AS "endedAt", end_reason AS "endReason", reason, participant_id AS "participantID",
  display_name AS "displayName", protocol, requested_tracks AS "requestedTracks", state, tracks, health,
  keyframe_interval_seconds AS "keyframeIntervalSeconds"
FROM external_sessions WHERE id = $1 AND account_id = $2 AND meeting_id = $3 LIMIT 1`;

const roomStatement = `SELECT * FROM rooms WHERE id = $1 AND account_id = $2 LIMIT 1`;
const featuresStatement = `SELECT feature, enabled FROM platform_features`;
const accountFeaturesStatement = `SELECT feature, enabled FROM account_features WHERE account_id = $1`;
const entitlementStatement = `SELECT 1 FROM account_entitlements WHERE account_id = $1 AND entitlement = 'whip' AND NOT granted`;
const placeStatement = `
SELECT node_id AS "nodeID", node_epoch AS "nodeEpoch" FROM external_sessions WHERE meeting_id = $1 ORDER BY placed_at DESC LIMIT 1`;

const insertSessionStatement = `
INSERT INTO external_sessions (id, account_id, meeting_id, node_id, node_epoch, placed_at, fact_sequence, created_at, participant_id,
  display_name, protocol, requested_tracks, state, tracks, health)
VALUES ($1, $2, $3, $4, $5, $6, 0, $6, $7, $8, $9, $10, 'pending', '[]', '[]')`;

const lockAccountStatement = `SELECT state FROM accounts WHERE id = $1 FOR NO KEY UPDATE`;
const limitsStatement = `SELECT name, value FROM account_limits WHERE account_id = $1`;
const countRoomsStatement = `SELECT count(*) FROM rooms WHERE account_id = $1 AND state = 'active'`;
const countSessionsStatement = `
SELECT count(*), count(*) FILTER (WHERE meeting_id = $2) AS "ofRoom"
FROM external_sessions WHERE account_id = $1 AND state NOT IN ('ended', 'failed')`;
const lockRoomStatement = `SELECT capacity, state, expires_at FROM rooms WHERE id = $1 FOR NO KEY UPDATE`;
const countMembersStatement = `SELECT count(*) FROM participants WHERE meeting_id = $1 AND state = 'joined' AND kind = 'member'`;

const [task] = (await once(process, 'message')) as [BareProgramTask];
const keyHash = Buffer.from(task.keyHash, 'hex');
const bus = await NatsBus.connect({ ...task.busUser, name: 'bare' });
const nodeID = 'sfu-1';
const nodeEpoch = 1;
const maxSource = { pixels: 8_294_400, pixelsPerSecond: 124_416_000 };
const publicUrl = String(task.createdSession.externalSession.ingest['url']).replace(/\/whip\/.*/, '');
const pool = new pg.Pool({ connectionString: task.databaseUrl, max: 20 });

async function query(statement: string, parameters: unknown[]): Promise<Row[]> {
  return (await pool.query<Row>(statement, parameters)).rows;
}

type Statement = readonly [text: string, parameters: unknown[]];

const isLimited = ({ path }: Request): boolean => path.startsWith('/limited');

/** `checks`: the locks and counts of the limits. */
async function insert(request: Request, checks: readonly Statement[], row: Statement): Promise<void> {
  if (!isLimited(request)) return void (await query(...row));
  const client = await pool.connect();
  try {
    for (const [text, parameters] of [['BEGIN', []], ...checks, row, ['COMMIT', []]] as Statement[]) {
      await client.query(text, parameters);
    }
  } finally {
    client.release();
  }
}

async function findKey(request: Request): Promise<Row> {
  const [key] = await query(keyStatement, [keyHash, []]);
  const name = /^Bearer ([^:]+):/.exec(request.headers.authorization ?? '')?.[1];
  if (!key || key['apiUserName'] !== name) throw new Error('The API username or the API key is wrong.');
  return key;
}

function optionsOf({
  id: _id,
  accountID: _account,
  ownerID: _owner,
  createdAt: _from,
  updatedAt: _to,
  ...options
}: Row) {
  return options;
}

async function readSettings(request: Request, response: Response): Promise<void> {
  const { accountID } = await findKey(request);
  const rows = await query(settingsStatement, [accountID]);
  const eventsSettings = rows.map(row => ({
    eventsSettingID: row['id'],
    ...optionsOf(row),
    createdAt: row['createdAt'],
    updatedAt: row['updatedAt'],
  }));
  response.set(task.headers.readSettings);
  response.json({ success: true, eventsSettings, total: rows.length, startIndex: 0, pageSize: 20 });
}

async function createRoom(request: Request, response: Response): Promise<void> {
  const { accountID, keyType } = await findKey(request);
  const { userName, duration, capacity } = request.body as { userName: string; duration: number; capacity: number };
  await query(balanceStatement, [new Date(), accountID]);
  const records = await query(settingsInForceStatement, [accountID, accountID]);
  const settings = optionsOf(records.find(record => record['type'] === 'conference') ?? {});
  const createdAt = new Date();
  const room = {
    meetingID: `room_${randomBytes(11).toString('hex')}`,
    roomName: null,
    eventType: settings['type'],
    duration,
    capacity,
    metadata: {},
    state: 'active',
    keyType,
    hostName: userName,
    settings,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + duration * 60_000),
    endedAt: null,
    endReason: null,
    participantCount: 0,
    reservedCount: 1,
    externalSessionCount: 0,
  };
  const checks: Statement[] = [lockAccountStatement, limitsStatement, countRoomsStatement].map(each => [
    each,
    [accountID],
  ]);
  const columns = [
    ...[room.meetingID, accountID, null, room.eventType, room.state, keyType, userName, duration, capacity],
    ...[JSON.stringify(settings), '{}', null, false, createdAt, room.expiresAt, null, null],
  ];
  await insert(request, checks, [insertRoomStatement, columns]);
  const join = { url: task.socketUrl, token: task.joinToken, expiresAt: new Date(createdAt.getTime() + 300_000) };
  response.status(201).set(task.headers.createRoom);
  response.json({ success: true, room, join });
}

async function readSession(request: Request, response: Response): Promise<void> {
  const { accountID } = await findKey(request);
  const { sessionID, meetingID } = request.params;
  const [row] = await query(sessionStatement, [sessionID, accountID, meetingID]);
  if (!row) throw new Error('There is no such session.');
  const externalSession = {
    sessionID: row['id'],
    meetingID: row['meetingID'],
    participantID: row['participantID'],
    displayName: row['displayName'],
    state: row['state'],
    ingest: { protocol: row['protocol'], tracks: row['requestedTracks'], url: null },
    tracks: row['tracks'],
    health: row['health'],
    keyframeIntervalSeconds: row['keyframeIntervalSeconds'],
    thumbnailUrl: null,
    createdAt: row['createdAt'],
    activatedAt: row['activatedAt'],
    endedAt: row['endedAt'],
    endReason: row['endReason'],
    reason: row['reason'],
  };
  response.set(task.headers.readSession);
  response.json({ success: true, externalSession });
}

async function createSession(request: Request, response: Response): Promise<void> {
  const { accountID } = await findKey(request);
  const { meetingID } = request.params;
  const { displayName, ingest } = request.body as {
    displayName: string;
    ingest: { protocol: string; tracks: ('video' | 'audio')[] };
  };
  await query(featuresStatement, []);
  await query(accountFeaturesStatement, [accountID]);
  await query(entitlementStatement, [accountID]);
  await query(roomStatement, [meetingID, accountID]);
  await query(balanceStatement, [new Date(), accountID]);
  const [place = { nodeID, nodeEpoch }] = await query(placeStatement, [meetingID]);
  const [sessionID, participantID] = ['ext', 'part'].map(prefix => `${prefix}_${randomBytes(11).toString('hex')}`);
  const createdAt = new Date();
  const checks: Statement[] = [
    ...[lockAccountStatement, limitsStatement].map((each): Statement => [each, [accountID]]),
    [countSessionsStatement, [accountID, meetingID]],
    ...[lockRoomStatement, countMembersStatement].map((each): Statement => [each, [meetingID]]),
  ];
  const columns = [
    ...[sessionID, accountID, meetingID, place['nodeID'], place['nodeEpoch'], createdAt, participantID, displayName],
    ...[ingest.protocol, JSON.stringify(ingest.tracks)],
  ];
  await insert(request, checks, [insertSessionStatement, columns]);
  const command = { meetingID: meetingID as string, sessionID: sessionID!, tracks: ingest.tracks, maxSource };
  await bus.request(sfuCommands.openSession.forNode(nodeID), command, { deadlineMs: 5_000 });
  const { externalSession: session } = task.createdSession;
  const url = `${publicUrl}/whip/${sessionID}`;
  const externalSession = {
    ...session,
    sessionID,
    meetingID,
    participantID,
    ingest: { ...session.ingest, url },
    createdAt,
  };
  response.status(201).set(task.headers.createSession);
  response.json({ success: true, externalSession });
}

const app = express();
app.disable('x-powered-by');
app.use(express.json());
app.get('/v1/eventssettings', readSettings);
app.post(['/v1/rooms', '/limited/v1/rooms'], createRoom);
app.post(
  ['', '/limited'].map(prefix => `${prefix}/v1/meetings/:meetingID/external-sessions`),
  createSession,
);
app.get('/v1/meetings/:meetingID/external-sessions/:sessionID', readSession);
const server = app.listen(0, '127.0.0.1');
// As the gateway, which names it in its answers.
server.keepAliveTimeout = 125_000;
await once(server, 'listening');
process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
process.on('disconnect', () => process.exit(0));
