import { FairSlots } from './fair-slots.js';

describe('FairSlots', () => {
  const slots = new FairSlots({ slots: 3, slotsPerOwner: 2, waitingPerOwner: 2, waiting: 3 });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const runs = new Map<string, Promise<void>>();
  const run = (name: string) => {
    const task = () =>
      new Promise<void>(resolve => {
        started.push(name);
        ends.set(name, resolve);
      });
    runs.set(name, slots.run(name.charAt(0), task));
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await runs.get(name);
  };

  it('leaves a slot to other owners', () => {
    for (const name of ['a1', 'a2', 'a3', 'a4']) run(name);
    run('b1');
    expect(started).toEqual(['a1', 'a2', 'b1']);
  });

  it('refuses an owner with too many waiting tasks, and then everybody', async () => {
    run('a5');
    await expect(runs.get('a5')).rejects.toMatchObject({ reason: 'too_many_waiting' });
    run('b2');
    run('c1');
    await expect(runs.get('c1')).rejects.toMatchObject({ reason: 'too_many_waiting' });
  });

  it('lets the owners take turns', async () => {
    for (const name of ['a1', 'b1', 'a2', 'a3']) await end(name);
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
  });

  it('takes tasks that are aborted out of the queue', async () => {
    const one = new FairSlots({ slots: 1, slotsPerOwner: 1, waitingPerOwner: 20, waiting: 20 });
    let endLong: (() => void) | undefined;
    const long = one.run('a', () => new Promise<void>(resolve => (endLong = resolve)));
    const abort = new AbortController();
    let tasks = 0;
    const task = () => Promise.resolve((tasks += 1));
    const waiting = Array.from({ length: 20 }, () => one.run('a', task, abort.signal));
    const refused = Promise.allSettled(waiting);
    await expect(one.run('b', task)).rejects.toMatchObject({ reason: 'too_many_waiting' });
    abort.abort(new Error('deleted'));
    const reasons = (await refused).map(each => each.status === 'rejected' && String(each.reason));
    expect(new Set(reasons)).toEqual(new Set(['Error: deleted']));
    await expect(one.run('a', task, abort.signal)).rejects.toThrow('deleted');
    const [next, last] = [one.run('b', task, new AbortController().signal), one.run('a', task)];
    endLong?.();
    await expect(Promise.all([long, next, last])).resolves.toEqual([undefined, 1, 2]);
  });

  it('frees the slot of a task that fails', async () => {
    for (const name of ['a4', 'b2']) await end(name);
    for (let count = 0; count < 3; count += 1) {
      await expect(slots.run('d', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    }
    await expect(slots.run('d', () => Promise.resolve('fine'))).resolves.toBe('fine');
  });
});
