import { join } from 'node:path';
import { step } from '../setup/progress.mjs';
import { lastLines, runCommand } from '../setup/run-command.mjs';
import { StartFailure } from '../setup/start-failure.mjs';
import { problemInServiceLog } from './log-lines.mjs';
import { readJson, writePrivateJson } from './private-file.mjs';

/**
 * An earlier version made an administrator too.
 * @typedef {{ email: string, password: string, adminEmail?: string, adminPassword?: string }} SignIn
 */
/**
 * `isNewSignIn`: its password was not shown yet.
 * @typedef {{ created: boolean, apiUserName: string, apiKey?: string, signIn?: SignIn, isNewSignIn?: boolean }} DemoAccount
 */

/** @param {string} root @param {NodeJS.ProcessEnv} env */
export async function migrate(root, env) {
  await step('Bringing the database up to date', async () => {
    await runGatewayProgram(root, env, 'platform/database/migrate.js', 'The database migrations failed');
  });
}

/**
 * The demo account of an empty database. The service shows its key and password once, so this keeps them for later
 * starts.
 * @param {string} root
 * @param {string} home
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<DemoAccount>}
 */
export async function demoAccount(root, home, env) {
  const stdout = await runGatewayProgram(root, env, 'admin/cli/seed-demo.js', 'The demo account could not be made');
  const seeded = parseSeed(stdout);
  if (!seeded) throw new StartFailure(`seed-demo.js did not say what it did: ${lastLines(stdout)}`);
  const path = join(home, 'credentials.json');
  const known = withKept(seeded, readJson(path));
  const { apiUserName, apiKey, signIn } = known;
  if (seeded.apiKey || seeded.signIn) writePrivateJson(path, { apiUserName, apiKey, signIn });
  return known;
}

/**
 * The kept values belong to the same account, or to a deleted database.
 * @param {DemoAccount} seeded
 * @param {Partial<DemoAccount> | undefined} kept
 * @returns {DemoAccount}
 */
export function withKept(seeded, kept) {
  const isSame = !seeded.created && kept?.apiUserName === seeded.apiUserName;
  const apiKey = seeded.apiKey ?? (isSame ? kept.apiKey : undefined);
  const signIn = seeded.signIn ?? (isSame ? kept.signIn : undefined);
  return {
    created: seeded.created,
    apiUserName: seeded.apiUserName,
    isNewSignIn: seeded.signIn !== undefined,
    ...(apiKey !== undefined && { apiKey }),
    ...(signIn && { signIn }),
  };
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
