// npm test: sets up what the tests need, then runs jest with the arguments given.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { prepare } from './setup/prepare.mjs';
import { say } from './setup/progress.mjs';
import { repositoryRoot } from './setup/repository.mjs';
import { tiedToParent } from './setup/run-command.mjs';
import { reportFailure } from './setup/start-failure.mjs';

/** @param {import('./setup/programs.mjs').Programs} programs */
async function runJest(programs) {
  const jest = join(repositoryRoot, 'node_modules', 'jest', 'bin', 'jest.js');
  const [file = '', ...args] = tiedToParent('TERM', [process.execPath, jest, ...process.argv.slice(2)]);
  const env = {
    ...process.env,
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --no-warnings`.trim(),
    FFMPEG_PATH: programs.ffmpeg,
  };
  const child = spawn(file, args, { cwd: repositoryRoot, env, stdio: 'inherit' });
  // Ctrl-C reaches jest too, as part of our process group; we stay until it has cleaned up.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => void child.kill('SIGTERM'));
  const [code] = /** @type {[number | null]} */ (await once(child, 'exit'));
  return code ?? 1;
}

try {
  const programs = await prepare(repositoryRoot, process.env, { nats: true, tests: true });
  say('Running the tests …');
  process.exitCode = await runJest(programs);
} catch (error) {
  reportFailure(error);
  process.exitCode = 1;
}
