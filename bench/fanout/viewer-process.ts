// One process of viewers, driven by messages of viewer-group.ts.
import { Viewer } from './viewer.js';
import type { VideoCodec } from './rtp-publisher.js';
import type { GroupCommand, GroupReport } from './viewer-group.js';

const [url = '', token = '', count = '0', codec = 'VP8'] = process.argv.slice(2);
/**
 * All get the same stream, so one of ten counts for all. With one of four of 120 viewers, the events of packets kept this process
 * from sending its next POST for many seconds.
 */
const countedOf = 10;
const viewers = Array.from({ length: Number(count) }, (_, index) => {
  const isCounted = index % countedOf === 0;
  return new Viewer(url, token, `${process.pid}-${index}`, { codec: codec as VideoCodec, isCounted });
});
const counted = viewers.filter((_, index) => index % countedOf === 0);

function report(message: GroupReport): void {
  process.send?.(message);
}

async function handle(command: GroupCommand): Promise<void> {
  switch (command) {
    case 'start':
      for (const viewer of counted) viewer.reset();
      break;
    case 'stop': {
      const cut = viewers.filter(viewer => !viewer.isConnected).length;
      // The process ends, and so does the bench: the counts below stand for all viewers.
      if (cut > 0) throw new Error(`${cut} of ${viewers.length} viewers lost their connection`);
      const counts = counted.map(viewer => viewer.counts());
      const sum = (key: 'received' | 'expected'): number =>
        (counts.reduce((total, each) => total + each[key], 0) * viewers.length) / Math.max(1, counted.length);
      report({ type: 'counts', received: sum('received'), expected: sum('expected') });
      break;
    }
    case 'leave':
      await Promise.all(viewers.map(viewer => viewer.close()));
      process.exit(0);
  }
}

process.on('message', command => void handle(command as GroupCommand));
// One at a time: the bench does not measure how fast viewers join.
for (const viewer of viewers) await viewer.connect();
report({
  type: 'ready',
  joins: viewers.map(({ mediaAddress, mediaPort, connectedMs }) => ({ mediaAddress, mediaPort, connectedMs })),
});
