import { ManualClock } from '@rtms/testing';
import { OrderedWork } from './ordered-work.js';

describe('OrderedWork', () => {
  let clock: ManualClock;
  let begun: string[];
  let finish: Map<string, (error?: Error) => void>;
  let work: OrderedWork<string>;

  beforeEach(() => {
    clock = new ManualClock();
    begun = [];
    finish = new Map();
    work = new OrderedWork({
      clock,
      atOnce: 2,
      handle: (item, failures) =>
        new Promise((resolve, reject) => {
          begun.push(failures > 0 ? `${item} again` : item);
          finish.set(item, error => (error ? reject(error) : resolve()));
        }),
    });
  });

  const end = async (item: string, error?: Error): Promise<void> => {
    finish.get(item)?.(error);
    await clock.settled();
  };

  it('begins no second item of a key before the first one is done', async () => {
    work.add('a', 'a1');
    work.add('a', 'a2');
    expect(begun).toEqual(['a1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'a2']);
  });

  it('begins as many items at once as it may, and the others in the order of their keys', async () => {
    for (const key of ['a', 'b', 'c', 'd']) work.add(key, `${key}1`);
    expect(begun).toEqual(['a1', 'b1']);
    await end('b1');
    expect(begun).toEqual(['a1', 'b1', 'c1']);
    await end('c1');
    expect(begun).toEqual(['a1', 'b1', 'c1', 'd1']);
  });

  it('lets no key wait for a busy one: its next item comes behind the keys that are due', async () => {
    for (const [key, item] of [
      ['a', 'a1'],
      ['b', 'b1'],
      ['a', 'a2'],
      ['c', 'c1'],
    ] as const)
      work.add(key, item);
    await end('a1');
    expect(begun).toEqual(['a1', 'b1', 'c1']);
  });

  it('frees the place of a failed item while it pauses', async () => {
    for (const key of ['a', 'b', 'c']) work.add(key, `${key}1`);
    await end('a1', new Error('not yet'));
    expect(begun).toEqual(['a1', 'b1', 'c1']);
    await clock.advance(100);
    await end('b1');
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a1 again']);
  });

  it('waits at its close for what is at work, and begins nothing more', async () => {
    for (const key of ['a', 'b', 'c']) work.add(key, `${key}1`);
    await end('a1', new Error('not yet'));
    let isClosed = false;
    const closing = work.close().then(() => (isClosed = true));
    await clock.settled();
    expect(isClosed).toBe(false);
    await end('b1');
    await end('c1');
    await closing;
    work.add('d', 'd1');
    expect([begun, clock.pending]).toEqual([['a1', 'b1', 'c1'], 0]);
  });
});
