// One process of viewers, driven by messages of admission.ts. Answers each message with one report.
import { Viewer } from '../fanout/viewer.js';

export interface RampReport {
  /** Why the SFU refused the viewer. */
  refused?: string;
  received?: number;
  expected?: number;
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
  return { received: sum('received'), expected: sum('expected') };
}

process.on('message', (command: 'join' | 'count') => {
  void (command === 'join' ? join() : Promise.resolve(count())).then(report => process.send?.(report));
});
process.on('disconnect', () => process.exit(0));
process.send?.({});
