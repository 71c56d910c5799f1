import { ManualClock } from '@rtms/testing';
import { Pace } from './pace.js';

describe('Pace', () => {
  let clock: ManualClock;
  let pace: Pace;
  let begun: string[];

  beforeEach(() => {
    clock = new ManualClock();
    pace = new Pace(clock);
    begun = [];
  });

  /** A portion of this duration. */
  const taking = (milliseconds: number) => async (portion: string) => {
    begun.push(portion);
    clock.stall(milliseconds);
    await Promise.resolve();
  };

  it('rests after each portion but the last for half of its time', async () => {
    const done = pace.through(['first', 'second', 'third'], taking(40));
    await clock.advance(19);
    expect(begun).toEqual(['first']);
    await clock.advance(1);
    expect(begun).toEqual(['first', 'second']);
    await clock.advance(20);
    expect(begun).toEqual(['first', 'second', 'third']);
    await done;
    expect(clock.pending).toBe(0);
  });

  it('rests for 250 ms at most', async () => {
    const done = pace.through(['first', 'second'], taking(5_000));
    await clock.advance(249);
    expect(begun).toEqual(['first']);
    await clock.advance(1);
    await done;
    expect(begun).toEqual(['first', 'second']);
  });

  it('starts a portion after the one before has ended', async () => {
    let finish = (): void => undefined;
    const done = pace.through(['first', 'second'], portion => {
      begun.push(portion);
      return new Promise(resolve => (finish = resolve));
    });
    await clock.settled();
    expect(begun).toEqual(['first']);
    finish();
    await clock.settled();
    expect(begun).toEqual(['first', 'second']);
    finish();
    await done;
  });

  it('continues after a failure and rejects with the first failure at the end', async () => {
    const failing = pace.through(['first', 'second', 'third'], async portion => {
      begun.push(portion);
      if (portion !== 'third') throw new Error(`failed at ${portion}`);
      await Promise.resolve();
    });
    await expect(failing).rejects.toThrow('failed at first');
    expect(begun).toEqual(['first', 'second', 'third']);
  });

  it('ends all rests when the gateway stops', async () => {
    const done = pace.through(['first', 'second', 'third'], taking(40));
    await clock.settled();
    pace.onModuleDestroy();
    await done;
    expect(begun).toEqual(['first', 'second', 'third']);
  });
});
