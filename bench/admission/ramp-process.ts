// One process of viewers, driven by messages of admission.ts. Answers each message with one report.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { Viewer } from '../fanout/viewer.js';

export interface RampReport {
  /** Why the SFU refused the viewer. */
  refused?: string;
  received?: number;
  expected?: number;
  /** Packets that reached a socket of this process and found its buffer full: this process had too little CPU, not the worker. */
  unread?: number;
}

const [url = '', token = ''] = process.argv.slice(2);
const viewers: Viewer[] = [];

async function join(): Promise<RampReport> {
  const viewer = new Viewer(url, token, `${process.pid}-${viewers.length}`);
  try {
    await viewer.connect();
    viewers.push(viewer);
    return {};
  } catch (error) {
    return { refused: String(error) };
  }
}

function count(): RampReport {
  const counts = viewers.map(viewer => viewer.counts());
  const sum = (key: 'received' | 'expected'): number => counts.reduce((total, each) => total + each[key], 0);
  return { received: sum('received'), expected: sum('expected'), unread: countUnread() };
}

/** Sums the last column of /proc/net/udp, `drops`, for the sockets of this process. */
function countUnread(): number {
  const own = new Set(readdirSync('/proc/self/fd').map(fd => inodeOf(`/proc/self/fd/${fd}`)));
  const rows = ['udp', 'udp6'].flatMap(name => readFileSync(`/proc/net/${name}`, 'utf8').split('\n').slice(1));
  const fields = rows.map(row => row.trim().split(/\s+/)).filter(({ length }) => length > 12);
  return fields.filter(([, , , , , , , , , inode]) => own.has(inode)).reduce((sum, row) => sum + Number(row[12]), 0);
}

function inodeOf(path: string): string | undefined {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(path))?.[1];
  } catch {
    return undefined;
  }
}

process.on('message', (command: 'join' | 'count') => {
  void (command === 'join' ? join() : Promise.resolve(count())).then(report => process.send?.(report));
});
process.on('disconnect', () => process.exit(0));
process.send?.({});
