import { recordedFile } from '../../testing/fake-transcoder.js';
import { MediaTestBed, sweepMs } from '../../testing/media-test-bed.js';
import { recordingsOf } from './testing/recordings.js';

describe('files of recordings', () => {
  let bed: MediaTestBed;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
  });
  afterAll(() => bed?.close());
  beforeEach(() => begin());
  afterEach(() => bed.endRoom());

  const { begin, query, post, get, read, record, finish } = recordingsOf(() => bed);
  const notFound = { status: 404, body: { success: false, code: 'NOT_FOUND' } };

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
