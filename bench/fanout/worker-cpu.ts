import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** USER_HZ: the kernel counts CPU time in hundredths of a second. */
const ticksPerSecond = 100;

/** User and system time of a process in seconds (proc(5): fields 14 and 15 of stat). */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop()?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

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
    return []; // The process ended meanwhile.
  }
}
