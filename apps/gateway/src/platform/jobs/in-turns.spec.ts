import { atMost, groupInTurns, inTurns, portionsOf } from './in-turns.js';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('inTurns', () => {
  it('visits all items in their order', async () => {
    const visited: number[] = [];
    await inTurns(numbers(1_234), item => void visited.push(item));
    expect(visited).toEqual(numbers(1_234));
  });

  it('lets other work run at least once in 500 items', async () => {
    let isOver = false;
    let since = 0;
    const longest = { items: 0 };
    const others = (): void => {
      since = 0;
      if (!isOver) setImmediate(others);
    };
    others();
    await inTurns(numbers(5_000), () => {
      since += 1;
      longest.items = Math.max(longest.items, since);
    });
    isOver = true;
    expect(longest.items).toBeLessThanOrEqual(500);
  });
});

describe('groupInTurns', () => {
  it('keeps the order of the items of one key', async () => {
    const groups = await groupInTurns(numbers(7), item => item % 3);
    expect([...groups]).toEqual([
      [0, [0, 3, 6]],
      [1, [1, 4]],
      [2, [2, 5]],
    ]);
  });
});

describe('portionsOf', () => {
  it('returns each item once, in order, in portions within the limit', () => {
    expect(portionsOf(numbers(5), 2)).toEqual([[0, 1], [2, 3], [4]]);
    expect(portionsOf([], 2)).toEqual([]);
  });
});

describe('atMost', () => {
  it('acts on all items, with at most `limit` at a time', async () => {
    let running = 0;
    let most = 0;
    const done: number[] = [];
    await atMost(3, numbers(10), async item => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      done.push(item);
    });
    expect([most, done.length]).toEqual([3, 10]);
  });

  it('continues after a failure and rejects with the first failure at the end', async () => {
    const done: number[] = [];
    const acting = atMost(2, numbers(5), item => {
      done.push(item);
      return item % 2 === 1 ? Promise.reject(new Error(`failed at ${item}`)) : Promise.resolve();
    });
    await expect(acting).rejects.toThrow('failed at 1');
    expect(done).toEqual(numbers(5));
  });
});
