import { ManualClock } from '@rtms/testing';
import { accountBudget, CommandBudgets, longestWait, roomBudget } from './command-budgets.js';

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
    const mostWaiting = (longestWait / 1000) * roomBudget.perSecond;
    const seen = await send(budgets, roomBudget.burst + mostWaiting + 7);
    expect(seen).toEqual({ done: roomBudget.burst, refused: 7 });
    await clock.advance(1_000);
    expect(seen.done).toBe(roomBudget.burst + roomBudget.perSecond);
    await clock.advance(longestWait);
    expect(seen.done).toBe(roomBudget.burst + mostWaiting);
  });

  it('gives each room its own budget within the budget of the account', async () => {
    await send(budgets, roomBudget.burst, 'room_1');
    expect(await send(budgets, roomBudget.burst, 'room_2')).toEqual({ done: roomBudget.burst, refused: 0 });
    expect(accountBudget.burst).toBe(2 * roomBudget.burst);
    const third = await send(budgets, 1, 'room_3');
    expect(third.done).toBe(0);
    expect(await send(budgets, 1, 'room_4', 'acct_2')).toEqual({ done: 1, refused: 0 });
    await clock.advance(1000 / accountBudget.perSecond);
    expect(third.done).toBe(1);
  });

  it('is full again after a pause', async () => {
    await send(budgets, roomBudget.burst);
    await clock.advance((roomBudget.burst / roomBudget.perSecond) * 1000);
    expect(await send(budgets, roomBudget.burst)).toEqual({ done: roomBudget.burst, refused: 0 });
  });
});
