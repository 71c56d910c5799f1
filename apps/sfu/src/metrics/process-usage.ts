import { readFile } from 'node:fs/promises';

export interface ProcessUsage {
  /** User and system time since the process began. */
  cpuSeconds: number;
  residentBytes: number;
}

/** Linux counts processes' time for others in these, whatever its own clock is (proc(5), USER_HZ). */
const ticksPerSecond = 100;

/** What a process uses, by Linux' /proc; undefined where there is none, or no such process. */
export async function processUsage(pid: number): Promise<ProcessUsage | undefined> {
  try {
    const [stat, status] = await Promise.all(['stat', 'status'].map(name => readFile(`/proc/${pid}/${name}`, 'utf8')));
    return parseUsage(stat ?? '', status ?? '');
  } catch {
    return undefined;
  }
}

/** `stat`'s second field is the program's name, in which there may be blanks and parentheses. */
export function parseUsage(stat: string, status: string): ProcessUsage | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // The 14th and 15th of all; these begin with the third.
  const ticks = Number(fields[11]) + Number(fields[12]);
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  if (Number.isNaN(ticks) || kibibytes === undefined) return undefined;
  return { cpuSeconds: ticks / ticksPerSecond, residentBytes: Number(kibibytes) * 1024 };
}
