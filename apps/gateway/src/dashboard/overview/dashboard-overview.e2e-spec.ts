import { DataSource } from 'typeorm';
import { environmentHeader, type LiveAnswer, type OverviewAnswer } from '@rtms/contracts';
import { EntitlementsService } from '../../accounts/entitlements/entitlements.service.js';
import { FeaturesService } from '../../accounts/features/features.service.js';
import { DashboardClient } from '../../testing/dashboard-client.js';
import { MediaTestBed } from '../../testing/media-test-bed.js';

type Overview = OverviewAnswer['overview'];
type Live = LiveAnswer['live'];

const hour = 3_600_000;

describe('the dashboard’s overview', () => {
  let bed: MediaTestBed;
  let page: DashboardClient;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
  });
  beforeEach(async () => {
    bed.account = await bed.gateway.makeAccount();
    bed.meetingID = await bed.createRoom();
    page = await DashboardClient.signedIn(bed.gateway, bed.account.accountID);
  });
  afterAll(() => bed?.close());

  const read = async (query = ''): Promise<Overview> =>
    (await page.get(`/dashboard/api/overview${query}`).expect(200)).body.overview as Overview;
  const range = (from: number, to: number, bucket: string) =>
    `?from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}&bucket=${bucket}`;
  const sum = (points: Overview['points'], what: 'participantMinutes' | 'roomsCreated' | 'externalSessionsCreated') =>
    points.reduce((total, point) => total + point[what], 0);
  /** Inserts a room that is two hours old, with usage. */
  const insertRan = async (kind: string, from: Date, to: Date) => {
    const database = bed.gateway.app.get(DataSource);
    await database.query('UPDATE rooms SET created_at = $2 WHERE id = $1', [bed.meetingID, from]);
    await database.query(
      `INSERT INTO usage_intervals (account_id, key_type, meeting_id, resource_id, kind, started_at, ended_at, metered_until,
         settled) VALUES ($1, 'sandbox', $2, $3, $4, $5, $6, $6, true)`,
      [bed.account.accountID, bed.meetingID, `r-${kind}`, kind, from, to],
    );
  };

  const join = () => bed.request('post', '/v1/rooms', { action: 'join', meetingID: bed.meetingID, userName: 'Eve' });

  it('counts the running resources of the own account', async () => {
    await join();
    const sessionID = await bed.openActiveSession();
    await bed.openPlayback(sessionID);
    await bed.openBroadcast(sessionID);
    const { now } = await read();
    expect(now).toMatchObject({ roomsActive: 1, participants: 1, externalSessionsActive: 1, viewers: 0 });
    expect(now.minutesLeft.production.meetingMinutes).toBe(100_000);
    page = await DashboardClient.signedIn(bed.gateway, (await bed.gateway.makeAccount()).accountID);
    expect((await read()).now).toMatchObject({ roomsActive: 0, participants: 0, externalSessionsActive: 0 });
  });

  const readLive = async () => (await page.get('/dashboard/api/overview/live').expect(200)).body.live as Live;

  it('lists the sessions that send media, only to their account', async () => {
    const sessionID = await bed.openActiveSession();
    await bed.openSession();
    await bed.openPlayback(sessionID);
    const broadcastID = await bed.openBroadcast(sessionID);
    await bed.transcoder.activate(broadcastID);
    await bed.settled();
    const { sessions, total } = await readLive();
    expect(total).toBe(1);
    expect(sessions).toEqual([
      {
        ...{ sessionID, meetingID: bed.meetingID, displayName: expect.any(String), roomName: null },
        ...{ health: [], viewers: 0, broadcasts: 1, recordings: 0, activatedAt: expect.any(String) },
        thumbnail: expect.stringContaining(`/external-sessions/${sessionID}/thumbnail.jpg?token=`),
      },
    ]);
    const { body } = await bed.gateway.http.get(sessions[0]?.thumbnail ?? '').expect(200);
    expect(String(body)).toBe(`picture of ${sessionID}`);
    page = await DashboardClient.signedIn(bed.gateway, (await bed.gateway.makeAccount()).accountID);
    expect((await readLive()).sessions).toEqual([]);
  });

  it('says which first steps an account has taken', async () => {
    const none = { room: false, publish: false, watch: false, broadcast: false };
    const fresh = await DashboardClient.signedIn(bed.gateway, (await bed.gateway.makeAccount()).accountID);
    const { live } = (await fresh.get('/dashboard/api/overview/live').expect(200)).body as { live: Live };
    expect(live.steps).toEqual({ key: true, ...none });
    expect((await readLive()).steps).toMatchObject({ ...none, room: true });
    const sessionID = await bed.openActiveSession();
    expect((await readLive()).steps).toMatchObject({ publish: true, watch: false });
    const broadcastID = await bed.openBroadcast(sessionID);
    expect((await readLive()).steps).toMatchObject({ watch: false, broadcast: false });
    await bed.transcoder.activate(broadcastID);
    await bed.settled();
    expect((await readLive()).steps).toEqual({ key: true, room: true, publish: true, watch: true, broadcast: true });
  });

  it('counts the selected environment, or both', async () => {
    const production = await bed.gateway.makeKey(bed.account, 'production');
    const body = { action: 'create', userName: 'Ada' };
    for (const _ of [1, 2]) {
      await bed.gateway.http.post('/v1/rooms').set('Authorization', production.authorization).send(body).expect(201);
    }
    await bed.advance(1);
    const countsOf = async (environment?: string) => {
      const headers: Record<string, string> = environment === undefined ? {} : { [environmentHeader]: environment };
      const { body: answer } = await page.get('/dashboard/api/overview', headers).expect(200);
      const { now, points } = answer.overview as Overview;
      return [now.roomsActive, sum(points, 'roomsCreated')];
    };
    expect(await countsOf('sandbox')).toEqual([1, 1]);
    expect(await countsOf('production')).toEqual([2, 2]);
    expect(await countsOf()).toEqual([3, 3]);
    await page.get('/dashboard/api/overview', { [environmentHeader]: 'all' }).expect(400);
  });

  it('returns the entitlements of the account', async () => {
    const granted = async () => (await page.get('/dashboard/api/entitlements').expect(200)).body.entitlements;
    expect(await granted()).toEqual({ whip: true, whep: true, hls: true, recording: true });
    const entitlements = bed.gateway.app.get(EntitlementsService, { strict: false });
    await entitlements.set(bed.account.accountID, 'recording', false);
    expect(await granted()).toMatchObject({ hls: true, recording: false });
  });

  it('tells by which protocols encoders may publish, and why not by the others', async () => {
    const protocols = async () =>
      (await page.get('/dashboard/api/ingest-protocols').expect(200)).body.ingestProtocols as object;
    const off = 'disabled_on_platform';
    expect(await protocols()).toEqual({ whip: null, srt: off, rtmp: off, rtmps: off });
    const { accountID } = bed.account;
    const features = bed.gateway.app.get(FeaturesService, { strict: false });
    for (const feature of ['srt', 'rtmp'] as const) await features.setForPlatform(feature, true);
    await features.setForAccount(accountID, 'rtmp', false);
    const entitlements = bed.gateway.app.get(EntitlementsService, { strict: false });
    await entitlements.set(accountID, 'whip', false);
    expect(await protocols()).toEqual({ whip: 'not_entitled', srt: null, rtmp: 'disabled_for_account', rtmps: off });
  });

  it('returns the last day by hour with the created resources', async () => {
    await bed.openActiveSession();
    await bed.advance(1);
    const { points, bucket, from, to } = await read();
    expect(bucket).toBe('hour');
    expect(Date.parse(to) - Date.parse(from)).toBe(24 * hour);
    expect(points).toHaveLength(25);
    expect(points[0]?.start.slice(13)).toBe(':00:00.000Z');
    expect([sum(points, 'roomsCreated'), sum(points, 'externalSessionsCreated')]).toEqual([1, 1]);
  });

  it('cuts minutes to buckets and to the range', async () => {
    const day = Date.UTC(2026, 2, 3);
    await insertRan('participant', new Date(day + 10.5 * hour), new Date(day + 12.25 * hour));
    await insertRan('recording', new Date(day + 10.5 * hour), new Date(day + 10.75 * hour));
    const { points } = await read(range(day + 10 * hour, day + 12 * hour, 'hour'));
    expect(points.map(point => point.participantMinutes)).toEqual([30, 60]);
    expect(points.map(point => point.recordingMinutes)).toEqual([15, 0]);
    const byDay = await read(range(day - 24 * hour, day + 24 * hour, 'day'));
    expect(byDay.points.map(point => point.participantMinutes)).toEqual([0, 105]);
    const within = await read(range(day + 10.55 * hour, day + 10.6 * hour, 'minute'));
    expect(within.points.map(point => point.participantMinutes)).toEqual([1, 1, 1]);
    const after = await read(range(day + 12.25 * hour, day + 13 * hour, 'minute'));
    expect(sum(after.points, 'participantMinutes')).toBe(0);
  });

  it('includes the minutes of running resources', async () => {
    await bed.openActiveSession();
    await bed.advance(6_000);
    // The end of an hour may cut the time into two buckets, each rounded to a hundredth of a minute.
    expect(sum((await read()).points, 'participantMinutes')).toBeCloseTo(0.1, 1);
  });

  it.each([
    ['from=yesterday'],
    ['bucket=week'],
    ['from=2026-03-03T00:00:00Z&to=2026-03-02T00:00:00Z'],
    ['from=2026-01-01T00:00:00Z&to=2026-03-02T00:00:00Z&bucket=minute'],
  ])('refuses %s', async query => {
    await page.get(`/dashboard/api/overview?${query}`).expect(400);
  });

  it('refuses users who are not owners', async () => {
    const administrator = await DashboardClient.signedIn(bed.gateway, null);
    for (const path of ['overview', 'keys', 'events', 'rooms/room_1/live']) {
      const { body } = await administrator.get(`/dashboard/api/${path}`).expect(403);
      expect(body.reason).toBe('not_permitted');
    }
  });

  it('returns the members and viewers of a room, only to its account', async () => {
    const sessionID = await bed.openActiveSession();
    const playbackID = await bed.openPlayback(sessionID);
    await join();
    const path = `/dashboard/api/rooms/${bed.meetingID}/live`;
    const { live } = (await page.get(path).expect(200)).body;
    expect(live.members).toEqual([expect.objectContaining({ userName: 'Eve', role: 'participant', state: 'joined' })]);
    expect(live.viewers).toEqual([{ playbackID, sourceSessionID: sessionID, viewerCount: 0 }]);
    const stranger = await DashboardClient.signedIn(bed.gateway, (await bed.gateway.makeAccount()).accountID);
    await stranger.get(path).expect(404);
  });

  it('creates and rotates main keys, and shows each key once', async () => {
    const [sandbox] = (await page.get('/dashboard/api/keys').expect(200)).body.keys;
    expect(sandbox).toMatchObject({ type: 'sandbox', state: 'active' });
    const made = (await page.send('post', '/dashboard/api/keys', { type: 'production' }).expect(201)).body.key;
    await bed.gateway.http
      .get('/v1/rooms')
      .set('Authorization', `Bearer ${made.apiUserName}:${made.apiKey}`)
      .expect(200);
    await page.send('post', '/dashboard/api/keys', { type: 'production' }).expect(409);
    const rotate = { type: 'production', overlapHours: 2 };
    const rotated = (await page.send('post', '/dashboard/api/keys/rotate', rotate).expect(201)).body.key;
    const { body, text } = await page.get('/dashboard/api/keys').expect(200);
    expect(body.keys).toHaveLength(3);
    expect(body.keys.map((key: { state: string }) => key.state).sort()).toEqual(['active', 'active', 'overlapping']);
    for (const { apiKey } of [made, rotated]) expect(text).not.toContain(apiKey);
  });
});
