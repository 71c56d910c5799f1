import { ServiceError } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { recordedFile, type FakeTranscoder } from '../../testing/fake-transcoder.js';
import { MediaTestBed, meteringLookMs, reconcileMs, sweepMs } from '../../testing/media-test-bed.js';

interface RecordingAnswer {
  [field: string]: unknown;
  recordingID: string;
  state: string;
}

const day = 86_400_000;

describe('recordings', () => {
  let bed: MediaTestBed;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
  });
  afterAll(() => bed?.close());
  beforeEach(async () => {
    bed.account = await bed.gateway.makeAccount();
    bed.meetingID = await bed.createRoom();
    bed.transcoder.refusals.clear();
    bed.transcoder.commands.length = 0;
  });

  afterEach(() => bed.endRoom());

  const query = <Row>(sql: string, parameters: unknown[]): Promise<Row[]> =>
    bed.gateway.app.get(DataSource).query<Row[]>(sql, parameters);
  const post = (body: object) => bed.request('post', '/v1/recordings', body);
  const get = (filter: string) => bed.request('get', `/v1/recordings?${filter}`);
  const read = async (recordingID: string) =>
    (await get(`recordingID=${recordingID}`)).body['recording'] as RecordingAnswer;
  const list = async (filter = '') => (await get(filter)).body['recordings'] as RecordingAnswer[];
  const start = async (fields: object): Promise<RecordingAnswer> => {
    const { body } = await post({ action: 'start', meetingID: bed.meetingID, ...fields });
    return body['recording'] as RecordingAnswer;
  };
  const expectState = async (recordingID: string, state: string): Promise<RecordingAnswer> => {
    const recording = await read(recordingID);
    expect(recording).toMatchObject({ recordingID, state });
    return recording;
  };
  const record = async (): Promise<{ sessionID: string; recordingID: string }> => {
    const sessionID = await bed.openActiveSession();
    const { recordingID } = await start({ sourceSessionID: sessionID });
    await bed.transcoder.record(recordingID);
    await expectState(recordingID, 'recording');
    return { sessionID, recordingID };
  };
  const finish = async (recordingID: string): Promise<RecordingAnswer> => {
    await post({ action: 'stop', recordingID });
    await bed.transcoder.finishRecording(recordingID);
    return expectState(recordingID, 'ready');
  };
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
    expect((await list())[0]).toMatchObject({ recordingID, downloadUrl: null });
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
    expect(await ask({})).toMatchObject({ status: 400, body: { reason: 'invalid_request' } });
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

  it('start by themselves in rooms with recordOnStart, once for each source', async () => {
    await bed.request('post', '/v1/recordingsettings', { action: 'create', maxDurationSeconds: 120 });
    bed.meetingID = await bed.createRoom({ recordOnStart: true });
    const sessionID = await bed.openActiveSession();
    await bed.advance(sweepMs);
    const [recording] = await list();
    expect(recording).toMatchObject({ source: { sessionID } });
    expect(bed.transcoder.received('recording.start')).toMatchObject([{ maxDurationSeconds: 120 }]);
    await post({ action: 'stop', recordingID: recording!.recordingID });
    const other = await bed.openActiveSession();
    await bed.advance(sweepMs);
    expect((await list()).map(each => (each['source'] as { sessionID: string }).sessionID)).toEqual([other, sessionID]);
  });

  it('continue in a second recording when the transcoder is lost; the first is finished when it is back', async () => {
    const { sessionID, recordingID } = await record();
    const second = await bed.startTranscoder('transcoder-2');
    await bed.lose(bed.transcoder);
    expect(await expectState(recordingID, 'processing')).toMatchObject({ endReason: 'node_lost' });
    const [next] = await list();
    expect(next).toMatchObject({ previousRecordingID: recordingID, source: { sessionID } });
    const started = second.received('recording.start').filter(each => each['meetingID'] === bed.meetingID);
    expect(started).toMatchObject([{ recordingID: next?.recordingID }]);
    await bed.restart(bed.transcoder);
    const until = bed.date().toISOString();
    await bed.transcoder.report(recordingID, { type: 'recording.stopped', reason: 'node_lost', until });
    await bed.transcoder.finishRecording(recordingID);
    await expectState(recordingID, 'ready');
    await bed.lose(second);
  });

  describe('of a lost transcoder, with pieces in a shared storage', () => {
    let second: FakeTranscoder;
    beforeEach(async () => {
      second = await bed.startTranscoder('transcoder-2');
      second.hasPieces = true;
    });
    afterEach(async () => {
      if (second.announcedAt !== undefined) await bed.lose(second);
      if (bed.transcoder.announcedAt === undefined) await bed.restart(bed.transcoder);
    });
    const askedFor = (recordingID: string, node = second) =>
      node.received('recording.complete').filter(each => each['recordingID'] === recordingID);
    const loseFirst = async () => {
      await bed.lose(bed.transcoder);
      await bed.advance(reconcileMs);
    };

    it('are completed by another one, which is asked once', async () => {
      const { recordingID } = await record();
      await loseFirst();
      expect(askedFor(recordingID)).toHaveLength(1);
      expect(await expectState(recordingID, 'processing')).toMatchObject({ endReason: 'node_lost' });
      await bed.advance(3 * reconcileMs);
      expect(askedFor(recordingID)).toHaveLength(1);
      await second.finishRecording(recordingID, 'shared');
      const ready = await expectState(recordingID, 'ready');
      expect(ready).toMatchObject({ endReason: 'node_lost', sizeBytes: recordedFile.sizeBytes });
      expect(ready['downloadUrl']).toMatch('http://transcoder-2.test/recordings/');
    });

    it('are completed by a third one when the second is lost too', async () => {
      const { recordingID } = await record();
      await loseFirst();
      const third = await bed.startTranscoder('transcoder-3');
      third.hasPieces = true;
      await bed.lose(second);
      await bed.advance(reconcileMs);
      expect(askedFor(recordingID, third)).toHaveLength(1);
      await third.finishRecording(recordingID, 'shared');
      await expectState(recordingID, 'ready');
      await bed.lose(third);
    });

    it('keep the file that was reported first', async () => {
      const { recordingID } = await record();
      await loseFirst();
      await second.finishRecording(recordingID, 'shared');
      const before = await expectState(recordingID, 'ready');
      await bed.restart(bed.transcoder);
      await bed.transcoder.report(recordingID, { type: 'recording.failed', reason: 'recorder_failed' });
      expect((await read(recordingID))['checksumSha256']).toBe(before['checksumSha256']);
      await expectState(recordingID, 'ready');
    });

    it('wait while all nodes are busy', async () => {
      second.refusals.set('recording.complete', new ServiceError('capacity_reached', 'The disk is full.'));
      const { recordingID } = await record();
      await loseFirst();
      second.refusals.clear();
      await bed.advance(reconcileMs);
      expect(askedFor(recordingID)).toHaveLength(2);
      await second.finishRecording(recordingID, 'shared');
      await expectState(recordingID, 'ready');
    });

    it('wait for their node without pieces, and nodes are asked once a minute', async () => {
      second.hasPieces = false;
      const { recordingID } = await record();
      await loseFirst();
      await bed.advance(60_000 - reconcileMs);
      expect(askedFor(recordingID)).toHaveLength(1);
      await bed.advance(reconcileMs);
      expect(askedFor(recordingID)).toHaveLength(2);
    });

    it('are completed by the node itself when it is back with its disk', async () => {
      const { recordingID } = await record();
      await bed.lose(bed.transcoder);
      await bed.restart(bed.transcoder);
      bed.transcoder.recordings.set(recordingID, { recordingID, state: 'processing' });
      await bed.advance(2 * reconcileMs);
      expect(askedFor(recordingID)).toEqual([]);
      await bed.transcoder.finishRecording(recordingID);
      await expectState(recordingID, 'ready');
    });

    it('of another node count only as shared files', async () => {
      const { recordingID } = await record();
      await second.finishRecording(recordingID, 'shared');
      await expectState(recordingID, 'recording');
      await bed.lose(bed.transcoder);
      await second.finishRecording(recordingID, 'node');
      await expectState(recordingID, 'processing');
    });

    it('lose their pieces when they are deleted', async () => {
      const { recordingID } = await record();
      await bed.lose(bed.transcoder);
      expect((await post({ action: 'delete', recordingID })).status).toBe(200);
      expect(second.received('recording.delete')).toEqual([{ recordingID }]);
    });
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

  it('are deleted idempotently with their files when they do not run', async () => {
    const { recordingID } = await record();
    expect(await post({ action: 'delete', recordingID })).toMatchObject({ status: 409, body: { reason: 'in_use' } });
    await finish(recordingID);
    for (let times = 0; times < 2; times++) {
      expect((await post({ action: 'delete', recordingID })).body).toEqual({
        success: true,
        deleted: true,
        recordingID,
      });
    }
    expect(await get(`recordingID=${recordingID}`)).toMatchObject(notFound);
    await bed.advance(sweepMs);
    expect(bed.transcoder.received('recording.delete')).toMatchObject([{ recordingID }]);
  });

  it('lose their files when they expire', async () => {
    const { recordingID } = await record();
    await finish(recordingID);
    await query('UPDATE recordings SET expires_at = $2 WHERE id = $1', [recordingID, bed.date(2 * sweepMs)]);
    await bed.advance(2 * sweepMs - 1);
    expect(bed.transcoder.received('recording.delete')).toEqual([]);
    await bed.advance(1);
    expect(bed.transcoder.received('recording.delete')).toMatchObject([{ recordingID }]);
    expect(await read(recordingID)).toMatchObject({
      ...{ state: 'ready', durationSeconds: recordedFile.durationSeconds },
      ...{ sizeBytes: null, checksumSha256: null, downloadUrl: null, expiresAt: null },
    });
  });

  it('delete a file while more files wait for a node that never returns', async () => {
    const many = `INSERT INTO recording_files_to_delete (recording_id, node_id, storage)
      SELECT 'rec_!' || number, 'transcoder-gone', 'node' FROM generate_series(1, 100) number`;
    await query(many, []);
    const { recordingID } = await record();
    await finish(recordingID);
    await post({ action: 'delete', recordingID });
    expect(bed.transcoder.received('recording.delete')).toEqual([{ recordingID }]);
    await query("DELETE FROM recording_files_to_delete WHERE node_id = 'transcoder-gone'", []);
  });

  it('delete a file when its node is back', async () => {
    const { recordingID } = await record();
    await finish(recordingID);
    bed.transcoder.refusals.set('recording.delete', new Error('disk away'));
    expect(await post({ action: 'delete', recordingID })).toMatchObject({ status: 200 });
    bed.transcoder.refusals.clear();
    expect(bed.transcoder.received('recording.delete')).toHaveLength(1);
    await bed.advance(sweepMs);
    expect(bed.transcoder.received('recording.delete')).toHaveLength(2);
    await bed.advance(sweepMs);
    expect(bed.transcoder.received('recording.delete')).toHaveLength(2);
  });
});
