import { countLine, failedTests } from './summary.mjs';

describe('the last line of the CI run', () => {
  it('adds up the tests of all runs', () => {
    const fast = { tiers: [{ passed: 10, failed: 0 }] };
    const other = {
      tiers: [
        { passed: 5, failed: 1 },
        { passed: 0, failed: 2 },
      ],
    };
    expect(countLine([fast, other])).toBe('15 passed, 3 failed');
  });

  it('has zeros when no test ran', () => {
    expect(countLine([])).toBe('0 passed, 0 failed');
  });
});

describe('the failed tests of several runs', () => {
  it('are named once, with their number, their first message and the warnings of services', () => {
    const failure = (test: string, message: string, warnings: string[] = []) => ({
      ...{ file: 'a.system-spec.ts', test, message, warnings },
    });
    const reports = [
      { failures: [failure('rare', 'Error: late', ['error no answer', 'warn slow'])] },
      { failures: [failure('often', 'Error: one')] },
      { failures: [failure('often', 'Error: two')] },
    ];
    expect(failedTests(reports)).toEqual([
      '  2× a.system-spec.ts\n     often\n     Error: one',
      '  1× a.system-spec.ts\n     rare\n     Error: late\n       error no answer\n       warn slow',
    ]);
  });
});
