import { ManualClock } from '@rtms/testing';
import { WorkInHand } from './work-in-hand.js';

describe('WorkInHand', () => {
  const start = () => {
    const clock = new ManualClock();
    const work = new WorkInHand(clock);
    let finish = (): void => undefined;
    work.add(new Promise<void>(resolve => (finish = resolve)));
    work.add(Promise.reject(new Error('the owner of the work handles this')));
    let isSettled = false;
    void work.settled(2_000).then(() => (isSettled = true));
    return { clock, finish: () => finish(), isSettled: () => isSettled };
  };

  it('settles with its last work, also after a failure', async () => {
    const { clock, finish, isSettled } = start();
    await clock.advance(1_000);
    expect(isSettled()).toBe(false);
    finish();
    await clock.advance(0);
    expect(isSettled()).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('settles exactly at the timeout', async () => {
    const { clock, isSettled } = start();
    await clock.advance(1_999);
    expect(isSettled()).toBe(false);
    await clock.advance(1);
    expect(isSettled()).toBe(true);
  });
});
