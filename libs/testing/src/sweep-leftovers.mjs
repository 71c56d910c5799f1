import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ownNames = /^rtms-test-(?:nats|postgres)-(\d+)[-.]/;

/**
 * Ends the servers and deletes the directories of test runs that were killed: their names tell the process
 * that made them, and it is gone.
 */
export function sweepLeftovers() {
  for (const name of readdirSync(tmpdir())) {
    const owner = ownNames.exec(name)?.[1];
    if (owner !== undefined && !isAlive(Number(owner))) sweep(join(tmpdir(), name));
  }
}

/** @param {string} directory */
function sweep(directory) {
  const pid = readPid(join(directory, 'server.pid')) ?? readPid(join(directory, 'data', 'postmaster.pid'));
  if (pid !== undefined && isAlive(pid) && commandLine(pid).includes(directory)) process.kill(pid, 'SIGKILL');
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
 * The number may belong to another program by now.
 * @param {number} pid
 */
function commandLine(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
