import { ManualClock } from '@rtms/testing';
import { accountBudget, CommandBudgets, longestWait, roomBudget } from './command-budgets.js';

/** How many of so many commands at once went through, were refused, and still wait. */
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

describe('the budgets of commands', () => {
  let clock: ManualClock;
  let budgets: CommandBudgets;

  beforeEach(() => {
    clock = new ManualClock();
    budgets = new CommandBudgets(clock);
  });

  it('let a burst through, then one command after the other, and refuse what would wait for too long', async () => {
    const mostWaiting = (longestWait / 1000) * roomBudget.perSecond;
    const seen = await send(budgets, roomBudget.burst + mostWaiting + 7);
    expect(seen).toEqual({ done: roomBudget.burst, refused: 7 });
    await clock.advance(1_000);
    expect(seen.done).toBe(roomBudget.burst + roomBudget.perSecond);
    await clock.advance(longestWait);
    expect(seen.done).toBe(roomBudget.burst + mostWaiting);
  });

  it('are each room’s own, as far as the account’s goes', async () => {
    await send(budgets, roomBudget.burst, 'room_1');
    expect(await send(budgets, roomBudget.burst, 'room_2')).toEqual({ done: roomBudget.burst, refused: 0 });
    expect(accountBudget.burst).toBe(2 * roomBudget.burst);
    const third = await send(budgets, 1, 'room_3');
    expect(third.done).toBe(0);
    expect(await send(budgets, 1, 'room_4', 'acct_2')).toEqual({ done: 1, refused: 0 });
    await clock.advance(1000 / accountBudget.perSecond);
    expect(third.done).toBe(1);
  });

  it('are full again after a pause', async () => {
    await send(budgets, roomBudget.burst);
    await clock.advance((roomBudget.burst / roomBudget.perSecond) * 1000);
    expect(await send(budgets, roomBudget.burst)).toEqual({ done: roomBudget.burst, refused: 0 });
  });
});
