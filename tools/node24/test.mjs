// npm run test:node24: runs the fast tests, or those that its arguments name, on Node.js 24 whatever runs this program.
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { waitForLock } from '../setup/exclusive-lock.mjs';
import { npmFailureMessage } from '../setup/npm-packages.mjs';
import { say, step } from '../setup/progress.mjs';
import { repositoryRoot } from '../setup/repository.mjs';
import { runCommand, runInForeground } from '../setup/run-command.mjs';
import { reportFailure, StartFailure } from '../setup/start-failure.mjs';

/** The files of the fast tier. */
const fastTier = '\\.spec\\.tsx?$';

const platform = `node-${process.platform}-${process.arch}`;
const source = import.meta.dirname;

/** @type {{ optionalDependencies: Record<string, string> }} */
const { optionalDependencies: versions } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));

/**
 * Installs Node.js 24 into the user's cache, from npm: the packages with its binary have no install script. The cache is outside
 * the checkout, because a `node` in `node_modules/.bin` would run every npm script.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string>} the path of the binary
 */
async function ensureNode24(env) {
  const version = versions[platform];
  if (version === undefined)
    throw new StartFailure(`npm has no Node.js 24 for ${platform}: install it yourself and run \`npm test\` with it.`);
  const directory = join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'rtms', `node-${version}`);
  const binary = join(directory, 'node_modules', platform, 'bin', 'node');
  const isThere = async () => (await runCommand(binary, ['--version'])).stdout === `v${version}`;
  const lock = await waitForLock('node24', directory, () => say('Another run installs Node.js 24: waiting for it.'));
  try {
    if (!(await isThere())) await step(`Installing Node.js ${version}`, () => install(directory, env));
    if (!(await isThere())) throw new StartFailure(`${binary} does not run. Remove ${directory}, then run this again.`);
  } finally {
    await lock.close();
  }
  return binary;
}

/** @param {string} directory @param {NodeJS.ProcessEnv} env */
async function install(directory, env) {
  mkdirSync(directory, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(source, file), join(directory, file));
  const result = await runCommand('npm', ['ci', '--ignore-scripts'], { cwd: directory, env, endsWithParent: true });
  if (result.code !== 0) throw new StartFailure(npmFailureMessage(result.output));
}

try {
  const binary = await ensureNode24(process.env);
  const args = process.argv.slice(2);
  // Test runs that start `node` by its name get this one too.
  const env = { ...process.env, PATH: [dirname(binary), process.env.PATH].join(delimiter) };
  const command = [binary, 'tools/test.mjs', ...(args.length > 0 ? args : [fastTier])];
  process.exitCode = await runInForeground(command, { cwd: repositoryRoot, env });
} catch (error) {
  reportFailure(error);
  process.exitCode = 1;
}
