import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const networks = '/run/netns';
/** A folder in memory; not every system has it. */
export const memoryFolder = '/dev/shm';

/**
 * Ends the servers, and deletes the directories, disks and network namespaces of killed test runs. The name of
 * each contains the ID of a process that no longer runs. Other test files sweep meanwhile: what they must leave alone needs
 * another prefix.
 *
 * @param {string} [prefix] of the names
 */
export function sweepLeftovers(prefix = 'rtms-test') {
  // The name contains the ID of the process that created it.
  const ownNames = new RegExp(`^${prefix}-(?:[a-z]+-)*(\\d+)[-.]`);
  for (const folder of [tmpdir(), memoryFolder])
    for (const name of leftovers(folder, ownNames)) sweep(join(folder, name));
  for (const name of leftovers(networks, ownNames)) spawnSync('ip', ['netns', 'delete', name], { timeout: 10_000 });
}

/** @param {string} directory @param {RegExp} ownNames */
function leftovers(directory, ownNames) {
  const names = existsSync(directory) ? readdirSync(directory) : [];
  return names.filter(name => {
    const owner = ownNames.exec(name)?.[1];
    return owner !== undefined && !isAlive(Number(owner));
  });
}

/** @param {string} directory */
function sweep(directory) {
  const pid = readPid(join(directory, 'server.pid')) ?? readPid(join(directory, 'data', 'postmaster.pid'));
  if (pid !== undefined && isAlive(pid) && commandLine(pid).includes(directory)) process.kill(pid, 'SIGKILL');
  // Fails if the directory is not a mounted disk.
  if (directory.includes('-disk-')) spawnSync('umount', ['--lazy', directory], { timeout: 10_000 });
  rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
}

/**
 * Another test file may sweep at the same time.
 * @param {string} path
 */
function readPid(path) {
  try {
    const pid = Number.parseInt(readFileSync(path, 'utf8'), 10);
    return Number.isInteger(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * The ID may belong to another program by now.
 * @param {number} pid
 */
function commandLine(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
