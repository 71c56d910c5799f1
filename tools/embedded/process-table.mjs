import { readFileSync } from 'node:fs';

/**
 * Identifies a process, even against a later one with the same number. @typedef {{ pid: number, startTime: string }}
 * ProcessIdentity
 */

/**
 * The moment a process began, in clock ticks since boot (proc(5), field 22). The name in field 2 may hold anything.
 * @param {string} stat the text of /proc/PID/stat
 */
export function startTimeOf(stat) {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

/** @param {string} stat */
function isZombie(stat) {
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
}

/** @param {number} pid */
function readStat(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * @param {number} pid
 * @returns {ProcessIdentity | undefined} undefined without such a process, or for a zombie
 */
export function identify(pid) {
  const stat = readStat(pid);
  if (stat === undefined || isZombie(stat)) return undefined;
  const startTime = startTimeOf(stat);
  return startTime === undefined ? undefined : { pid, startTime };
}

/** @param {ProcessIdentity} process */
export function isAlive(process) {
  return identify(process.pid)?.startTime === process.startTime;
}

/**
 * @param {number} pid
 * @returns {{ name: string, parent: number } | undefined}
 */
export function parentage(pid) {
  const stat = readStat(pid);
  if (stat === undefined) return undefined;
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
  const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  return { name, parent };
}

/**
 * The words of a process's command line.
 * @param {number} pid
 * @returns {string[]}
 */
export function commandLine(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
  } catch {
    return [];
  }
}

/** Changes at every boot, when process numbers and start times begin anew. */
export function bootID() {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return 'unknown';
  }
}

/**
 * Sends a signal to a process group, or to the process alone where it leads none. A process that has ended is no error.
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
export function signalGroup(pid, signal) {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, signal);
      return;
    } catch {
      // No such group or process: try the other, or ignore it.
    }
  }
}
