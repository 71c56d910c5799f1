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
    ['has something to give', [held('a4', 'a', 0, true), all[0]!], limits, 0, 'a1'],
    ['is none without broadcasts', [], limits, 0, undefined],
  ])('%s', (_case, holders, bounds, free, expected) => {
    expect(chooseToShorten(holders, bounds, free)?.name).toBe(expected);
  });
});

describe('the budget of a node', () => {
  const clock = new ManualClock();
  const space = { read: () => Infinity };
  const lines: string[] = [];
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
  const budgetOf = (maxBytes: number, maxAccountBytes = maxBytes): DvrBudget => {
    const logger = createLogger({ service: 's', level: 'warn', destination: { write: line => void lines.push(line) } });
    return new DvrBudget({ clock, freeBytes: async () => space.read(), logger }, { maxBytes, maxAccountBytes });
  };

  beforeEach(() => {
    store = new MemorySegmentStore();
    space.read = () => Infinity;
    lines.length = 0;
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
    await budget.close();
    expect([listed(small).length, listed(large).length]).toEqual([5, 7]);
    expect(budget.usedBytes).toBe(6 * perSet);
    expect(await large.segment(`90p/${first}`)).toBeUndefined();
    expect(large.mediaPlaylist('90p')).toContain('#EXT-X-MEDIA-SEQUENCE:13\n');
  });

  it('leaves every broadcast its window on a full disk', async () => {
    budget = budgetOf(Infinity);
    const presentations = [await open('b1', 'a', 9), await open('b2', 'b', 2)];
    space.read = () => 0;
    await budget.check();
    expect(presentations.map(each => listed(each).length)).toEqual([3, 2]);
    expect(budget.usedBytes).toBe(0);
  });

  it('gives the disk what it lacks, and says so', async () => {
    budget = budgetOf(Infinity);
    const presentation = await open('b1', 'a', 9);
    const bytes = presentation.dvrBytes / 6;
    space.read = () => dvrReserveBytes - 1.5 * bytes;
    await budget.check();
    expect(listed(presentation)).toHaveLength(7);
    const text = 'shortened the DVR window of a broadcast to save disk';
    expect(lines.map(line => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ msg: text, broadcastID: 'b1', bytes: 2 * bytes }),
    ]);
  });

  it('logs why it cannot read the free space, and tries again', async () => {
    budget = budgetOf(0);
    const presentation = await open('b1', 'a', 9);
    space.read = () => {
      throw new Error('no disk');
    };
    await budget.check();
    expect(lines).toEqual([expect.stringMatching(/no disk.*cannot shorten the DVR windows of broadcasts/)]);
    space.read = () => Infinity;
    await budget.check();
    expect(listed(presentation)).toHaveLength(3);
  });

  it('checks no more once it is closed', async () => {
    budget = budgetOf(0);
    const presentation = await open('b1', 'a', 9);
    await budget.close();
    await clock.advance(4_000);
    expect(listed(presentation)).toHaveLength(9);
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

describe('a presentation that viewers can seek back in', () => {
  const open = (options: { dvrSeconds?: number; isLow?: boolean }) => {
    const window = { segmentSeconds: 2, windowSegments: 3 };
    return new Presentation('b1', { ...window, ...options }, new MemorySegmentStore(), new ManualClock());
  };

  it.each([
    [undefined, false],
    [6, false],
    [6.1, true],
  ])('for %s s lets players with an older playlist skip: %s', async (dvrSeconds, canSkip) => {
    const presentation = open(dvrSeconds === undefined ? {} : { dvrSeconds });
    await begin(presentation);
    await addEach(presentation);
    expect(presentation.mediaPlaylist('90p')?.includes('CAN-SKIP-UNTIL=12.0')).toBe(canSkip);
  });

  it('answers whole, unless the player asks for a delta update', async () => {
    const presentation = open({ dvrSeconds: 3600 });
    await begin(presentation);
    await addEach(presentation, 40);
    expect(presentation.mediaPlaylist('90p')).not.toContain('EXT-X-SKIP');
    expect(presentation.mediaPlaylist('90p', true)).toContain('EXT-X-SKIP');
  });

  it('stays fetchable for as long as they can seek back, but after a hand-over for one window', async () => {
    const presentation = open({ dvrSeconds: 20 });
    await begin(presentation);
    expect(presentation.retentionMs).toBe(6_000);
    await addEach(presentation, 9);
    expect(presentation.retentionMs).toBe(9_000);
    await addEach(presentation, 20);
    expect(presentation.retentionMs).toBe(10_000);
    presentation.handOver();
    expect(presentation.retentionMs).toBe(6_000);
  });

  it('stays fetchable for one window without the time to seek back', async () => {
    const presentation = open({ dvrSeconds: 6 });
    await begin(presentation);
    await addEach(presentation, 9);
    expect(presentation.retentionMs).toBe(6_000);
  });

  it('has a new version when it gives up its oldest segments, and only then', async () => {
    const presentation = open({ dvrSeconds: 3600 });
    await begin(presentation);
    await addEach(presentation, 4);
    const { version, dvrBytes } = presentation;
    expect(await presentation.giveUpOldest()).toBe(dvrBytes);
    expect(presentation.version).toBe(version + 1);
    expect(await presentation.giveUpOldest()).toBe(0);
    expect(presentation.version).toBe(version + 1);
  });
});
