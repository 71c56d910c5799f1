/** @seconds 9 */
import { dashboardEventKinds, type ExternalSessionFact, type FactType } from '@rtms/contracts';
import pg from 'pg';
import { MediaTestBed } from '../../testing/media-test-bed.js';
import { OwnedRecords, titleOf } from '../../testing/owned-records.js';
import { videoTrack } from '../../testing/fake-sfu.js';
import { testAdminToken } from '../../testing/start-test-gateway.js';
import { presentEvent } from '../../events/log/event-log.dto.js';
import { EventLogRepository } from '../../events/log/event-log.repository.js';
import { accountEventSchema, accountEventTypes } from '../../events/log/event-types.js';
import { keyTypes } from '../auth/caller.js';
import { DomainEvents } from '../runtime/domain-events.js';
import { announcedTables } from './announced-tables.js';

/** `xmin` is the number of the transaction that wrote this version of a row. */
const versionsStatement = [...announcedTables]
  .filter(([, { account }]) => account !== undefined)
  .map(
    ([table, { kind, id }]) =>
      `SELECT '${kind} ' || account_id || ' ' || ${id} AS row, xmin::text AS version FROM ${table}`,
  )
  .join(' UNION ALL ');

/** Columns that no event tells: places, clocks and bookkeeping of the service, and secrets. */
const untold = [
  ...[
    'node_id',
    'node_epoch',
    'placed_at',
    'fact_sequence',
    'grace_until',
    'connection_id',
    'replica_id',
    'last_used_at',
  ],
  ...['events', 'keyframe_interval_seconds', 'payload_profile', 'source_tracks', 'pause_count', 'storage', 'reason'],
  ...['meeting_ms', 'recording_ms', 'max_duration_seconds', 'duration_seconds'],
];
/** The session of such a participant tells its media. */
const ofItsSession = `CASE WHEN kind = 'externalSession' THEN ARRAY['tracks', 'health'] ELSE ARRAY['health'] END`;

/** The state of each row that an event tells. A participant is seen from its first connection on. */
const statesStatement = [...announcedTables]
  .filter(([, { account }]) => account !== undefined)
  .map(([table, { kind, id }]) => {
    const more = table === 'participants' ? ` - ${ofItsSession}` : '';
    const seen = table === 'participants' ? ' WHERE connected_at IS NOT NULL' : '';
    return `SELECT '${kind} ' || account_id || ' ' || ${id} AS row, (to_jsonb(t) - $1::text[]${more})::text AS version
      FROM ${table} t${seen}`;
  })
  .join(' UNION ALL ');

/** The families of event types. */
const families = [...new Set(accountEventTypes.map(type => type.split('.')[0]!))];

/** Two rests of the sequencer: the first ends a running round, the second the round for the last change. */
const sequencerMs = 20;

describe('every write', () => {
  let bed: MediaTestBed;
  let records: OwnedRecords;
  let database: pg.Client;
  const heard = new Set<string>();
  const kinds = new Set<string>();
  const types = new Set<string>();
  let readUntil = 0;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
    records = new OwnedRecords(bed);
    database = new pg.Client({ connectionString: bed.gateway.ownerUrl });
    await database.connect();
    bed.gateway.app.get(DomainEvents, { strict: false }).on('resources.changed', changes => {
      for (const { kind, accountID, id } of changes) heard.add(`${kind} ${accountID} ${id}`);
    });
  });
  afterAll(async () => {
    await database?.end();
    await bed?.close();
  });

  async function read(statement: string, parameters: unknown[] = []): Promise<Map<string, string>> {
    const { rows } = await database.query<{ row: string; version: string }>(statement, parameters);
    return new Map(rows.map(({ row, version }) => [row, version]));
  }

  async function versions(): Promise<{ rows: Map<string, string>; states: Map<string, string> }> {
    await bed.gateway.settled();
    return { rows: await read(versionsStatement), states: await read(statesStatement, [untold]) };
  }

  const differences = (before: Map<string, string>, after: Map<string, string>) =>
    [...new Set([...before.keys(), ...after.keys()])].filter(row => before.get(row) !== after.get(row));

  /** Returns the resources of new events of the bed's account. Throws if an event differs from the schema of its type. */
  async function newEvents(): Promise<Set<string>> {
    for (let rest = 0; rest < 2; rest += 1) await bed.advance(sequencerMs);
    const { accountID } = bed.account;
    const filter = { accountID, environments: keyTypes, types: null, meetingID: null };
    const page = await bed.gateway.app.get(EventLogRepository, { strict: false }).read(filter, readUntil, 1_000);
    readUntil = page.until;
    const resources = page.events.flatMap(event => {
      accountEventSchema.parse(presentEvent(event));
      types.add(event.type);
      const { sessionID, participantID } = event.data as { sessionID?: string | null; participantID?: string };
      if (event.resource.kind !== 'track') return [`${event.resource.kind} ${accountID} ${event.resource.id}`];
      return [sessionID ? `externalSession ${accountID} ${sessionID}` : `participant ${accountID} ${participantID}`];
    });
    return new Set(resources);
  }

  /** Returns the rows that the action created, changed or deleted without an announcement or without an event. */
  async function unannouncedBy(action: () => Promise<unknown>): Promise<string[]> {
    const before = await versions();
    heard.clear();
    await action();
    const after = await versions();
    const changed = differences(before.rows, after.rows);
    for (const row of changed) kinds.add(row.split(' ')[0]!);
    const events = await newEvents();
    const unknown = differences(before.states, after.states).filter(row => !events.has(row));
    return [...changed.filter(row => !heard.has(row)), ...unknown.map(row => `no event: ${row}`)];
  }

  it('of the API is announced', async () => {
    expect(await unannouncedBy(() => records.make())).toEqual([]);
    const missed: Record<string, string[]> = {};
    // The end of the room would make the other routes fail.
    const [ofRooms, others] = [true, false].map(is =>
      records.routes().filter(({ path }) => path.startsWith('/v1/rooms') === is),
    );
    for (const route of [...others!, ...ofRooms!]) {
      const call = records.callOf(route);
      const rows = call ? await unannouncedBy(() => records.ask(bed.account, call)) : [];
      if (rows.length > 0) missed[titleOf(route)] = rows;
    }
    expect(missed).toEqual({});
  });

  it('for a fact of a media node is announced', async () => {
    bed.meetingID = await bed.createRoom();
    const sessionID = await bed.openActiveSession();
    const playbackID = await bed.openPlayback(sessionID);
    const broadcastID = await bed.openBroadcast(sessionID);
    const restreamID = await bed.openRestream(sessionID);
    const { meetingID } = bed;
    const start = { action: 'start', meetingID, sourceSessionID: sessionID };
    const { body } = await bed.request('post', '/v1/recordings', start);
    const { recordingID } = body['recording'] as { recordingID: string };
    const until = bed.date().toISOString();
    const health: ExternalSessionFact = { type: 'external_session.health', health: ['silence'] };
    const steps: [FactType, () => Promise<unknown>][] = [
      ['external_session.health', () => bed.sfu.report(sessionID, health)],
      ['playback.active', () => bed.sfu.report(playbackID, { type: 'playback.active', viewerCount: 1 })],
      ['playback.idle', () => bed.sfu.report(playbackID, { type: 'playback.idle', reason: 'viewer_lost' })],
      ['broadcast.active', () => bed.transcoder.activate(broadcastID)],
      [
        'broadcast.interrupted',
        () => bed.transcoder.report(broadcastID, { type: 'broadcast.interrupted', reason: 'encoder_lost' }),
      ],
      ['restream.active', () => bed.transcoder.reachTarget(restreamID)],
      [
        'restream.retrying',
        () => bed.transcoder.report(restreamID, { type: 'restream.retrying', problem: 'target_closed', retries: 1 }),
      ],
      ['restream.ended', () => bed.transcoder.report(restreamID, { type: 'restream.ended', reason: 'requested' })],
      ['recording.active', () => bed.transcoder.record(recordingID)],
      [
        'recording.interrupted',
        () => bed.transcoder.report(recordingID, { type: 'recording.interrupted', reason: 'source_lost', until }),
      ],
      [
        'external_session.interrupted',
        () => bed.sfu.report(sessionID, { type: 'external_session.interrupted', reason: 'publisher_lost' }),
      ],
      [
        'external_session.active',
        () => bed.sfu.report(sessionID, { type: 'external_session.active', tracks: [videoTrack] }),
      ],
      [
        'recording.stopped',
        () => bed.transcoder.report(recordingID, { type: 'recording.stopped', reason: 'requested', until }),
      ],
      ['recording.ready', () => bed.transcoder.finishRecording(recordingID)],
      ['playback.ended', () => bed.sfu.report(playbackID, { type: 'playback.ended', reason: 'requested' })],
      ['broadcast.ended', () => bed.transcoder.report(broadcastID, { type: 'broadcast.ended', reason: 'requested' })],
      [
        'external_session.ended',
        () => bed.sfu.report(sessionID, { type: 'external_session.ended', reason: 'publisher_left' }),
      ],
    ];
    const missed: Record<string, string[]> = {};
    const idle: string[] = [];
    for (const [name, step] of steps) {
      const rows = await unannouncedBy(step);
      if (heard.size === 0) idle.push(name);
      if (rows.length > 0) missed[name] = rows;
    }
    expect({ missed, idle }).toEqual({ missed: {}, idle: [] });
  });

  it('of the background and of administrators is announced', async () => {
    const admin = (method: 'post' | 'put', path: string, body: object) => {
      const request = bed.gateway.http[method](`/admin/v1/accounts/${bed.account.accountID}/${path}`);
      return request
        .set('Authorization', `Bearer ${testAdminToken}`)
        .send(body)
        .expect(({ ok, text }) => {
          if (!ok) throw new Error(text);
        });
    };
    await bed.openActiveSession();
    expect(await unannouncedBy(() => bed.advance(60_000))).toEqual([]);
    expect(await unannouncedBy(() => bed.lose(bed.sfu))).toEqual([]);
    expect(await unannouncedBy(() => bed.advance(60_000))).toEqual([]);
    const minutes = { type: 'sandbox', meetingMinutes: 7 };
    expect(await unannouncedBy(() => admin('put', 'balance', minutes))).toEqual([]);
    expect(await unannouncedBy(() => admin('post', 'keys/rotate', { type: 'sandbox' }))).toEqual([]);
    expect(await unannouncedBy(() => admin('post', 'disable', {}))).toEqual([]);
    expect([...kinds].sort()).toEqual([...dashboardEventKinds].sort());
    expect(families.filter(family => ![...types].some(type => type.startsWith(`${family}.`)))).toEqual([]);
  });
});
