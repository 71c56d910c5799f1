import { runCommand } from '../setup/run-command.mjs';

/**
 * Turns the arguments of `npm test` into those of jest. `--changed` selects the tests related to uncommitted changes or, in a clean
 * checkout, to the last commit; those of the fast tier only, unless `--all` is given.
 *
 * @param {readonly string[]} args
 * @param {() => Promise<boolean>} isClean whether the checkout has no uncommitted change
 * @returns {Promise<string[]>}
 */
export async function jestArguments(args, isClean) {
  if (!args.includes('--changed')) return [...args];
  const others = args.filter(arg => arg !== '--changed' && arg !== '--all');
  const range = (await isClean()) ? '--lastCommit' : '--onlyChanged';
  const tier = args.includes('--all') ? [] : ['--selectProjects', 'fast'];
  return [...others, range, ...tier];
}

/** @param {string} root @returns {Promise<boolean>} */
export async function isCheckoutClean(root) {
  const { code, stdout } = await runCommand('git', ['status', '--porcelain'], { cwd: root, env: process.env });
  return code === 0 && stdout === '';
}
