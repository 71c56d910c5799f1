import { readFileSync } from 'node:fs';
import { descendants } from '../test/system/harness/processes.js';

/** USER_HZ: the kernel counts CPU time in hundredths of a second. */
const ticksPerSecond = 100;

/** User and system time of a process in seconds (proc(5): fields 14 and 15 of stat); 0 when it is gone. */
export function cpuSeconds(pid: number): number {
  const fields = readProcFile(pid, 'stat').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / ticksPerSecond;
}

/** Resident memory of a process in kB (proc(5): VmRSS); 0 when it is gone. */
export function residentKilobytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readProcFile(pid, 'status'))?.[1] ?? 0);
}

/** Resident memory in MB of a process and all that it started, the SFU's media worker for one. */
export function residentMegabytesOfTree(pid: number): number {
  const pids = [pid, ...descendants(pid).map(each => each.pid)];
  return Math.round(pids.reduce((sum, each) => sum + residentKilobytes(each), 0) / 1024);
}

/** A file of a process below /proc; empty when the process is gone. */
export function readProcFile(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
