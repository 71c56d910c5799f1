import { jest } from '@jest/globals';
import { waitFor } from './wait-for.js';

describe('waitFor', () => {
  it('resolves with the first truthy value', async () => {
    let calls = 0;
    expect(await waitFor(() => (++calls === 3 ? 'done' : undefined))).toBe('done');
  });

  it('treats a condition that throws as not met', async () => {
    let calls = 0;
    const condition = (): boolean => {
      if (++calls < 3) throw new Error('too early');
      return true;
    };
    expect(await waitFor(condition)).toBe(true);
  });

  it('checks less often in a long wait', async () => {
    const now = jest.spyOn(Date, 'now').mockReturnValueOnce(0).mockReturnValue(30_000);
    const checks: number[] = [];
    try {
      await waitFor(() => checks.push(performance.now()) > 1);
    } finally {
      now.mockRestore();
    }
    // A timer may be a millisecond early.
    expect((checks[1] ?? 0) - (checks[0] ?? 0)).toBeGreaterThanOrEqual(249);
  });

  it('names the condition and the last value in its error', async () => {
    const waiting = waitFor(() => 0, { timeoutMs: 30, what: 'a viewer' });
    await expect(waiting).rejects.toThrow('waited 30 ms for a viewer; the last value was 0');
  });
});
