import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface RunningProcess {
  pid: number;
  parent: number;
  command: string;
}

/** Processes of this machine, from /proc, without those that end meanwhile. */
function runningProcesses(): RunningProcess[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      try {
        const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
        if (fields[0] === 'Z') return [];
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        return [{ pid: Number(name), parent: Number(fields[1]), command }];
      } catch {
        return [];
      }
    });
}

/** The descendants of a process. */
export function descendants(pid: number): RunningProcess[] {
  const all = runningProcesses();
  const children = (parent: number): RunningProcess[] =>
    all.filter(each => each.parent === parent).flatMap(each => [each, ...children(each.pid)]);
  return children(pid);
}

/** Open UDP and TCP sockets of a process. */
export function openSockets(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).filter(fd => {
    try {
      return isSocket(pid, fd);
    } catch {
      return false;
    }
  }).length;
}

function isSocket(pid: number, fd: string): boolean {
  return readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith('socket:');
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
