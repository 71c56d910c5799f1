import { countLine } from './summary.mjs';

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
