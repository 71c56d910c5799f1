import { join } from 'node:path';
import { repositoryRoot } from '../setup/repository.mjs';
import { failedTests, timedFiles } from './nightly-report.mjs';

describe('the timed files', () => {
  it('are the system tests and the files that state their weight', () => {
    const files = [
      { path: 'test/system/rooms.system-spec.ts', source: '' },
      { path: 'apps/sfu/src/signalling/whip/whip.e2e-spec.ts', source: '/** @weight 0.2 */\n' },
      { path: 'apps/gateway/src/rooms.e2e-spec.ts', source: "import x from 'y'; /** @weight 0.2 */" },
      { path: 'libs/bus/src/bus.spec.ts', source: '' },
    ];
    expect(timedFiles(files)).toEqual([
      { path: 'test/system/rooms.system-spec.ts', tier: 'system' },
      { path: 'apps/sfu/src/signalling/whip/whip.e2e-spec.ts', tier: 'e2e' },
    ]);
  });
});

describe('the failed tests of several runs', () => {
  const test = (fullName: string, ...failureMessages: string[]) => ({
    fullName,
    status: failureMessages.length > 0 ? 'failed' : 'passed',
    failureMessages,
  });
  const run = (...assertionResults: ReturnType<typeof test>[]) => ({
    testResults: [
      {
        name: join(repositoryRoot, 'a.system-spec.ts'),
        status: assertionResults.some(({ status }) => status === 'failed') ? 'failed' : 'passed',
        message: '',
        assertionResults,
      },
    ],
  });

  it('are named once, with their number and their first message', () => {
    const runs = [
      run(test('good'), test('rare', 'Error: late\n  at x')),
      run(test('good'), test('rare'), test('often', '\nError: one\n')),
      run(test('often', 'Error: two')),
    ];
    expect(failedTests(runs)).toEqual([
      { file: 'a.system-spec.ts', test: 'often', times: 2, message: 'Error: one' },
      { file: 'a.system-spec.ts', test: 'rare', times: 1, message: 'Error: late' },
    ]);
  });

  it('include a file that did not load', () => {
    const broken = { name: join(repositoryRoot, 'b.e2e-spec.ts'), status: 'failed', message: 'SyntaxError: x' };
    expect(failedTests([{ testResults: [{ ...broken, assertionResults: [] }] }])).toEqual([
      { file: 'b.e2e-spec.ts', test: '(the file did not load)', times: 1, message: 'SyntaxError: x' },
    ]);
  });
});
