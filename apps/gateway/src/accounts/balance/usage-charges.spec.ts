import fc from 'fast-check';
import { advance, chargesOf, type UsageInterval } from './usage-charges.js';

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);

function interval(changes: Partial<UsageInterval> = {}): UsageInterval {
  return {
    id: '1',
    accountID: 'acct_a',
    keyType: 'sandbox',
    kind: 'external_session',
    startedAt: at(0),
    endedAt: null,
    meteredUntil: at(0),
    ...changes,
  };
}

describe('the charge of an interval', () => {
  it.each<[string, Partial<UsageInterval>, number, number]>([
    ['that runs: up to now', {}, 90, 90],
    ['that runs and was charged before: only the rest', { meteredUntil: at(60) }, 90, 30],
    ['that was charged just now: nothing', { meteredUntil: at(90) }, 90, 0],
    ['that runs while the clock was set back: nothing', { meteredUntil: at(90) }, 30, 0],
    ['that has ended: up to its end', { endedAt: at(75), meteredUntil: at(60) }, 1000, 15],
    ['whose end became known late: what was too much comes back', { endedAt: at(50), meteredUntil: at(60) }, 61, -10],
    ['that ended where it began: nothing', { endedAt: at(0) }, 500, 0],
  ])('%s', (_, changes, now, seconds) => {
    expect(chargesOf([interval(changes)], at(now))).toEqual([
      { accountID: 'acct_a', keyType: 'sandbox', meetingMs: seconds * 1000, recordingMs: 0 },
    ]);
  });

  it('goes to the balance of its account, its key type and its kind', () => {
    const intervals = [
      interval({ accountID: 'acct_b' }),
      interval({ kind: 'participant' }),
      interval({ kind: 'recording' }),
      interval(),
      interval({ keyType: 'production' }),
    ];
    expect(chargesOf(intervals, at(10))).toEqual([
      { accountID: 'acct_a', keyType: 'production', meetingMs: 10_000, recordingMs: 0 },
      { accountID: 'acct_a', keyType: 'sandbox', meetingMs: 20_000, recordingMs: 10_000 },
      { accountID: 'acct_b', keyType: 'sandbox', meetingMs: 10_000, recordingMs: 0 },
    ]);
  });

  it('equals the time that ran, for any times of charging', () => {
    const seconds = fc.integer({ min: 0, max: 10_000 });
    fc.assert(
      fc.property(fc.array(seconds), seconds, (looks, end) => {
        let row = interval();
        let charged = 0;
        const charge = (now: Date) => {
          charged += chargesOf([row], now)[0]?.meetingMs ?? 0;
          row = { ...row, meteredUntil: advance(row, now).meteredUntil };
        };
        for (const look of looks) charge(at(look));
        row = { ...row, endedAt: at(end) };
        charge(at(20_000));
        charge(at(30_000));
        expect(charged).toBe(end * 1000);
      }),
    );
  });
});
