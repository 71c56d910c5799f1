import { DataSource } from 'typeorm';
import { newID } from '../ids/new-id.js';
import { MediaTestBed } from '../testing/media-test-bed.js';

describe('recordings', () => {
  let bed: MediaTestBed;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
  });
  afterAll(() => bed?.close());
  beforeEach(async () => {
    bed.account = await bed.gateway.makeAccount();
    bed.meetingID = await bed.createRoom();
  });

  const query = (sql: string, parameters: unknown[]) => bed.gateway.app.get(DataSource).query(sql, parameters);
  const insert = async (state: string): Promise<string> => {
    const id = newID('rec');
    await query(
      `INSERT INTO recordings (id, account_id, meeting_id, state, started_at, ended_at, size_bytes, format)
       VALUES ($1, $2, $3, $4, '2026-01-01T10:00:00Z', '2026-01-01T10:01:30Z', 5000000000, 'mp4')`,
      [id, bed.account.accountID, bed.meetingID, state],
    );
    return id;
  };
  const post = (body: object) => bed.request('post', '/v1/recordings', body);
  const get = (filter: string) => bed.request('get', `/v1/recordings?${filter}`);
  const notFound = { status: 404, body: { success: false, code: 'NOT_FOUND' } };

  it('are got one by one and listed, newest first, by room and state', async () => {
    const [first, second] = [await insert('ready'), await insert('failed')];
    expect((await get(`recordingID=${first}`)).body['recording']).toMatchObject({
      recordingID: first,
      meetingID: bed.meetingID,
      source: { sessionID: null, participantID: null },
      state: 'ready',
      startedAt: '2026-01-01T10:00:00.000Z',
      durationSeconds: 90,
      sizeBytes: 5_000_000_000,
      format: 'mp4',
    });
    const ids = async (filter: string) =>
      ((await get(filter)).body['recordings'] as { recordingID: string }[]).map(each => each.recordingID);
    expect(await ids('')).toEqual([second, first]);
    expect(await ids('state=ready')).toEqual([first]);
    expect(await ids(`meetingID=${bed.meetingID}&pageSize=1&startIndex=1`)).toEqual([first]);
    expect(await ids('meetingID=room_other')).toEqual([]);
  });

  it('are not there for another account', async () => {
    const recordingID = await insert('ready');
    bed.account = await bed.gateway.makeAccount();
    expect(await get(`recordingID=${recordingID}`)).toMatchObject(notFound);
    expect(await post({ action: 'stop', recordingID })).toMatchObject(notFound);
    expect(await post({ action: 'delete', recordingID })).toMatchObject(notFound);
    expect((await get('')).body).toMatchObject({ recordings: [], total: 0 });
  });

  it('cannot be started while no node records, and leave nothing behind', async () => {
    const declined = await post({ action: 'start', meetingID: bed.meetingID });
    expect(declined).toMatchObject({ status: 503, body: { reason: 'controller_unavailable' } });
    expect(declined.headers['retry-after']).toBeDefined();
    expect((await get('')).body).toMatchObject({ total: 0 });
  });

  it('are declined for what is asked before anything else', async () => {
    expect(await post({ action: 'start', meetingID: 'room_unknown' })).toMatchObject(notFound);
    const start = { action: 'start', meetingID: bed.meetingID };
    expect(await post({ ...start, sourceSessionID: 'ext_unknown' })).toMatchObject(notFound);
    const sourceSessionID = await bed.openSession();
    expect(await post({ ...start, sourceSessionID })).toMatchObject({ body: { reason: 'source_not_active' } });
    await query('UPDATE balances SET recording_ms = 0 WHERE account_id = $1', [bed.account.accountID]);
    expect(await post(start)).toMatchObject({ status: 403, body: { reason: 'balance_exhausted' } });
    await bed.endRoom();
    expect(await post(start)).toMatchObject({ status: 409, body: { reason: 'room_ended' } });
  });

  it('are stopped once', async () => {
    const recordingID = await insert('recording');
    const { body } = await post({ action: 'stop', recordingID });
    expect(body['recording']).toMatchObject({ state: 'processing' });
    expect((await post({ action: 'stop', recordingID })).body).toEqual(body);
  });

  it('are deleted when they do not run, as often as one likes', async () => {
    const recordingID = await insert('recording');
    expect(await post({ action: 'delete', recordingID })).toMatchObject({ status: 409, body: { reason: 'in_use' } });
    await post({ action: 'stop', recordingID });
    for (let times = 0; times < 2; times++) {
      expect((await post({ action: 'delete', recordingID })).body).toEqual({
        success: true,
        deleted: true,
        recordingID,
      });
    }
    expect(await get(`recordingID=${recordingID}`)).toMatchObject(notFound);
  });
});
