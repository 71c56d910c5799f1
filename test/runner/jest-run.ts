import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const runner = import.meta.dirname;
const jest = join(runner, '..', '..', 'node_modules', 'jest', 'bin', 'jest.js');

/** A folder of test files `*.fast.cjs`, `*.e2e.cjs` and `*.system.cjs` for jest with this project's runner. */
export class JestRun {
  readonly folder = mkdtempSync(join(tmpdir(), 'rtms-runner-'));

  /** @param options further ones of each project, such as `globalTeardown` */
  constructor(options: Record<string, string> = {}) {
    const shared = {
      rootDir: this.folder,
      transform: {},
      runner: join(runner, 'tiered-runner.cjs'),
      testRunner: join(runner, 'run-file.cjs'),
      ...options,
    };
    const projects = ['fast', 'e2e', 'system'].map(displayName => ({
      ...shared,
      displayName,
      testMatch: [`**/*.${displayName}.cjs`],
    }));
    const reporters = [join(runner, 'time-reporter.cjs'), 'default'];
    this.write('jest.config.json', JSON.stringify({ maxWorkers: 2, reporters, projects }));
  }

  write(name: string, source: string): void {
    writeFileSync(join(this.folder, name), source);
  }

  /** Answers the exit code and everything that jest printed. */
  async run(args: string[] = [], env: Record<string, string> = {}): Promise<{ code: number; output: string }> {
    const command = [jest, '--config', join(this.folder, 'jest.config.json'), ...args];
    return new Promise(resolve => {
      const options = {
        cwd: this.folder,
        env: { ...process.env, RTMS_TEST_REPORT: undefined, FORCE_COLOR: '0', NO_COLOR: '1', ...env },
      };
      execFile(process.execPath, command, options, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
      );
    });
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
