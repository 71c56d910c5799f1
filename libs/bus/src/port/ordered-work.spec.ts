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

  it('handles items of one key one at a time', async () => {
    work.add('a', 'a1');
    work.add('a', 'a2');
    expect(begun).toEqual(['a1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'a2']);
  });

  it('starts up to atOnce items, then the others in the order of their keys', async () => {
    for (const key of ['a', 'b', 'c', 'd']) work.add(key, `${key}1`);
    expect(begun).toEqual(['a1', 'b1']);
    await end('b1');
    expect(begun).toEqual(['a1', 'b1', 'c1']);
    await end('c1');
    expect(begun).toEqual(['a1', 'b1', 'c1', 'd1']);
  });

  it('queues the next item of a busy key behind the due keys', async () => {
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

  it('handles other items while a failed item pauses', async () => {
    for (const key of ['a', 'b', 'c']) work.add(key, `${key}1`);
    await end('a1', new Error('not yet'));
    expect(begun).toEqual(['a1', 'b1', 'c1']);
    await clock.advance(100);
    await end('b1');
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a1 again']);
  });

  it('waits for items in progress when it closes, and starts no other', async () => {
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
