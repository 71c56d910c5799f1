import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { RecordingStore } from './recording-store.js';

/** Tests of every recording store. `makeStore` opens an empty store. */
export function describeRecordingStore(makeStore: () => Promise<RecordingStore>): void {
  let store: RecordingStore;
  let directory: string;
  beforeEach(async () => {
    store = await makeStore();
    directory = await mkdtemp(join(tmpdir(), 'rtms-store-'));
  });
  afterEach(async () => {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  });

  const put = async (recordingID: string, content: Buffer) => {
    const path = join(directory, `${recordingID}.tmp`);
    await writeFile(path, content);
    return store.put(recordingID, path);
  };
  const read = async (recordingID: string, range?: { start: number; end: number }) => {
    const stream = await store.read(recordingID, range);
    return stream && (await buffer(stream));
  };

  it('returns a stored file and ranges of it', async () => {
    await put('rec_1', Buffer.from('0123456789'));
    expect(await store.size('rec_1')).toBe(10);
    expect(String(await read('rec_1'))).toBe('0123456789');
    expect(String(await read('rec_1', { start: 2, end: 4 }))).toBe('234');
    expect(String(await read('rec_1', { start: 9, end: 9 }))).toBe('9');
  });

  it('writes a stored file to another path, where it stays', async () => {
    const copy = join(directory, 'copy.mp4');
    expect(await store.copyTo('rec_1', copy)).toBe(false);
    await put('rec_1', Buffer.from('0123456789'));
    expect(await store.copyTo('rec_1', copy)).toBe(true);
    await store.delete('rec_1');
    expect(await readFile(copy, 'utf8')).toBe('0123456789');
  });

  it('stores a file of several upload parts', async () => {
    const content = Buffer.alloc(12 * 1024 * 1024, 'recording');
    await put('rec_1', content);
    expect(await store.size('rec_1')).toBe(content.length);
    expect((await read('rec_1'))?.equals(content)).toBe(true);
  });

  it('keeps a stored file, and says that it exists', async () => {
    expect(await put('rec_1', Buffer.from('one'))).toBe('stored');
    expect(await put('rec_1', Buffer.from('other'))).toBe('exists');
    expect(String(await read('rec_1'))).toBe('one');
    await store.delete('rec_1');
    expect(await put('rec_1', Buffer.from('other'))).toBe('stored');
    expect(String(await read('rec_1'))).toBe('other');
  });

  it('keeps one whole file of several that are stored at once', async () => {
    const contents = ['one', 'other', 'third'];
    const results = await Promise.all(
      contents.map(async content => {
        const path = join(directory, content);
        await writeFile(path, content);
        return store.put('rec_1', path);
      }),
    );
    expect(results.toSorted()).toEqual(['exists', 'exists', 'stored']);
    expect(String(await read('rec_1'))).toBe(contents[results.indexOf('stored')]);
  });

  it.each(['rec_2', '../rec_1', 'rec_1.mp4', '', 'a/b'])('has nothing under the name %j', async name => {
    await put('rec_1', Buffer.from('one'));
    expect([await store.size(name), await store.read(name)]).toEqual([undefined, undefined]);
    await store.delete(name);
    expect(await store.size('rec_1')).toBe(3);
  });

  it('refuses a name with a path', async () => {
    const path = join(directory, 'file');
    await writeFile(path, 'one');
    await expect(store.put('../rec_1', path)).rejects.toThrow();
  });

  it('deletes a file, also a missing one', async () => {
    await put('rec_1', Buffer.from('one'));
    await store.delete('rec_1');
    await store.delete('rec_1');
    expect(await store.size('rec_1')).toBeUndefined();
  });

  it('rejects a missing source file and stores nothing', async () => {
    await expect(store.put('rec_1', join(directory, 'missing'))).rejects.toThrow();
    expect(await store.size('rec_1')).toBeUndefined();
  });

  it('can be closed twice', async () => {
    await store.close();
    await expect(store.close()).resolves.toBeUndefined();
  });
}
