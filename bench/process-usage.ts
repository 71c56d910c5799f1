import { readFileSync } from 'node:fs';
import { parseUsage } from '../apps/sfu/src/metrics/process-usage.js';
import { descendants } from '../test/system/harness/processes.js';

const usageOf = (pid: number) => parseUsage(readProcFile(pid, 'stat'), readProcFile(pid, 'status'));

/** User and system time of a process in seconds; 0 when it is gone. */
export function cpuSeconds(pid: number): number {
  return usageOf(pid)?.cpuSeconds ?? 0;
}

/** Resident memory of a process in kB; 0 when it is gone. */
export function residentKilobytes(pid: number): number {
  return (usageOf(pid)?.residentBytes ?? 0) / 1024;
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
