import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { descendants } from './processes.js';

interface BoundPort {
  /** As in `udp 40001 (socket 1234)`: another process may have the same port later, by another socket. */
  name: string;
  inode: string;
}

const listening = '0A';

/** UDP ports that are bound and TCP ports that are listened at in the process's network, from /proc. */
function allBoundPorts(pid: number | 'self' = 'self'): BoundPort[] {
  return ['udp', 'udp6', 'tcp', 'tcp6'].flatMap(table => {
    const [, ...lines] = readFileSync(`/proc/${pid}/net/${table}`, 'utf8').trim().split('\n');
    const protocol = table.slice(0, 3);
    return lines.flatMap(line => {
      const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
      if (protocol === 'tcp' && state !== listening) return [];
      const port = parseInt(local.split(':').at(-1) ?? '', 16);
      return [{ name: `${protocol} ${port} (socket ${inode})`, inode }];
    });
  });
}

/** Ports of a process and of its descendants, sorted. */
export function boundPortsOf(pid: number): string[] {
  const inodes = new Set([pid, ...descendants(pid).map(each => each.pid)].flatMap(socketsOf));
  if (inodes.size === 0) return [];
  const own = allBoundPorts(pid).filter(({ inode }) => inodes.has(inode));
  return own.map(({ name }) => name).sort();
}

/** Those of the ports that the same socket still binds. */
export function stillBound(ports: readonly string[]): string[] {
  const bound = new Set(allBoundPorts().map(({ name }) => name));
  return ports.filter(port => bound.has(port));
}

function socketsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap(fd => inodeOf(pid, fd));
  } catch {
    return [];
  }
}

function inodeOf(pid: number, fd: string): string[] {
  try {
    const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1];
    return inode === undefined ? [] : [inode];
  } catch {
    return [];
  }
}
