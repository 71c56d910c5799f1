// npm run setup: sets up everything that npm start and npm test need. `--hooks` installs the Git hook too.
import { prepare } from './setup/prepare.mjs';
import { say } from './setup/progress.mjs';
import { repositoryRoot } from './setup/repository.mjs';
import { runCommand } from './setup/run-command.mjs';
import { reportFailure, StartFailure } from './setup/start-failure.mjs';

/** Git then takes its hooks from tools/hooks, in this checkout and its worktrees. */
async function installHooks() {
  const { code, output } = await runCommand('git', ['config', 'core.hooksPath', 'tools/hooks'], {
    cwd: repositoryRoot,
    env: process.env,
  });
  if (code !== 0) throw new StartFailure(`git did not take the hook: ${output}`);
  say('Git checks staged files before each commit. `git config --unset core.hooksPath` removes the hook.');
}

try {
  await prepare(repositoryRoot, process.env, { nats: true, tests: true });
  if (process.argv.includes('--hooks')) await installHooks();
} catch (error) {
  reportFailure(error);
  process.exitCode = 1;
}
