import type { SegmentStore } from './segment-store.js';

/** Tests of every segment store. `makeStore` opens an empty store. */
export function describeSegmentStore(makeStore: () => Promise<SegmentStore>): void {
  let store: SegmentStore;
  beforeEach(async () => {
    store = await makeStore();
  });
  afterEach(() => store.close());

  it('returns a stored segment', async () => {
    await store.put('b1', '720p/1.m4s', Buffer.from('one'));
    expect(await store.get('b1', '720p/1.m4s')).toEqual(Buffer.from('one'));
  });

  it('returns a stored segment from memory until it is deleted', async () => {
    await store.put('b1', '720p/1.m4s', Buffer.from('one'));
    expect(store.getFromMemory('b1', '720p/1.m4s')).toEqual(Buffer.from('one'));
    await store.delete('b1', '720p/1.m4s');
    for (const name of ['720p/1.m4s', '720p/2.m4s', '../b1/720p/1.m4s'])
      expect(store.getFromMemory('b1', name)).toBeUndefined();
  });

  it('stores an empty segment', async () => {
    await store.put('b1', '720p/1.m4s', Buffer.alloc(0));
    expect(await store.get('b1', '720p/1.m4s')).toHaveLength(0);
  });

  it('returns undefined for unknown names, broadcasts and directories', async () => {
    await store.put('b1', '720p/1.m4s', Buffer.from('one'));
    const missing = [store.get('b1', '720p/2.m4s'), store.get('b2', '720p/1.m4s'), store.get('b1', '1.m4s')];
    expect(await Promise.all(missing)).toEqual([undefined, undefined, undefined]);
  });

  it.each(['../b2/1.m4s', '720p/../../b2/1.m4s', '/etc/passwd', '', '720p//1.m4s', '.hidden', '720p/%2e%2e'])(
    'has nothing under the name %j',
    async name => {
      await store.put('b2', '1.m4s', Buffer.from('other'));
      expect(await store.get('b1', name)).toBeUndefined();
      await store.delete('b1', name);
      expect(await store.get('b2', '1.m4s')).toBeDefined();
    },
  );

  it('deletes a segment, also a missing one', async () => {
    await store.put('b1', '720p/1.m4s', Buffer.from('one'));
    await store.put('b1', '720p/2.m4s', Buffer.from('two'));
    await store.delete('b1', '720p/1.m4s');
    await store.delete('b1', '720p/1.m4s');
    expect(await store.get('b1', '720p/1.m4s')).toBeUndefined();
    expect(await store.get('b1', '720p/2.m4s')).toBeDefined();
  });

  it('deletes all of one broadcast and nothing of another', async () => {
    await store.put('b1', '720p/1.m4s', Buffer.from('one'));
    await store.put('b1', 'audio/1.m4s', Buffer.from('one'));
    await store.put('b10', '720p/1.m4s', Buffer.from('other'));
    await store.deleteAll('b1');
    await store.deleteAll('b1');
    expect(await store.get('b1', '720p/1.m4s')).toBeUndefined();
    expect(await store.get('b1', 'audio/1.m4s')).toBeUndefined();
    expect(await store.get('b10', '720p/1.m4s')).toBeDefined();
  });

  it('handles concurrent writes', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `720p/${index}.m4s`);
    await Promise.all(names.map(name => store.put('b1', name, Buffer.from(name))));
    expect((await Promise.all(names.map(name => store.get('b1', name)))).map(String)).toEqual(names);
  });

  it('can be closed twice', async () => {
    await store.close();
    await expect(store.close()).resolves.toBeUndefined();
  });
}
