import { readFile } from 'node:fs/promises';

export interface ProcessUsage {
  /** User and system time since the process started. */
  cpuSeconds: number;
  residentBytes: number;
}

/** Linux reports process times in this unit, whatever its own clock rate (proc(5), USER_HZ). */
const ticksPerSecond = 100;

/** Reads a process's usage from /proc; undefined if there is no /proc or no such process. */
export async function processUsage(pid: number): Promise<ProcessUsage | undefined> {
  try {
    const [stat, status] = await Promise.all(['stat', 'status'].map(name => readFile(`/proc/${pid}/${name}`, 'utf8')));
    return parseUsage(stat ?? '', status ?? '');
  } catch {
    return undefined;
  }
}

/** The second field of `stat` is the program's name, which may contain blanks and parentheses. */
export function parseUsage(stat: string, status: string): ProcessUsage | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // utime and stime are fields 14 and 15; `fields` starts with field 3.
  const ticks = Number(fields[11]) + Number(fields[12]);
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  if (Number.isNaN(ticks) || kibibytes === undefined) return undefined;
  return { cpuSeconds: ticks / ticksPerSecond, residentBytes: Number(kibibytes) * 1024 };
}
