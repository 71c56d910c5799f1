import { ServiceError } from '@rtms/contracts';
import { recordedFile, type FakeTranscoder } from '../../testing/fake-transcoder.js';
import { MediaTestBed, reconcileMs, sweepMs } from '../../testing/media-test-bed.js';
import { recordingsOf } from './testing/recordings.js';

describe('recordings of a lost transcoder', () => {
  let bed: MediaTestBed;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
  });
  afterAll(() => bed?.close());
  beforeEach(() => begin());
  afterEach(() => bed.endRoom());

  const { begin, post, query, read, list, expectState, record } = recordingsOf(() => bed);

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

  it('fail a day after their end if no node has finished them', async () => {
    const { recordingID } = await record();
    await bed.lose(bed.transcoder);
    const endedAgo = async (ms: number) => {
      await query('UPDATE recordings SET ended_at = $2 WHERE id = $1', [recordingID, bed.date(-ms)]);
      await bed.advance(sweepMs);
    };
    const dayMs = 24 * 3_600_000;
    await endedAgo(dayMs - sweepMs);
    await expectState(recordingID, 'processing');
    await endedAgo(dayMs - sweepMs + 1);
    expect(await expectState(recordingID, 'failed')).toMatchObject({ endReason: 'node_lost' });
    await bed.restart(bed.transcoder);
  });

  describe('with pieces in a shared storage', () => {
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
});
