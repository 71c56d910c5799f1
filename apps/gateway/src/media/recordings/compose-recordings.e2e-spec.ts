import type { RecordedSpan } from '@rtms/contracts';
import { recordedFile } from '../../testing/fake-transcoder.js';
import { MediaTestBed, reconcileMs, sweepMs } from '../../testing/media-test-bed.js';
import { recordingsOf, type RecordingAnswer } from './testing/recordings.js';

const first: RecordedSpan[] = [
  { startedAt: '2026-01-01T10:00:00.000Z', seconds: 4 },
  { startedAt: '2026-01-01T10:00:09.500Z', seconds: 2 },
];
const second: RecordedSpan[] = [{ startedAt: '2026-01-01T10:00:02.000Z', seconds: 10.5 }];

describe('recordings.compose', () => {
  let bed: MediaTestBed;

  beforeAll(async () => {
    bed = await MediaTestBed.start({ config: { accountLimits: { compositionsPerAccount: 1 } } });
  });
  afterAll(() => bed?.close());
  beforeEach(async () => {
    await begin();
    bed.transcoder.rendered.length = 0;
  });
  afterEach(() => bed.endRoom());

  const { begin, query, post, read, list, start, expectState, record } = recordingsOf(() => bed);
  /** A finished recording of a session of its own. */
  const recorded = async (spans?: RecordedSpan[]) => {
    const { sessionID, recordingID } = await record();
    await post({ action: 'stop', recordingID });
    await bed.transcoder.finishRecording(recordingID, 'node', false, spans);
    await expectState(recordingID, 'ready');
    return { sessionID, recordingID };
  };
  const compose = (fields: object) => post({ action: 'compose', ...fields });
  const composed = async (fields: object) => (await compose(fields)).body['recording'] as RecordingAnswer;

  it('makes a recording of the room from files, with the times of their media', async () => {
    const one = await recorded(first);
    const two = await recorded(second);
    const recording = await composed({ meetingID: bed.meetingID, layout: 'speaker', mainRecordingID: two.recordingID });
    const { recordingID } = recording;
    expect(recording).toMatchObject({ state: 'processing', layout: 'speaker', meetingID: bed.meetingID });
    expect(recording).toMatchObject({ source: { sessionID: null, participantID: null }, startedAt: null });
    const [request] = bed.transcoder.rendered;
    const { sizeBytes, durationSeconds } = recordedFile;
    expect(request).toMatchObject({
      ...{ recordingID, meetingID: bed.meetingID, tracks: ['video', 'audio'], mainSourceID: two.sessionID },
      composition: { layout: 'speaker', width: 1280, height: 720 },
    });
    // They were created at the same time.
    const sources = request!.sources.toSorted((a, b) => b.spans.length - a.spans.length);
    expect(sources).toMatchObject([
      { recordingID: one.recordingID, sourceID: one.sessionID, spans: first, sizeBytes, isHost: false },
      { recordingID: two.recordingID, sourceID: two.sessionID, spans: second, sizeBytes, isHost: false },
    ]);
    await bed.advance(2 * reconcileMs);
    await expectState(recordingID, 'processing');
    await bed.advance(durationSeconds * 1000);
    await bed.transcoder.finishRecording(recordingID, 'node', false, [{ ...second[0]!, seconds: 12.5 }]);
    const ready = await expectState(recordingID, 'ready');
    expect(ready).toMatchObject({ startedAt: '2026-01-01T10:00:02.000Z', endedAt: '2026-01-01T10:00:14.500Z' });
    expect(ready['downloadUrl']).toContain(recordingID);
    const usage = await query<{ seconds: number }>(
      'SELECT extract(epoch FROM ended_at - started_at)::float AS seconds FROM usage_intervals WHERE resource_id = $1',
      [recordingID],
    );
    expect(usage).toEqual([{ seconds: durationSeconds }]);
  });

  it('takes the chosen recordings, also of a room that has ended', async () => {
    await recorded(first);
    const { recordingID } = await recorded(second);
    await bed.endRoom();
    await composed({ recordingIDs: [recordingID] });
    expect(bed.transcoder.rendered).toMatchObject([{ sources: [{ recordingID }] }]);
    await bed.createRoom().then(meetingID => (bed.meetingID = meetingID));
  });

  it('leaves a room with recordOnStart to be recorded as a whole, also after the file is deleted', async () => {
    await bed.endRoom();
    bed.meetingID = await bed.createRoom({ recordOnStart: true });
    const { recordingID } = await recorded(first);
    const finished = async () => {
      const made = await composed({ recordingIDs: [recordingID], mainRecordingID: recordingID });
      await bed.transcoder.finishRecording(made.recordingID, 'node', false, first);
      return expectState(made.recordingID, 'ready');
    };
    const made = await finished();
    expect(made['layout']).toBe('speaker');
    expect((await post({ action: 'delete', recordingID: made.recordingID })).status).toBe(200);
    await finished();
    await bed.advance(sweepMs);
    expect((await list()).map(({ state }) => state).sort()).toEqual(['ready', 'ready', 'starting']);
  });

  it('refuses wrong requests and names the field', async () => {
    const { recordingID } = await recorded(first);
    const room = await start({ layout: 'grid' });
    const former = bed.meetingID;
    bed.meetingID = await bed.createRoom();
    const other = await recorded(first);
    const cases: [object, number, string, string][] = [
      [{}, 400, 'invalid_request', 'meetingID or recordingIDs'],
      [{ recordingIDs: [] }, 400, 'invalid_request', 'recordingIDs'],
      [{ recordingIDs: Array.from({ length: 26 }, (_, i) => `rec_${i}`) }, 400, 'invalid_request', 'recordingIDs'],
      [{ recordingIDs: [recordingID, recordingID] }, 400, 'invalid_request', 'recordingIDs'],
      [{ recordingIDs: [recordingID, other.recordingID] }, 400, 'invalid_request', 'one room'],
      [{ recordingIDs: [room.recordingID] }, 400, 'invalid_request', room.recordingID],
      [{ recordingIDs: [recordingID], layout: 'mosaic' }, 400, 'invalid_request', 'layout'],
      [{ recordingIDs: [recordingID], mainRecordingID: other.recordingID }, 400, 'invalid_request', 'mainRecordingID'],
      [{ recordingIDs: [recordingID, 'rec_unknown'] }, 404, 'not_found', 'rec_unknown'],
      [{ meetingID: 'room_unknown' }, 404, 'not_found', 'meetingID'],
    ];
    for (const [fields, status, reason, text] of cases) {
      const answer = await compose(fields);
      expect([fields, answer.status, answer.body.reason]).toEqual([fields, status, reason]);
      expect(JSON.stringify(answer.body)).toContain(text);
    }
    expect(bed.transcoder.rendered).toEqual([]);
    await bed.endRoom();
    bed.meetingID = former;
  });

  it('refuses recordings that are not ready, without times, or out of reach', async () => {
    const reasonOf = async (fields: object) => {
      const { status, body } = await compose(fields);
      return [status, body.reason];
    };
    const running = await record();
    expect(await reasonOf({ meetingID: bed.meetingID })).toEqual([409, 'recording_not_ready']);
    await post({ action: 'stop', recordingID: running.recordingID });
    await bed.transcoder.finishRecording(running.recordingID);
    expect(await reasonOf({ meetingID: bed.meetingID })).toEqual([409, 'recording_not_composable']);
    const { recordingID } = await recorded(first);
    const late = await recorded([{ startedAt: '2026-01-01T23:00:00.000Z', seconds: 1 }]);
    expect(await reasonOf({ recordingIDs: [recordingID, late.recordingID] })).toEqual([
      409,
      'recording_not_composable',
    ]);
    await bed.gateway.makeAccount().then(account => (bed.account = account));
    expect(await reasonOf({ recordingIDs: [recordingID] })).toEqual([404, 'not_found']);
  });

  it('leaves no recording if no transcoder takes it', async () => {
    const { recordingID } = await recorded(first);
    const announce = async (composes: string[]) => {
      bed.transcoder.composes = composes;
      await bed.transcoder.announce();
      await bed.settled();
    };
    const events = () => bed.request('get', `/v1/events?meetingID=${bed.meetingID}&types=recording.*`);
    await bed.advance(sweepMs);
    const before = (await events()).body['events'];
    await announce(['recordings', 'broadcasts']);
    const { status, body } = await compose({ recordingIDs: [recordingID] });
    await announce(['recordings', 'broadcasts', 'files']);
    expect([status, body.reason]).toEqual([503, 'controller_unavailable']);
    await bed.advance(sweepMs);
    expect((await events()).body['events']).toEqual(before);
    expect((await list()).map(each => each.recordingID)).toEqual([recordingID]);
  });

  it('counts in compositionsPerAccount until it has ended, and is deleted with its work', async () => {
    const { recordingID } = await recorded(first);
    const made = await composed({ recordingIDs: [recordingID] });
    const { status, body } = await compose({ recordingIDs: [recordingID] });
    expect([status, body.reason]).toEqual([403, 'limit_reached']);
    expect((await post({ action: 'delete', recordingID: made.recordingID })).status).toBe(200);
    expect(bed.transcoder.received('recording.delete')[0]).toMatchObject({ recordingID: made.recordingID });
    expect((await compose({ recordingIDs: [recordingID] })).status).toBe(200);
  });

  it('fails when its transcoder is lost, and the file that it stores nevertheless is deleted', async () => {
    const { recordingID } = await recorded(first);
    const made = await composed({ recordingIDs: [recordingID] });
    await bed.lose(bed.transcoder);
    await bed.advance(reconcileMs);
    expect(await expectState(made.recordingID, 'failed')).toMatchObject({ endReason: 'node_lost' });
    expect((await read(recordingID)).state).toBe('ready');
    await bed.restart(bed.transcoder);
    const { length } = bed.transcoder.received('recording.delete');
    await bed.transcoder.finishRecording(made.recordingID, 'node', false, first);
    await bed.advance(2 * sweepMs);
    const deleted = bed.transcoder.received('recording.delete').slice(length);
    expect(deleted).toMatchObject([{ recordingID: made.recordingID }]);
    await expectState(made.recordingID, 'failed');
  });
});
