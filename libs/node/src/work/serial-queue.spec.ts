import { SerialQueue } from './serial-queue.js';

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

describe('SerialQueue', () => {
  it('begins a task when the task before it has ended, in order', async () => {
    const queue = new SerialQueue();
    const steps: string[] = [];
    let finishFirst = (): void => undefined;
    const first = queue.run(async () => {
      steps.push('first begins');
      await new Promise<void>(resolve => (finishFirst = resolve));
      steps.push('first ends');
    });
    const second = queue.run(async () => void steps.push('second begins'));
    await turn();
    expect(steps).toEqual(['first begins']);
    finishFirst();
    await Promise.all([first, second]);
    expect(steps).toEqual(['first begins', 'first ends', 'second begins']);
  });

  it('settles as its task does, and goes on after a failure', async () => {
    const queue = new SerialQueue();
    const failing = queue.run(() => Promise.reject(new Error('no')));
    const next = queue.run(async () => 'yes');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });

  it('is idle when the tasks added so far have ended, also those that fail', async () => {
    const queue = new SerialQueue();
    let fail = (): void => undefined;
    const failing = queue.run(() => new Promise<void>((_resolve, reject) => (fail = () => reject(new Error('no')))));
    let isIdle = false;
    const idle = queue.idle().then(() => (isIdle = true));
    void queue.run(() => new Promise<void>(() => undefined));
    await turn();
    expect(isIdle).toBe(false);
    fail();
    await expect(failing).rejects.toThrow('no');
    expect(await idle).toBe(true);
  });

  it('is idle at once without tasks', async () => {
    await expect(new SerialQueue().idle()).resolves.toBeUndefined();
  });
});
