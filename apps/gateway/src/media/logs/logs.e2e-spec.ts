import { DataSource } from 'typeorm';
import { MediaTestBed } from '../../testing/media-test-bed.js';

type Entry = Record<string, unknown>;

describe('the logs', () => {
  let bed: MediaTestBed;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
  });
  afterAll(() => bed?.close());
  beforeEach(async () => {
    bed.account = await bed.gateway.makeAccount();
    bed.meetingID = await bed.createRoom({ roomName: 'Stage' });
  });

  const query = (sql: string, parameters: unknown[]) => bed.gateway.app.get(DataSource).query(sql, parameters);
  const get = (path: string, headers: Record<string, string> = {}) =>
    bed.gateway.http.get(path).set({ Authorization: bed.account.authorization, ...headers });
  const entries = async (filter = ''): Promise<Entry[]> => (await get(`/v1/room/logs?${filter}`).expect(200)).body;
  /** Rows are seconds apart, so that their order is certain. */
  const insertOthers = async () => {
    const values = [bed.account.accountID, bed.meetingID];
    await query(`UPDATE rooms SET created_at = $3 WHERE account_id = $1 AND id = $2`, [...values, bed.date(-3_000)]);
    await query(
      `INSERT INTO recordings (id, account_id, meeting_id, state, created_at)
       VALUES ('rec_' || $2, $1, $2, 'failed', $3)`,
      [...values, bed.date(-2_000)],
    );
    await query(
      `INSERT INTO room_messages (id, account_id, meeting_id, sender_id, message, created_at)
       VALUES ('msg_' || $2, $1, $2, 'part_1', 'Hello', $3)`,
      [...values, bed.date(-1_000)],
    );
  };

  it('show the usage in a room', async () => {
    const sessionID = await bed.openActiveSession();
    await query('UPDATE usage_intervals SET started_at = $2 WHERE resource_id = $1', [sessionID, bed.date(-120_000)]);
    await bed.openSession();
    await bed.request('post', '/v1/rooms', { action: 'join', meetingID: bed.meetingID, userName: 'Nobody' });
    await bed.connectMember('Grace');
    await bed.endRoom();
    const [entry] = await entries('kind=room');
    expect(entry).toMatchObject({
      kind: 'room',
      meetingID: bed.meetingID,
      roomName: 'Stage',
      state: 'ended',
      endReason: 'requested',
      keyType: 'sandbox',
      participantCount: 2,
      externalSessionCount: 1,
      participantSeconds: 120,
      recordingSeconds: 0,
    });
    expect(entry?.['logID']).toMatch(/^log_/);
  });

  it('show a running room up to now', async () => {
    expect(await entries()).toMatchObject([{ kind: 'room', state: 'active', endedAt: null, participantCount: 0 }]);
  });

  it('contain rooms, recordings and messages, newest first', async () => {
    await insertOthers();
    expect((await entries()).map(entry => entry['kind'])).toEqual(['message', 'recording', 'room']);
    expect(await entries('kind=message')).toMatchObject([{ kind: 'message', senderID: 'part_1', message: 'Hello' }]);
    expect(await entries('kind=recording')).toMatchObject([{ kind: 'recording', state: 'failed' }]);
  });

  it('can be filtered by room and time, and have pages', async () => {
    await insertOthers();
    const other = await bed.createRoom();
    expect(await entries(`meetingID=${other}`)).toMatchObject([{ meetingID: other }]);
    expect(await entries(`meetingID=${bed.meetingID}`)).toHaveLength(3);
    expect((await entries('pageSize=2&startIndex=1')).map(entry => entry['kind'])).toEqual(['message', 'recording']);
    expect(await entries('from=2000-01-01T00:00:00Z&to=2100-01-01T00:00:00%2B02:00')).toHaveLength(4);
    expect(await entries('to=2000-01-01T00:00:00Z')).toEqual([]);
    expect(await entries('from=2100-01-01T00:00:00Z')).toEqual([]);
  });

  it('have equal pages and totals at any start index', async () => {
    const count = 60;
    await query(
      `INSERT INTO recordings (id, account_id, meeting_id, state, created_at)
       SELECT 'rec_' || $2 || n, $1, $2, 'failed', timestamptz '2026-01-01T00:00:00Z' + n * interval '2 minutes'
       FROM generate_series(1, $3::int) AS n WHERE n % 3 = 0`,
      [bed.account.accountID, bed.meetingID, count],
    );
    await query(
      `INSERT INTO room_messages (id, account_id, meeting_id, sender_id, message, created_at)
       SELECT 'msg_' || $2 || n, $1, $2, 'part_1', n::text, timestamptz '2026-01-01T00:00:00Z' + n * interval '2 minutes'
       FROM generate_series(1, $3::int) AS n WHERE n % 3 <> 0`,
      [bed.account.accountID, bed.meetingID, count],
    );
    const { accountID } = bed.account;
    await query(`UPDATE rooms SET created_at = '2026-01-01T00:00:00Z' WHERE account_id = $1`, [accountID]);
    const minute = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString();
    const namesOf = async (filter: string) => (await entries(`pageSize=5&${filter}`)).map(entry => entry['logID']);
    const all = (await entries('pageSize=100')).map(entry => entry['logID']);
    expect(new Set(all).size).toBe(count + 1);
    for (const filter of ['', `meetingID=${bed.meetingID}`]) {
      for (let start = 0; start <= count; start += 7) {
        expect(await namesOf(`${filter}&startIndex=${start}`)).toEqual(all.slice(start, start + 5));
        const newer = count - start;
        const period = `from=${minute(8)}&to=${minute(2 * start + 1)}`;
        expect(await namesOf(`${filter}&${period}&startIndex=2`)).toEqual(all.slice(newer + 2, count - 3).slice(0, 5));
      }
    }
  });

  it('tell whether more entries exist', async () => {
    await insertOthers();
    const first = await get('/v1/room/logs?pageSize=2&kind=').expect(400);
    expect(first.headers['x-total-count']).toBeUndefined();
    const path = `/v1/room/logs?meetingID=${bed.meetingID}`;
    const whole = await get(path).expect(200);
    expect(whole.headers).toMatchObject({ 'x-total-count': '3' });
    expect(whole.headers['link']).toBeUndefined();
    const part = await get(`${path}&pageSize=1&startIndex=1`).expect(200);
    expect(part.headers['x-total-count']).toBe('3');
    expect(part.headers['link']).toBe(
      `<${path}&startIndex=2&pageSize=1>; rel="next", <${path}&startIndex=0&pageSize=1>; rel="prev"`,
    );
    const enveloped = await get(`${path}&pageSize=1&envelope=1`).expect(200);
    expect(enveloped.body).toMatchObject({ total: 3, startIndex: 0, pageSize: 1 });
    const [next = ''] = /(?<=<)[^>]+(?=>; rel="next")/.exec(enveloped.headers['link'] ?? '') ?? [];
    expect((await get(next).expect(200)).body).toMatchObject({ success: true, startIndex: 1 });
  });

  it('count the entries of the requested period', async () => {
    await insertOthers();
    const totalOf = async (filter: string) =>
      (await get(`/v1/room/logs?${filter}`).expect(200)).headers['x-total-count'];
    const at = (ms: number) => bed.date(ms).toISOString();
    expect(await totalOf(`from=${at(-2_500)}`)).toBe('2');
    expect(await totalOf(`to=${at(-1_500)}`)).toBe('2');
    expect(await totalOf(`from=${at(-2_500)}&to=${at(-1_500)}`)).toBe('1');
    expect(await totalOf(`from=${at(-1_500)}&to=${at(-2_500)}`)).toBe('0');
  });

  it('keep the entry of a deleted recording', async () => {
    await insertOthers();
    const [before] = await entries('kind=recording');
    const recordingID = `rec_${bed.meetingID}`;
    await bed.request('post', '/v1/recordings', { action: 'delete', recordingID });
    expect(await entries('kind=recording')).toEqual([{ ...before, deletedAt: expect.any(String) }]);
    expect((await entries()).map(entry => entry['kind'])).toEqual(['message', 'recording', 'room']);
    expect((await bed.request('get', `/v1/recordings?recordingID=${recordingID}`)).status).toBe(404);
    await bed.request('post', '/v1/recordings', { action: 'delete', recordingID });
    expect(await entries('kind=recording')).toHaveLength(1);
  });

  it('contain only entries of the own account', async () => {
    const { meetingID } = bed;
    bed.account = await bed.gateway.makeAccount();
    expect(await entries()).toEqual([]);
    expect(await entries(`meetingID=${meetingID}`)).toEqual([]);
  });

  describe.each(['/v1/room/logs', '/v1/sipcall/logs'])('%s', path => {
    it('answer a plain array', async () => {
      expect((await get(path).expect(200)).body).toBeInstanceOf(Array);
    });

    it.each([
      ['by the query', '?envelope=1', {}],
      ['by the header', '', { 'X-Service-Response': 'envelope' }],
    ])('answer an envelope when asked %s', async (_, search, headers: Record<string, string>) => {
      const { body } = await get(`${path}${search}`, headers).expect(200);
      const page = { total: expect.any(Number), startIndex: 0, pageSize: 20 };
      expect(body).toEqual({ success: true, data: expect.any(Array), ...page });
    });

    it.each(['envelope=0', 'envelope=true', 'envelope=1&envelope=1'])('answer a plain array to %s', async search => {
      expect((await get(`${path}?${search}`).expect(200)).body).toBeInstanceOf(Array);
    });

    it.each([
      'from=yesterday',
      'to=2026-13-01T00:00:00Z',
      'from=2026-01-01',
      'from=2026-01-01T00:00:00Z&from=2026-01-02T00:00:00Z',
      'pageSize=101',
      'startIndex=-1',
      'meetingID=a&meetingID=b',
    ])('refuse %s in the failure form, with and without an envelope', async search => {
      for (const form of ['', '&envelope=1']) {
        const { body } = await get(`${path}?${search}${form}`).expect(400);
        expect(body).toMatchObject({ success: false, code: 'BAD_REQUEST', error: expect.any(String) });
      }
    });

    it('refuse a missing key in the failure form', async () => {
      const { body } = await bed.gateway.http.get(path).expect(401);
      expect(body).toMatchObject({ success: false, code: 'UNAUTHORIZED' });
    });
  });

  it('refuse an unknown kind', async () => {
    await get('/v1/room/logs?kind=call').expect(400);
  });

  it('contain transcript, summary and callback state of SIP calls', async () => {
    await query(
      `INSERT INTO sip_calls (id, account_id, key_type, direction, caller_number, callee_number, state, transcript, summary,
         callback_state)
       VALUES ('call_' || $1, $1, 'sandbox', 'incoming', '+4930111', '+4930222', 'ended',
         '[{"speaker":"caller","text":"Hello","at":"2026-01-01T00:00:00.000Z"}]', 'A greeting.', 'none')`,
      [bed.account.accountID],
    );
    const { body } = await get('/v1/sipcall/logs').expect(200);
    expect(body).toMatchObject([{ direction: 'incoming', summary: 'A greeting.', callbackState: 'none' }]);
    expect((body as Entry[])[0]?.['transcript']).toHaveLength(1);
  });
});
