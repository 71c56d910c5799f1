import { inspect } from 'node:util';
import { currentPool, inBackground } from '../database/connection-pools.js';
import { BatchLines, WorkLines } from './work-lines.js';

/** Work that ends when the test says so. */
class Gate {
  readonly opened: Promise<void>;
  open!: () => void;
  fail!: (error: Error) => void;

  constructor() {
    this.opened = new Promise((resolve, reject) => {
      this.open = resolve;
      this.fail = reject;
    });
  }
}

describe('WorkLines', () => {
  it('runs the work of a subject in order, one after the other', async () => {
    const lines = new WorkLines(10);
    const gates = [new Gate(), new Gate(), new Gate()];
    const begun: number[] = [];
    const running = gates.map(({ opened }, index) =>
      lines.run('a', async () => {
        begun.push(index);
        await opened;
        return index;
      }),
    );
    gates[2]?.open();
    gates[1]?.open();
    await Promise.resolve();
    expect(begun).toEqual([0]);
    gates[0]?.open();
    expect(await Promise.all(running)).toEqual([0, 1, 2]);
    expect(begun).toEqual([0, 1, 2]);
  });

  it('keeps the order of work that comes while others run', async () => {
    const lines = new WorkLines(10);
    const gates = [new Gate(), new Gate()];
    const [first, second] = gates.map(({ opened }) => lines.run('a', () => opened));
    gates[0]?.open();
    await first;
    let begun = false;
    const third = lines.run('a', () => Promise.resolve((begun = true)));
    await new Promise(setImmediate);
    expect(begun).toBe(false);
    gates[1]?.open();
    await second;
    expect(await third).toBe(true);
  });

  it('continues after failed work', async () => {
    const lines = new WorkLines(10);
    const failing = lines.run('a', () => Promise.reject(new Error('no')));
    const next = lines.run('a', () => Promise.resolve('yes'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });

  it('runs different subjects at the same time', async () => {
    const lines = new WorkLines(1);
    const gate = new Gate();
    const waiting = lines.run('a', () => gate.opened);
    expect(await lines.run('b', () => Promise.resolve('b'))).toBe('b');
    gate.open();
    await waiting;
  });

  it('remembers a subject only while it has work', async () => {
    const lines = new WorkLines(1);
    const gate = new Gate();
    const waiting = lines.run('acct_1', () => gate.opened);
    expect(inspect(lines, { depth: null })).toContain('acct_1');
    gate.open();
    await waiting;
    expect(inspect(lines, { depth: null })).not.toContain('acct_1');
  });

  it('refuses work while a line is full', async () => {
    const lines = new WorkLines(2);
    const gate = new Gate();
    const both = [lines.run('a', () => gate.opened), lines.run('a', () => gate.opened)];
    const refused = { reason: 'too_many_waiting', status: 429, retryAfterSeconds: 1 };
    await expect(lines.run('a', () => Promise.resolve())).rejects.toMatchObject(refused);
    gate.open();
    await Promise.all(both);
    expect(await lines.run('a', () => Promise.resolve('in'))).toBe('in');
  });
});

describe('BatchLines', () => {
  it('handles items of a subject that wait together, and other subjects meanwhile', async () => {
    const gate = new Gate();
    const handled: [string, number[]][] = [];
    const handle = async (subject: string, items: readonly number[]) => {
      handled.push([subject, [...items]]);
      if (items.includes(1)) await gate.opened;
    };
    const lines = new BatchLines<number>({ longest: 4, size: 2, handle });
    const first = lines.add('a', 1);
    await Promise.resolve();
    const others = [2, 3, 4].map(item => lines.add('a', item));
    await expect(lines.add('a', 5)).rejects.toMatchObject({ reason: 'too_many_waiting' });
    await lines.add('b', 6);
    gate.open();
    await Promise.all([first, ...others]);
    expect(handled).toEqual([
      ['a', [1]],
      ['b', [6]],
      ['a', [2, 3]],
      ['a', [4]],
    ]);
  });

  it('handles no item of a request together with background work', async () => {
    const handled: [string, number[]][] = [];
    const handle = (_: string, items: readonly number[]) => {
      handled.push([currentPool(), [...items]]);
      return Promise.resolve();
    };
    const lines = new BatchLines<number>({ longest: 4, size: 4, handle });
    const adds = [lines.add('a', 1), inBackground(() => lines.add('a', 2)), lines.add('a', 3)];
    await Promise.all([...adds, inBackground(() => lines.add('a', 4))]);
    expect(handled).toEqual([
      ['requests', [1, 3]],
      ['background', [2, 4]],
    ]);
  });
});
