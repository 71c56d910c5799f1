import { ManualClock } from '@rtms/testing';
import { CommandBudgets } from './command-budgets.js';

/** Sends `count` commands at once. Returns how many ran, were refused, and still wait. */
async function send(budgets: CommandBudgets, count: number, meetingID = 'room_1', accountID = 'acct_1') {
  const seen = { done: 0, refused: 0 };
  for (let each = 0; each < count; each++)
    void budgets.turn({ accountID, meetingID }).then(
      () => seen.done++,
      () => seen.refused++,
    );
  await new Promise(setImmediate);
  return seen;
}

describe('CommandBudgets', () => {
  let clock: ManualClock;
  let budgets: CommandBudgets;

  beforeEach(() => {
    clock = new ManualClock();
    budgets = new CommandBudgets(clock);
  });

  it('runs a burst, then paces commands, and refuses commands that would wait too long', async () => {
    const seen = await send(budgets, 257);
    expect(seen).toEqual({ done: 100, refused: 7 });
    await clock.advance(1_000);
    expect(seen.done).toBe(150);
    await clock.advance(3_000);
    expect(seen.done).toBe(250);
  });

  it('gives each room its own budget within the budget of the account', async () => {
    await send(budgets, 100, 'room_1');
    expect(await send(budgets, 100, 'room_2')).toEqual({ done: 100, refused: 0 });
    const third = await send(budgets, 1, 'room_3');
    expect(third.done).toBe(0);
    expect(await send(budgets, 1, 'room_4', 'acct_2')).toEqual({ done: 1, refused: 0 });
    await clock.advance(10);
    expect(third.done).toBe(1);
  });

  it('is full again after a pause', async () => {
    await send(budgets, 100);
    await clock.advance(2_000);
    expect(await send(budgets, 100)).toEqual({ done: 100, refused: 0 });
  });
});
