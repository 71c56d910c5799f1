import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The process that owns the UDP socket of a port. */
export function pidOfUdpPort(port: number): number {
  const inode = inodeOfUdpPort(port);
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    if (openFiles(pid).includes(`socket:[${inode}]`)) return Number(pid);
  }
  throw new Error(`No process has UDP port ${port}.`);
}

function inodeOfUdpPort(port: number): string {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  for (const line of readFileSync('/proc/net/udp', 'utf8').split('\n').slice(1)) {
    const fields = line.trim().split(/\s+/);
    if (fields[1]?.endsWith(`:${hex}`) && fields[9]) return fields[9];
  }
  throw new Error(`UDP port ${port} is not open.`);
}

function openFiles(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map(fd => readlinkSync(`/proc/${pid}/fd/${fd}`));
  } catch {
    return []; // The process has ended meanwhile.
  }
}
