import { createLogger } from '@rtms/logging';
import { ManualClock } from '@rtms/testing';
import { chooseToShorten, DvrBudget, dvrReserveBytes } from './dvr-budget.js';
import { Presentation } from './presentation.js';
import { addEach, begin, listed } from './testing/presentation-bed.js';
import { MemorySegmentStore } from '../testing/memory-segment-store.js';

describe('the broadcast that loses its oldest segments first', () => {
  const held = (name: string, accountID: string, dvrBytes: number, ended = false) => ({
    ...{ accountID, holder: { name, dvrBytes, ended } },
  });
  const all = [held('a1', 'a', 60), held('a2', 'a', 50, true), held('b1', 'b', 90), held('c1', 'c', 0)];
  const limits = { maxBytes: 1_000, maxAccountBytes: 1_000 };

  it.each([
    ['is none while everything fits', all, limits, Infinity, undefined],
    ['is none at exactly the limits', all, { maxBytes: 200, maxAccountBytes: 110 }, dvrReserveBytes, undefined],
    ['is of the largest account, and has ended', all, { ...limits, maxBytes: 199 }, Infinity, 'a2'],
    ['is of an account above its own limit', all, { ...limits, maxAccountBytes: 109 }, Infinity, 'a2'],
    ['exists when the disk is nearly full', all, limits, dvrReserveBytes - 1, 'a2'],
    ['is the largest of the account', [all[0]!, held('a3', 'a', 61)], limits, 0, 'a3'],
    ['is none when nobody can seek back', [all[3]!], limits, 0, undefined],
  ])('%s', (_case, holders, bounds, free, expected) => {
    expect(chooseToShorten(holders, bounds, free)?.name).toBe(expected);
  });
});

describe('the budget of a node', () => {
  const clock = new ManualClock();
  const space = { free: Infinity };
  let store: MemorySegmentStore;
  let budget: DvrBudget;

  const open = async (broadcastID: string, accountID: string, segments: number): Promise<Presentation> => {
    const options = { segmentSeconds: 1, windowSegments: 3, dvrSeconds: 3600 };
    const presentation = new Presentation(broadcastID, options, store, clock);
    budget.add(presentation, accountID);
    await begin(presentation);
    await addEach(presentation, segments);
    return presentation;
  };
  const budgetOf = (maxBytes: number, maxAccountBytes = maxBytes): DvrBudget =>
    new DvrBudget(
      { clock, freeBytes: () => Promise.resolve(space.free), logger: createLogger({ service: 's', level: 'silent' }) },
      { maxBytes, maxAccountBytes },
    );

  beforeEach(() => {
    store = new MemorySegmentStore();
    space.free = Infinity;
  });
  afterEach(() => budget.close());

  it('takes the time to seek back from the account that uses most, within two seconds', async () => {
    budget = budgetOf(Infinity);
    const [small, large] = [await open('b1', 'small', 5), await open('b2', 'large', 20)];
    const perSet = small.dvrBytes / 2;
    await budget.close();
    budget = budgetOf(6 * perSet);
    budget.add(small, 'small');
    budget.add(large, 'large');
    const first = listed(large)[0]!;
    await clock.advance(2_000);
    await budget.check();
    expect([listed(small).length, listed(large).length]).toEqual([5, 7]);
    expect(budget.usedBytes).toBe(6 * perSet);
    expect(await large.segment(`90p/${first}`)).toBeUndefined();
    expect(large.mediaPlaylist('90p')).toContain('#EXT-X-MEDIA-SEQUENCE:13\n');
  });

  it('leaves every broadcast its window on a full disk', async () => {
    budget = budgetOf(Infinity);
    const presentations = [await open('b1', 'a', 9), await open('b2', 'b', 2)];
    space.free = 0;
    await budget.check();
    expect(presentations.map(each => listed(each).length)).toEqual([3, 2]);
    expect(budget.usedBytes).toBe(0);
  });

  it('forgets a closed broadcast', async () => {
    budget = budgetOf(Infinity);
    const presentation = await open('b1', 'a', 9);
    expect(budget.usedBytes).toBeGreaterThan(0);
    await presentation.close();
    expect(budget.usedBytes).toBe(0);
  });

  it('deletes what viewers could seek back in before the broadcast came back to the node', async () => {
    budget = budgetOf(Infinity);
    const former = await open('b1', 'a', 9);
    const [first, last] = [listed(former)[0]!, listed(former).at(-1)!];
    former.handOver();
    await clock.advance(2_000);
    const returned = await open('b1', 'a', 6);
    await budget.check();
    expect(budget.usedBytes).toBe(returned.dvrBytes);
    expect(await returned.segment(`90p/${first}`)).toBeUndefined();
    expect(await returned.segment(`90p/${last}`)).toBeDefined();
  });
});
