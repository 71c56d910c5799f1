import { UsageTally } from './usage-tally.js';

const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 10, 0, second));
const use = (keyID: string, second: number, operation: 'readRooms' | 'createRoom' = 'readRooms') => ({
  keyID,
  operation,
  requestCount: 1,
  lastUsedAt: at(second),
});

describe('uses that are not written down yet', () => {
  it('are added up by key and operation, with the latest time', () => {
    const tally = new UsageTally();
    for (const each of [use('a', 2), use('a', 1), use('a', 3, 'createRoom'), use('b', 4)]) tally.add(each);
    expect(tally.take('a')).toEqual([{ ...use('a', 2), requestCount: 2 }, use('a', 3, 'createRoom')]);
  });

  it('are taken once', () => {
    const tally = new UsageTally();
    tally.add(use('b', 1));
    tally.add(use('a', 1));
    expect(tally.takeAll().map(each => each.keyID)).toEqual(['a', 'b']);
    expect([tally.takeAll(), tally.take('a')]).toEqual([[], []]);
  });

  it('can be given back', () => {
    const tally = new UsageTally();
    tally.add(use('a', 1));
    const taken = tally.takeAll();
    tally.add(use('a', 2));
    for (const each of taken) tally.add(each);
    expect(tally.takeAll()).toEqual([{ ...use('a', 2), requestCount: 2 }]);
  });
});
