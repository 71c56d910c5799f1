/** @weight 0.1 for 11 s */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify } from '../embedded/process-table.mjs';
import { repositoryRoot } from '../setup/repository.mjs';

describe('a phase of the CI run', () => {
  let work: string;

  beforeEach(() => {
    work = mkdtempSync(join(tmpdir(), 'rtms-phases-'));
  });
  afterEach(() => rmSync(work, { recursive: true }));

  /** Answers the exit code and the output of a script that can run phases. */
  async function bash(script: string): Promise<{ code: number; output: string }> {
    const text = `work=${work}; . tools/ci/phases.sh; ${script}`;
    return new Promise(resolve =>
      execFile('bash', ['-c', text], { cwd: repositoryRoot }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
      ),
    );
  }

  it('prints its output, and answers its exit code', async () => {
    expect(await bash(`shown 'tests' 60 sh -c 'echo one; echo two >&2; exit 3'`)).toEqual({
      code: 3,
      output: 'one\ntwo\n',
    });
    expect(readFileSync(join(work, 'times'), 'utf8')).toMatch(/^\d+ s {2}tests\n$/);
  });

  it('is stopped at its limit, names what runs, and counts as a failed test', async () => {
    const { code, output } = await bash(
      `shown 'tests' 10 sh -c 'sleep 611; true'; code=$?; node tools/ci/summary.mjs $work; exit $code`,
    );
    expect(code).toBe(124);
    expect(output).toMatch(/These processes run:\n +\d+ timeout .*\n +\d+ sh -c .*\n +\d+ sleep 611\n/);
    expect(output).toContain('The phase "tests" did not end within 10 s.');
    expect(output).toMatch(/\nFailed tests\n {2}1× the phase\n {5}tests\n {5}late\n\n0 passed, 1 failed\n$/);
  });

  it('takes its leftover processes with it, and does not wait for them', async () => {
    const { code, output } = await bash(`shown 'tests' 60 sh -c 'sleep 600 & echo $!'`);
    expect(code).toBe(0);
    expect(identify(Number(output))).toBeUndefined();
  });

  it('ends with the run', async () => {
    const { output } = await bash(`
      shown 'tests' 60 sh -c 'echo $$; exec sleep 600' >$work/pid &
      until [ -s $work/pid ]; do sleep 0.1; done
      cat $work/pid
      end_phases
      wait`);
    expect(identify(Number(output))).toBeUndefined();
  });
});
