import { dirname } from 'node:path';
import { step } from './progress.mjs';
import { lastLines, runCommand } from './run-command.mjs';
import { StartFailure } from './start-failure.mjs';

/**
 * How this user can install Debian packages.
 * @typedef {'root' | 'sudo' | 'no-rights' | 'no-apt'} InstallRights
 */

/**
 * @param {{ userID: number, sudoWorks: boolean, aptExists: boolean }} facts
 * @returns {InstallRights}
 */
export function installRights({ userID, sudoWorks, aptExists }) {
  if (!aptExists) return 'no-apt';
  if (userID === 0) return 'root';
  return sudoWorks ? 'sudo' : 'no-rights';
}

/**
 * @param {readonly string[]} packages
 * @param {InstallRights} rights
 */
export function cannotInstallMessage(packages, rights) {
  const names = packages.join(' ');
  if (rights === 'no-apt')
    return `Missing programs: ${names}. There is no apt-get here: install them yourself, then run this again.`;
  return `Missing programs: ${names}. This user is not root and sudo asks for a password: run \`sudo apt-get install ${names}\`, then run this again.`;
}

/** @param {readonly string[]} packages @param {string} output */
export function aptFailureMessage(packages, output) {
  const offline =
    /Could not resolve|Temporary failure|Unable to connect|Could not connect|Network is unreachable|Failed to fetch/;
  const names = packages.join(' ');
  if (offline.test(output))
    return `Debian's package servers cannot be reached, and these are missing: ${names}. Check the network, then run this again.`;
  return `apt-get could not install ${names}: ${lastLines(output)}`;
}

/** @param {NodeJS.ProcessEnv} env @returns {Promise<InstallRights>} */
async function rightsOfThisUser(env) {
  const userID = process.getuid?.() ?? 0;
  const apt = await runCommand('apt-get', ['--version'], { env });
  const sudo = userID === 0 ? undefined : await runCommand('sudo', ['-n', 'true'], { env });
  return installRights({ userID, sudoWorks: sudo?.code === 0, aptExists: apt.code === 0 });
}

const clusterFile = '/etc/postgresql-common/createcluster.conf';

/** Only the programs are wanted: without this Debian's package makes a database and starts a server. */
const keepNoCluster = `test -e ${clusterFile} || { mkdir -p ${dirname(clusterFile)} && echo 'create_main_cluster = false' > ${clusterFile}; }`;

/** Existing files stay, without a question. */
const aptOptions = ['-o', 'DPkg::Lock::Timeout=120', '-o', 'Dpkg::Options::=--force-confold'];

/**
 * Installs packages with apt-get, as root or by a sudo without a password.
 * @param {readonly string[]} packages
 * @param {NodeJS.ProcessEnv} env
 */
export async function installDebianPackages(packages, env) {
  const rights = await rightsOfThisUser(env);
  if (rights === 'no-apt' || rights === 'no-rights') throw new StartFailure(cannotInstallMessage(packages, rights));
  const prefix = rights === 'sudo' ? ['sudo', '-n'] : [];
  const asAdministrator = (/** @type {string[]} */ args, /** @type {(line: string) => void} */ onLine) => {
    const command = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'LC_ALL=C', ...args];
    return runCommand(command[0] ?? 'env', command.slice(1), { env, onLine });
  };
  const apt = (/** @type {string[]} */ args, /** @type {(line: string) => void} */ onLine) =>
    asAdministrator(['apt-get', ...args, ...aptOptions], onLine);
  await step(`Installing Debian packages: ${packages.join(' ')}`, async detail => {
    if (packages.includes('postgresql')) await asAdministrator(['sh', '-c', keepNoCluster], detail);
    const install = ['install', '-y', '--no-install-recommends', ...packages];
    if ((await apt(install, detail)).code === 0) return;
    await apt(['update'], detail);
    const second = await apt(install, detail);
    if (second.code !== 0) throw new StartFailure(aptFailureMessage(packages, second.output));
  });
}
