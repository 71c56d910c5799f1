/** @weight 0.2 for 52 s */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EventLog } from '@rtms/testing';
import {
  fileOf,
  recordingBenches,
  recordingRequest,
  waitForMedia,
  type RecordingBench,
} from '../../../test/recording-bench.js';
import { RtpSource } from '../../../test/rtp-source.js';
import { leastFreeBytes } from '../../disk.js';

const openBench = recordingBenches();

describe('a recording with shared pieces', () => {
  const openShared = () => openBench(() => new RtpSource({ video: 'h264', size: '320x180' }), true);
  /** The source stops after some pieces were stored. Then the former node writes nothing more. */
  const recordSome = async (bench: RecordingBench) => {
    await bench.recordings.start(recordingRequest());
    await waitForMedia(bench, 'part-0.mp4', 6);
    for (const source of bench.sfu.openFeeds.values()) await source.stop();
  };
  const piecesOf = async (bench: RecordingBench) => (await bench.pieces!.list('rec_1')).map(({ name }) => name);

  it('is completed by another node, with at most 10 s missing', async () => {
    const bench = await openShared();
    await recordSome(bench);
    const { seconds } = bench.received;
    const other = bench.open('other');
    await other.complete({ recordingID: 'rec_1' });
    await other.complete({ recordingID: 'rec_1' });
    const file = await bench.fact('recording.ready');
    expect(file).toMatchObject({ storage: 'shared', width: 320, height: 180 });
    expect(file.durationSeconds).toBeGreaterThan(1);
    expect(seconds - file.durationSeconds).toBeLessThan(10);
    await bench.ends.atLeast(1);
    expect(await piecesOf(bench)).toEqual(['claim.json']);
    expect(await readdir(join(bench.directory, 'other'))).toEqual([]);
    await other.close();
  });

  it('is not stored again by its former node', async () => {
    const bench = await openShared();
    await recordSome(bench);
    const other = bench.open('other');
    await other.complete({ recordingID: 'rec_1' });
    const { checksumSha256 } = await bench.fact('recording.ready');
    await bench.ends.atLeast(1);
    await bench.recordings.stop({ recordingID: 'rec_1' });
    await bench.ends.atLeast(2);
    const bytes = await readFile(fileOf(bench));
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(checksumSha256);
    expect(bench.recordings.isIdle).toBe(true);
    await other.close();
  });

  it('is reported as stored when its former node had begun to store its own file', async () => {
    const bench = await openShared();
    await recordSome(bench);
    const put = bench.store.put.bind(bench.store);
    const puts = new EventLog<() => void>();
    bench.store.put = async (...args) => {
      await new Promise<void>(resolve => puts.add(resolve));
      return put(...args);
    };
    await bench.recordings.stop({ recordingID: 'rec_1' });
    const [storeLate] = await puts.atLeast(1);
    const other = bench.open('other');
    await other.complete({ recordingID: 'rec_1' });
    const [, store] = await puts.atLeast(2);
    store!();
    const file = await bench.fact('recording.ready');
    storeLate!();
    await bench.ends.atLeast(2);
    const reported = bench.facts.all.filter(({ type }) => type === 'recording.ready');
    // The former node does not know the parts of another file.
    const { spans: _, ...stored } = file;
    expect(reported).toEqual([file, expect.objectContaining(stored)]);
    const bytes = await readFile(fileOf(bench));
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(file.checksumSha256);
    await other.close();
  });

  it('leaves no pieces after its own node has stored the file', async () => {
    const bench = await openShared();
    await recordSome(bench);
    await bench.recordings.stop({ recordingID: 'rec_1' });
    await bench.fact('recording.ready');
    await bench.ends.atLeast(1);
    expect(await piecesOf(bench)).toEqual([]);
  });

  it('is left to others by a node that closes, with all its media', async () => {
    const bench = await openShared();
    await recordSome(bench);
    const { seconds } = bench.received;
    await bench.recordings.close();
    expect(await bench.fact('recording.stopped')).toMatchObject({ reason: 'node_drained' });
    const other = bench.open('other');
    await other.complete({ recordingID: 'rec_1' });
    const file = await bench.fact('recording.ready');
    expect(seconds - file.durationSeconds).toBeLessThan(0.2);
    await other.close();
  });

  it('is refused without pieces, and on a nearly full disk', async () => {
    const bench = await openShared();
    const complete = (recordingID: string) => bench.recordings.complete({ recordingID });
    await expect(complete('rec_unknown')).rejects.toMatchObject({ reason: 'not_found' });
    await recordSome(bench);
    const other = bench.open('other');
    bench.space.freeBytes = leastFreeBytes;
    await expect(other.complete({ recordingID: 'rec_1' })).rejects.toMatchObject({ reason: 'capacity_reached' });
    expect([other.isIdle, await piecesOf(bench)]).toEqual([true, expect.not.arrayContaining(['claim.json'])]);
    await other.close();
  });

  it('is deleted with its pieces', async () => {
    const bench = await openShared();
    await recordSome(bench);
    await bench.recordings.delete({ recordingID: 'rec_1' });
    expect(await piecesOf(bench)).toEqual([]);
    expect(await bench.store.size('rec_1')).toBeUndefined();
  });
});

describe('a recording without shared pieces', () => {
  it('is refused as another node’s without shared pieces', async () => {
    const bench = await openBench(() => new RtpSource({ video: 'h264', size: '160x90' }));
    await expect(bench.recordings.complete({ recordingID: 'rec_2' })).rejects.toMatchObject({ reason: 'not_found' });
  });
});
