import { ServiceError } from '@rtms/contracts';
import { recordedFile } from '../../testing/fake-transcoder.js';
import { MediaTestBed, meteringLookMs, reconcileMs, sweepMs } from '../../testing/media-test-bed.js';
import { recordingsOf, type RecordingAnswer } from './testing/recordings.js';

const day = 86_400_000;

describe('recordings', () => {
  let bed: MediaTestBed;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
  });
  afterAll(() => bed?.close());
  beforeEach(() => begin());
  afterEach(() => bed.endRoom());

  const { begin, query, post, get, read, list, start, expectState, record, finish } = recordingsOf(() => bed);

  const notFound = { status: 404, body: { success: false, code: 'NOT_FOUND' } };

  it('go from starting to ready, with the data of the file', async () => {
    const sessionID = await bed.openActiveSession();
    const started = await start({ sourceSessionID: sessionID });
    expect(started).toMatchObject({ state: 'starting', source: { sessionID, participantID: null }, startedAt: null });
    const { recordingID } = started;
    expect(bed.transcoder.received('recording.start')).toMatchObject([
      { recordingID, sourceID: sessionID, sfuNodeID: 'sfu-1', tracks: ['video', 'audio'], maxDurationSeconds: 86_400 },
    ]);
    await bed.transcoder.record(recordingID);
    expect((await expectState(recordingID, 'recording'))['startedAt']).not.toBeNull();
    const stopped = await post({ action: 'stop', recordingID });
    expect(stopped.body['recording']).toMatchObject({ state: 'processing', endReason: 'requested' });
    expect((await post({ action: 'stop', recordingID })).body).toEqual(stopped.body);
    expect(bed.transcoder.received('recording.stop')).toContainEqual({ recordingID });
    await bed.transcoder.finishRecording(recordingID);
    const { storage: _, ...file } = recordedFile;
    const ready = await expectState(recordingID, 'ready');
    expect(ready).toMatchObject(file);
    expect(ready['downloadUrl']).toMatch(`http://transcoder-1.test/recordings/${recordingID}.mp4?token=`);
    expect(ready['storyboardUrl']).toMatch(`http://transcoder-1.test/recordings/${recordingID}/storyboard.vtt?token=`);
    expect((await list())[0]).toMatchObject({ recordingID, downloadUrl: null, storyboardUrl: null });
  });

  it('have HLS by the setting if it could be made, with a token that outlasts the playback', async () => {
    const plain = await finish((await record()).recordingID);
    expect(bed.transcoder.received('recording.start')[0]).not.toHaveProperty('addHLS');
    expect(plain['hlsUrl']).toBeNull();
    await bed.request('post', '/v1/recordingsettings', { action: 'create', addHLS: true });
    const { recordingID } = await record();
    expect(bed.transcoder.received('recording.start').at(-1)).toMatchObject({
      ...{ recordingID, addHLS: true, accountID: bed.account.accountID },
    });
    expect((await read(recordingID))['hlsUrl']).toBeNull();
    const ready = await finish(recordingID, true);
    const [base, token = ''] = String(ready['hlsUrl']).split('?token=');
    expect(base).toBe(`http://transcoder-1.test/recordings/${recordingID}/hls.m3u8`);
    const { exp, part } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
      exp: number;
      part?: string;
    };
    expect(part).toBe('hls');
    expect(exp - Math.floor(bed.clock.now() / 1000)).toBe(Math.ceil(recordedFile.durationSeconds) + 3_600);
    // Recordings of the same time are in any order.
    expect(await list()).toContainEqual(expect.objectContaining({ recordingID, hlsUrl: null }));
    expect((await finish((await record()).recordingID))['hlsUrl']).toBeNull();
  });

  it('are listed newest first, by room and state', async () => {
    const one = await record();
    await bed.advance(sweepMs);
    const other = await record();
    await finish(one.recordingID);
    const ids = async (filter: string) => (await list(filter)).map(each => each.recordingID);
    expect(await ids('')).toEqual([other.recordingID, one.recordingID]);
    expect(await ids('state=ready')).toEqual([one.recordingID]);
    expect(await ids(`meetingID=${bed.meetingID}&pageSize=1&startIndex=1`)).toEqual([one.recordingID]);
  });

  it('are invisible to another account', async () => {
    const { recordingID } = await record();
    bed.account = await bed.gateway.makeAccount();
    expect(await get(`recordingID=${recordingID}`)).toMatchObject(notFound);
    expect(await post({ action: 'stop', recordingID })).toMatchObject(notFound);
    expect(await post({ action: 'delete', recordingID })).toMatchObject(notFound);
    expect(await list()).toEqual([]);
  });

  it('are refused for the first failed precondition', async () => {
    const sessionID = await bed.openActiveSession();
    const ask = (fields: object) => post({ action: 'start', meetingID: bed.meetingID, ...fields });
    const both = { sourceSessionID: sessionID, sourceParticipantID: 'part_x' };
    expect(await ask(both)).toMatchObject({ status: 400, body: { reason: 'invalid_request' } });
    expect(await ask({ meetingID: 'room_unknown', sourceSessionID: sessionID })).toMatchObject(notFound);
    expect(await ask({ sourceSessionID: 'ext_unknown' })).toMatchObject(notFound);
    expect(await ask({ sourceParticipantID: 'part_unknown' })).toMatchObject(notFound);
    const pending = await bed.openSession();
    expect(await ask({ sourceSessionID: pending })).toMatchObject({ body: { reason: 'source_not_active' } });
    await query('UPDATE balances SET recording_ms = 0 WHERE account_id = $1', [bed.account.accountID]);
    const source = { sourceSessionID: sessionID };
    expect(await ask(source)).toMatchObject({ status: 403, body: { reason: 'balance_exhausted' } });
    await bed.endRoom();
    expect(await ask(source)).toMatchObject({ status: 409, body: { reason: 'room_ended' } });
    expect(await list()).toEqual([]);
  });

  it('leave no row when no transcoder takes them', async () => {
    const sourceSessionID = await bed.openActiveSession();
    bed.transcoder.refusals.set('recording.start', new ServiceError('capacity_reached', 'All transcoders are busy.'));
    const declined = await post({ action: 'start', meetingID: bed.meetingID, sourceSessionID });
    expect(declined).toMatchObject({ status: 503, body: { reason: 'capacity_reached' } });
    expect(declined.headers['retry-after']).toBeDefined();
    expect(await list()).toEqual([]);
  });

  it('are limited to one at a time for each source', async () => {
    const { sessionID, recordingID } = await record();
    const again = await post({ action: 'start', meetingID: bed.meetingID, sourceSessionID: sessionID });
    expect(again).toMatchObject({ status: 409, body: { reason: 'already_exists' } });
    await finish(recordingID);
    expect(await start({ sourceSessionID: sessionID })).toMatchObject({ state: 'starting' });
  });

  it('use the recording settings', async () => {
    const settings = { mediaOptions: 'audio', maxDurationSeconds: 60, retentionDays: 2 };
    await bed.request('post', '/v1/recordingsettings', { action: 'create', ...settings });
    const { recordingID } = await record();
    expect(bed.transcoder.received('recording.start')).toMatchObject([{ tracks: ['audio'], maxDurationSeconds: 60 }]);
    const { expiresAt, endedAt } = await finish(recordingID);
    expect(Date.parse(String(expiresAt)) - Date.parse(String(endedAt))).toBe(2 * day);
  });

  it('wait for a lost source and continue, up to the allowed number of pauses', async () => {
    await bed.request('post', '/v1/recordingsettings', { action: 'create', pausesLimit: 1 });
    const { sessionID, recordingID } = await record();
    const interrupt = { type: 'recording.interrupted', reason: 'source_lost' } as const;
    await bed.sfu.loseSource(sessionID);
    expect(bed.transcoder.received('recording.interrupt')).toEqual([{ recordingID }]);
    await bed.transcoder.report(recordingID, { ...interrupt, until: bed.date().toISOString() });
    await bed.sfu.activate(sessionID);
    expect(bed.transcoder.received('recording.resume')).toMatchObject([{ recordingID }]);
    await bed.transcoder.record(recordingID);
    expect(await read(recordingID)).toMatchObject({ state: 'recording' });
    await bed.transcoder.report(recordingID, { ...interrupt, until: bed.date().toISOString() });
    expect(await expectState(recordingID, 'processing')).toMatchObject({ endReason: 'pauses_exceeded' });
    expect(bed.transcoder.received('recording.stop')).toEqual([{ recordingID }]);
  });

  it('continue when the resume command was lost', async () => {
    const { recordingID } = await record();
    bed.transcoder.recordings.set(recordingID, { recordingID, state: 'interrupted' });
    await bed.advance(reconcileMs);
    expect(bed.transcoder.received('recording.resume')).toMatchObject([{ recordingID, sfuNodeID: 'sfu-1' }]);
  });

  it('end with their source', async () => {
    const { sessionID, recordingID } = await record();
    await bed.remove('external-sessions', sessionID);
    expect(await read(recordingID)).toMatchObject({ state: 'processing', endReason: 'source_ended' });
  });

  it('end with their room, after its broadcasts and before its sessions', async () => {
    const { sessionID, recordingID } = await record();
    await bed.openActiveBroadcast(sessionID);
    bed.transcoder.commands.length = 0;
    await bed.endRoom();
    expect(await read(recordingID)).toMatchObject({ state: 'processing', endReason: 'room_ended' });
    const ends = bed.transcoder.commands.map(({ name }) => name).filter(name => name !== 'node.inventory');
    expect(ends).toEqual(['broadcast.stop', 'recording.stop']);
  });

  it('of a member contain its tracks, and end when it leaves', async () => {
    const { participantID, socket } = await bed.connectMember('Grace');
    const ask = () => post({ action: 'start', meetingID: bed.meetingID, sourceParticipantID: participantID });
    expect(await ask()).toMatchObject({ status: 409, body: { reason: 'source_not_active' } });
    await socket.must('media.open', {});
    const { transportID } = await socket.must('media.openTransport', { direction: 'send' });
    await socket.must('media.publish', { transportID, source: 'microphone', rtpParameters: {} });
    const started = (await ask()).body['recording'] as RecordingAnswer;
    expect(started).toMatchObject({ source: { sessionID: null, participantID } });
    expect(bed.transcoder.received('recording.start')).toMatchObject([
      { sourceID: participantID, sfuNodeID: 'sfu-1', tracks: ['audio'] },
    ]);
    await bed.transcoder.record(started.recordingID);
    await expectState(started.recordingID, 'recording');
    await socket.must('leave', {});
    await bed.advance(reconcileMs);
    expect(await expectState(started.recordingID, 'processing')).toMatchObject({ endReason: 'source_ended' });
  });

  it('use up minutes while media is written', async () => {
    const { recordingID } = await record();
    const since = bed.date();
    await bed.advance(7_000);
    const until = bed.date(-2_000);
    await bed.transcoder.report(recordingID, {
      ...{ type: 'recording.interrupted', reason: 'source_lost', until: until.toISOString() },
    });
    const statement = 'SELECT started_at, ended_at FROM usage_intervals WHERE resource_id = $1';
    expect(await query(statement, [recordingID])).toEqual([{ started_at: since, ended_at: until }]);
    expect((await read(recordingID))['startedAt']).toBe(since.toISOString());
  });

  it('end when the recording minutes are used up, and the room stays', async () => {
    const { recordingID } = await record();
    await query('UPDATE balances SET recording_ms = 1 WHERE account_id = $1', [bed.account.accountID]);
    await bed.advance(meteringLookMs);
    expect(await expectState(recordingID, 'processing')).toMatchObject({ endReason: 'balance_exhausted' });
    const room = await bed.request('get', `/v1/rooms?meetingID=${bed.meetingID}`);
    expect(room.body['room']).toMatchObject({ state: 'active' });
  });
});
