// npm test: sets up what the tests need, then runs jest with the arguments given.
import { join } from 'node:path';
import { isCheckoutClean, jestArguments } from './inner-loop/test-arguments.mjs';
import { prepare } from './setup/prepare.mjs';
import { say } from './setup/progress.mjs';
import { repositoryRoot } from './setup/repository.mjs';
import { runInForeground } from './setup/run-command.mjs';
import { reportFailure } from './setup/start-failure.mjs';

/** @param {import('./setup/programs.mjs').Programs} programs */
async function runJest(programs) {
  const jest = join(repositoryRoot, 'node_modules', 'jest', 'bin', 'jest.js');
  const env = {
    ...process.env,
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --no-warnings`.trim(),
    FFMPEG_PATH: programs.ffmpeg,
  };
  const args = await jestArguments(process.argv.slice(2), () => isCheckoutClean(repositoryRoot));
  return runInForeground([process.execPath, jest, ...args], { cwd: repositoryRoot, env });
}

try {
  const programs = await prepare(repositoryRoot, process.env, { nats: true, tests: true });
  say('Running the tests …');
  process.exitCode = await runJest(programs);
} catch (error) {
  reportFailure(error);
  process.exitCode = 1;
}
