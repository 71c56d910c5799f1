import { appendFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@rtms/logging';
import { ManualClock } from '@rtms/testing';
import { DiskPieceStore } from '../../delivery/stores/disk-piece-store.js';
import { RecordingDirectory } from './recording-directory.js';
import { UnfinishedRecordings } from './unfinished-recordings.js';

function box(type: string, size: number): Buffer {
  const bytes = Buffer.alloc(size, type);
  bytes.writeUInt32BE(size);
  bytes.write(type, 4, 'latin1');
  return bytes;
}
const begin = Buffer.concat([box('ftyp', 16), box('moov', 28)]);
const fragmentOf = (bytes: number) => Buffer.concat([box('moof', 18), box('mdat', bytes)]);

const [passMs, hour] = [3_000, 3_600_000];
const { signal } = new AbortController();
const logger = createLogger({ service: 'transcoder', level: 'silent' });

describe('an unfinished recording', () => {
  let folder: string;
  let clock: ManualClock;
  let pieces: DiskPieceStore;
  let unfinished: UnfinishedRecordings;
  let directory: RecordingDirectory;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rtms-unfinished-'));
    clock = new ManualClock(Date.now());
    pieces = new DiskPieceStore(join(folder, 'pieces'));
    unfinished = nodeNamed('transcoder-1');
    directory = await RecordingDirectory.create(join(folder, 'own'), { recordingID: 'rec_1', meetingID: 'room_1' });
  });
  afterEach(async () => {
    await unfinished.close();
    await rm(folder, { recursive: true, force: true });
  });

  const nodeNamed = (nodeID: string) => new UnfinishedRecordings({ pieces, nodeID, clock, logger });
  const addPart = () => directory.addPart({ hasAudio: true });
  const fetched = async () => {
    const copy = await unfinished.fetch('rec_1', join(folder, 'other'), signal);
    return Promise.all(copy.notes.parts.map(({ file }) => readFile(copy.pathOf(file)).catch(() => undefined)));
  };

  it('is stored every three seconds, up to its last complete fragment', async () => {
    const shipper = unfinished.ship(directory);
    const path = await addPart();
    const fragment = fragmentOf(50);
    await appendFile(path, Buffer.concat([begin, fragment, fragment.subarray(0, 40)]));
    await clock.advance(passMs);
    await shipper.close();
    expect(await fetched()).toEqual([Buffer.concat([begin, fragment])]);
    expect(await unfinished.size('rec_1')).toBeGreaterThan(begin.length + fragment.length);
  });

  it('consists of the same bytes after many passes, in parts of any size', async () => {
    const shipper = unfinished.ship(directory);
    const whole: Buffer[] = [];
    for (const sizes of [[50, 9 * 1024 * 1024, 70], [60]]) {
      const path = await addPart();
      const bytes = [begin, ...sizes.map(fragmentOf)];
      for (const some of bytes) {
        await appendFile(path, some);
        await shipper.flush();
      }
      whole.push(Buffer.concat(bytes));
    }
    const copies = await fetched();
    expect(copies.map((copy, part) => copy?.equals(whole[part]!))).toEqual([true, true]);
    await shipper.close();
  });

  it('continues after an outage of the store, without a gap', async () => {
    const shipper = unfinished.ship(directory);
    const path = await addPart();
    await appendFile(path, Buffer.concat([begin, fragmentOf(50)]));
    await shipper.flush();
    const put = pieces.put.bind(pieces);
    pieces.put = () => Promise.reject(new Error('the bucket is unavailable'));
    await appendFile(path, fragmentOf(60));
    await shipper.flush();
    pieces.put = put;
    await appendFile(path, fragmentOf(70));
    await shipper.flush();
    expect(await fetched()).toEqual([await readFile(path)]);
    await shipper.close();
  });

  it('has no gap when the store applies a request late, after its retry', async () => {
    const shipper = unfinished.ship(directory);
    const path = await addPart();
    await appendFile(path, Buffer.concat([begin, fragmentOf(50)]));
    const put = pieces.put.bind(pieces);
    const late: (() => Promise<void>)[] = [];
    pieces.put = (...args) => {
      late.push(() => put(...args));
      return Promise.reject(new Error('timed out'));
    };
    await shipper.flush();
    pieces.put = (recordingID, name, content) => {
      if (name.startsWith('manifest')) return put(recordingID, name, content);
      late.push(() => put(recordingID, name, content));
      return Promise.reject(new Error('timed out'));
    };
    await shipper.flush();
    pieces.put = put;
    await appendFile(path, fragmentOf(60));
    await addPart();
    await shipper.flush();
    await appendFile(path, fragmentOf(70));
    await shipper.flush();
    expect(late).toHaveLength(2);
    for (const apply of late) await apply();
    expect(await fetched()).toEqual([await readFile(path), undefined]);
    await shipper.close();
  });

  it('is read up to a missing piece', async () => {
    const shipper = unfinished.ship(directory);
    const path = await addPart();
    for (const size of [50, 60, 70]) {
      await appendFile(path, Buffer.concat([...(size === 50 ? [begin] : []), fragmentOf(size)]));
      await shipper.flush();
    }
    await shipper.close();
    const [, second] = (await pieces.list('rec_1')).filter(({ name }) => name.startsWith('part-0'));
    await rm(join(folder, 'pieces', 'rec_1', second!.name));
    expect(await fetched()).toEqual([Buffer.concat([begin, fragmentOf(50)])]);
  });

  it('belongs to the node that claimed it last', async () => {
    const [second, third] = [nodeNamed('transcoder-2'), nodeNamed('transcoder-3')];
    expect(await unfinished.isTaken('rec_1')).toBe(false);
    await second.claim('rec_1');
    expect([await unfinished.isTaken('rec_1'), await second.isTaken('rec_1')]).toEqual([true, false]);
    await third.claim('rec_1');
    expect([await second.isTaken('rec_1'), await third.isTaken('rec_1')]).toEqual([true, false]);
    await second.close();
    await third.close();
  });

  it('keeps its pieces for the node that claimed it, and later only the claim', async () => {
    const second = nodeNamed('transcoder-2');
    const shipper = unfinished.ship(directory);
    await appendFile(await addPart(), Buffer.concat([begin, fragmentOf(50)]));
    await shipper.flush();
    await shipper.close();
    await second.claim('rec_1');
    await unfinished.complete('rec_1');
    expect(await pieces.list('rec_1')).toHaveLength(3);
    await second.complete('rec_1');
    expect((await pieces.list('rec_1')).map(({ name }) => name)).toEqual(['claim.json']);
    expect(await unfinished.isTaken('rec_1')).toBe(true);
    await second.close();
  });

  it('is unknown without a manifest', async () => {
    await unfinished.claim('rec_1');
    expect(await unfinished.size('rec_1')).toBeUndefined();
    await expect(unfinished.fetch('rec_1', join(folder, 'other'), signal)).rejects.toThrow('no manifest');
  });

  it('leaves no directory after a failed fetch', async () => {
    const shipper = unfinished.ship(directory);
    await appendFile(await addPart(), Buffer.concat([begin, fragmentOf(50)]));
    await shipper.flush();
    await shipper.close();
    const read = pieces.read.bind(pieces);
    pieces.read = (recordingID, name) =>
      name.startsWith('part') ? Promise.resolve(undefined) : read(recordingID, name);
    await expect(fetched()).rejects.toThrow('has lost its piece');
    expect(await readdir(join(folder, 'other'))).toEqual([]);
  });

  it('is removed when it did not change for 48 hours', async () => {
    await unfinished.claim('rec_1');
    await clock.advance(46 * hour);
    await unfinished.sweep();
    expect(await readdir(join(folder, 'pieces'))).toEqual(['rec_1']);
    await clock.advance(4 * hour);
    await unfinished.sweep();
    expect(await readdir(join(folder, 'pieces'))).toEqual([]);
  });
});
