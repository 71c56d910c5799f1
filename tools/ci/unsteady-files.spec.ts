import { unsteadyFiles } from './unsteady-files.mjs';

describe('what is run once more', () => {
  const file = (name: string, status: string, tests = 1) => ({
    name,
    status,
    assertionResults: Array.from({ length: tests }, () => ({})),
  });
  const runOf = (...testResults: ReturnType<typeof file>[]) => ({
    numTotalTestSuites: testResults.length,
    testResults,
  });

  it.each([
    [
      'the one or two files that failed',
      runOf(file('a', 'passed'), file('b', 'failed'), file('c', 'failed')),
      ['b', 'c'],
    ],
    ['nothing of a run that passed', runOf(file('a', 'passed')), []],
    ['nothing when more failed', runOf(file('a', 'failed'), file('b', 'failed'), file('c', 'failed')), []],
    ['nothing when a file did not load', runOf(file('a', 'failed', 0)), []],
    ['nothing when files are missing', { ...runOf(file('a', 'failed')), numTotalTestSuites: 2 }, []],
  ])('is %s', (_what, run, expected) => {
    expect(unsteadyFiles(run)).toEqual(expected);
  });
});
