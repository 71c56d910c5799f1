import type { PieceStore } from './piece-store.js';

/** Tests of every piece store. `makeStore` opens an empty store. */
export function describePieceStore(makeStore: () => Promise<PieceStore>): void {
  let store: PieceStore;
  beforeEach(async () => {
    store = await makeStore();
  });
  afterEach(() => store.close());

  const put = (recordingID: string, name: string, text: string) => store.put(recordingID, name, Buffer.from(text));
  const names = async (recordingID: string) => (await store.list(recordingID)).map(({ name }) => name);

  it('returns a stored piece, and the newer one after a second put', async () => {
    await put('rec_1', 'manifest.json', 'one');
    await put('rec_1', 'manifest.json', 'other');
    expect(String(await store.read('rec_1', 'manifest.json'))).toBe('other');
    expect(await store.read('rec_1', 'other.json')).toBeUndefined();
    expect(await store.read('rec_2', 'manifest.json')).toBeUndefined();
  });

  it('lists the pieces of one recording in the order of their names', async () => {
    await put('rec_1', 'part-0.mp4.0000000000010', 'second');
    await put('rec_1', 'part-0.mp4.0000000000000', 'one');
    await put('rec_12', 'part-0.mp4.0000000000000', 'of another');
    expect(await store.list('rec_1')).toEqual([
      { name: 'part-0.mp4.0000000000000', size: 3 },
      { name: 'part-0.mp4.0000000000010', size: 6 },
    ]);
    expect(await store.list('rec_3')).toEqual([]);
  });

  it('removes the pieces of one recording, except those to keep', async () => {
    for (const name of ['a', 'b', 'c']) await put('rec_1', name, name);
    await put('rec_12', 'a', 'a');
    await store.remove('rec_1', ['b']);
    expect(await names('rec_1')).toEqual(['b']);
    await store.remove('rec_1');
    await store.remove('rec_1');
    expect([await names('rec_1'), await names('rec_12')]).toEqual([[], ['a']]);
  });

  it('finds recordings without a newer piece, up to the limit', async () => {
    for (const recordingID of ['rec_1', 'rec_2', 'rec_3']) await put(recordingID, 'a', 'a');
    expect(await store.listUnchangedSince(new Date(Date.now() - 60_000), 10)).toEqual([]);
    const later = new Date(Date.now() + 60_000);
    expect((await store.listUnchangedSince(later, 10)).sort()).toEqual(['rec_1', 'rec_2', 'rec_3']);
    expect(await store.listUnchangedSince(later, 2)).toHaveLength(2);
  });

  it.each([
    ['../rec_1', 'a'],
    ['rec_1', '../a'],
    ['rec_1', '.a'],
    ['rec_1', 'a/b'],
    ['', 'a'],
  ])('refuses the name %j/%j', async (recordingID, name) => {
    await expect((async () => put(recordingID, name, 'x'))()).rejects.toThrow('not a piece of a recording');
    await expect((async () => store.read(recordingID, name))()).rejects.toThrow('not a piece of a recording');
  });

  it('can be closed twice', async () => {
    await store.close();
    await expect(store.close()).resolves.toBeUndefined();
  });
}
