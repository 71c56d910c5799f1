import { CommandAllowance } from './command-budgets.js';

describe('CommandAllowance', () => {
  const settings = { burst: 3, perSecond: 2, patience: 2 };
  const take = (allowance: CommandAllowance, now: number, times: number): string[] =>
    Array.from({ length: times }, () => allowance.take(now));

  it('allows a burst, then refuses, then disconnects', () => {
    const allowance = new CommandAllowance(settings);
    expect(take(allowance, 0, 6)).toEqual(['allowed', 'allowed', 'allowed', 'refused', 'refused', 'disconnect']);
  });

  it('fills with time, up to the burst', () => {
    const allowance = new CommandAllowance(settings);
    take(allowance, 0, 4);
    expect(take(allowance, 500, 2)).toEqual(['allowed', 'refused']);
    expect(take(allowance, 60_000, 4)).toEqual(['allowed', 'allowed', 'allowed', 'refused']);
  });

  it('gains nothing from a clock that was set back', () => {
    const allowance = new CommandAllowance(settings);
    expect(take(allowance, 1000, 4)).toEqual(['allowed', 'allowed', 'allowed', 'refused']);
    expect(take(allowance, 0, 1)).toEqual(['refused']);
  });
});
