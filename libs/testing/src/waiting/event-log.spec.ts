import { EventLog } from './event-log.js';

describe('EventLog', () => {
  it('finds an earlier and a later event', async () => {
    const log = new EventLog<number>();
    log.add(1);
    const later = log.find(each => each === 2);
    log.add(2);
    await expect(log.find(each => each === 1)).resolves.toBe(1);
    await expect(later).resolves.toBe(2);
  });

  it('finds only later events with next', async () => {
    const log = new EventLog<string>();
    log.add('a1');
    const next = log.next(each => each.startsWith('a'));
    log.add('b');
    log.add('a2');
    await expect(next).resolves.toBe('a2');
  });

  it('waits for a number of events, and more than that number is enough', async () => {
    const log = new EventLog<number>();
    const two = log.atLeast(2);
    [1, 2, 3].forEach(log.add);
    await expect(two).resolves.toEqual([1, 2, 3]);
    await expect(log.atLeast(2)).resolves.toHaveLength(3);
  });

  it('names the awaited and the received events in its error', async () => {
    const log = new EventLog<string>();
    log.add('other');
    await expect(log.find(each => each === 'wanted', { timeoutMs: 1 })).rejects.toThrow(
      /wanted.*these arrived.*other/s,
    );
  });
});
