import { join } from 'node:path';
import { step } from '../setup/progress.mjs';
import { lastLines, runCommand } from '../setup/run-command.mjs';
import { StartFailure } from '../setup/start-failure.mjs';
import { problemInServiceLog } from './log-lines.mjs';
import { readJson, writePrivateJson } from './private-file.mjs';

/** @typedef {{ created: boolean, apiUserName: string, apiKey?: string }} DemoAccount */

/** @param {string} root @param {NodeJS.ProcessEnv} env */
export async function migrate(root, env) {
  await step('Bringing the database up to date', async () => {
    await runGatewayProgram(root, env, 'database/migrate.js', 'The database migrations failed');
  });
}

/**
 * The demo account of an empty database. Its key is shown by the service once; we keep it for later starts.
 * @param {string} root
 * @param {string} home
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<DemoAccount>}
 */
export async function demoAccount(root, home, env) {
  const stdout = await runGatewayProgram(root, env, 'cli/seed-demo.js', 'The demo account could not be made');
  const seeded = parseSeed(stdout);
  if (!seeded) throw new StartFailure(`cli/seed-demo.js did not say what it did: ${lastLines(stdout)}`);
  const path = join(home, 'credentials.json');
  if (seeded.apiKey) {
    writePrivateJson(path, { apiUserName: seeded.apiUserName, apiKey: seeded.apiKey });
    return seeded;
  }
  const kept = /** @type {DemoAccount | undefined} */ (readJson(path));
  return { ...seeded, ...(kept?.apiUserName === seeded.apiUserName ? { apiKey: kept.apiKey } : {}) };
}

/**
 * The line of output that is the program's answer; others may be log lines.
 * @param {string} stdout
 * @returns {DemoAccount | undefined}
 */
export function parseSeed(stdout) {
  for (const line of stdout.split('\n').toReversed()) {
    try {
      const value = /** @type {Partial<DemoAccount> | null} */ (JSON.parse(line));
      if (value && typeof value.created === 'boolean') return { apiUserName: '', ...value, created: value.created };
    } catch {
      // Not the answer.
    }
  }
  return undefined;
}

/** @param {string} root @param {NodeJS.ProcessEnv} env @param {string} program @param {string} failure */
async function runGatewayProgram(root, env, program, failure) {
  const file = join(root, 'apps', 'gateway', 'dist', program);
  const result = await runCommand(process.execPath, [file], { cwd: root, env, endsWithParent: true });
  if (result.code === 0) return result.stdout;
  const problems = result.output.split('\n').map(problemInServiceLog).filter(Boolean);
  throw new StartFailure(`${failure}: ${lastLines(problems.join('\n') || result.output)}`);
}
