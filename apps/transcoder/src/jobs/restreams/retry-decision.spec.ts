import { restreamProblems } from '@rtms/contracts';
import { decideRetry } from './retry-decision.js';

describe('a restream whose attempt failed', () => {
  it.each([
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [5, 16_000],
    [6, 30_000],
    [40, 30_000],
  ])('waits longer after each failure: %d', (failures, delayMs) => {
    expect(decideRetry('connection_refused', failures)).toEqual({ do: 'again', delayMs });
  });

  it.each([
    ['target_refused', 8, 'target_refused'],
    ['target_closed', 8, 'target_refused'],
    ['tls_failed', 8, 'target_unreachable'],
    ['sender_failed', 8, 'encoder_failed'],
    ['connection_refused', 64, 'target_unreachable'],
    ['host_not_found', 64, 'target_unreachable'],
    ['target_not_allowed', 1, 'target_not_allowed'],
    ['source_codec_unsupported', 1, 'source_codec_unsupported'],
  ] as const)('fails with %s after %d attempts', (problem, attempts, reason) => {
    if (attempts > 1) expect(decideRetry(problem, attempts - 1)).toMatchObject({ do: 'again' });
    expect(decideRetry(problem, attempts)).toEqual({ do: 'fail', reason });
  });

  it('never waits for longer than half a minute', () => {
    const delays = restreamProblems.flatMap(problem =>
      Array.from({ length: 199 }, (_, index) => decideRetry(problem, index + 1)).map(decision =>
        decision.do === 'again' ? decision.delayMs : 0,
      ),
    );
    expect(Math.max(...delays)).toBe(30_000);
  });
});
