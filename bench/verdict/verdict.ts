// Breaks the way of media at five places, one after the other, and counts how many verdicts on WHEP viewers are right. The network's faults
// are made by `tc` on hosts in network namespaces; needs root. Prints a table and one JSON line. After `npm run build`.
//   npm run bench:verdict -- [rounds] [samples of a viewer for each fault] [faults, as node,uplink]
import { sampleIntervalMs } from '@rtms/contracts';
import { inTurns, isWithin, runVerdictBench, slow, type BenchFault } from './count.js';
import { Rig, type RigViewer } from './rig.js';

/** Lower than the rate of one video, 0.9 Mbit/s with its headers, so that about a third of the packets is dropped. */
const slowVideo = 'rate 600kbit burst 3000 limit 4500';
/** The owner sends six videos. */
const slowNode = 'rate 2600kbit burst 6000 limit 9000';
/** After a fault, the counters and queues need a sample to be clean. */
const restMs = 12_000;

const faults: Record<string, BenchFault<Rig, RigViewer>> = {
  none: { begin: () => () => undefined, expected: () => 'none' },
  publisher: { begin: rig => inTurns(4_000, isHeld => rig.hold(isHeld)), expected: () => 'publisher' },
  uplink: { begin: rig => slow(rig.publisher, 'from', slowVideo), expected: () => 'uplink' },
  node: { begin: rig => slow(rig.owner, 'from', slowNode), expected: () => 'node' },
  relay: {
    begin: rig => slow(rig.relayCable, 'to', slowVideo),
    expected: ({ isRelayed }) => (isRelayed ? 'relay' : 'none'),
  },
  viewer_network: {
    begin: rig => {
      const ends = slowViewers(rig).map(({ host }) => slow(host, 'to', slowVideo));
      return () => ends.forEach(end => end());
    },
    expected: (viewer, rig) => (slowViewers(rig).includes(viewer) ? 'viewer_network' : 'none'),
  },
};

/** Whether a viewer by its own count lost 2 % of its packets, or saw nothing for 1.5 s. Most of the viewers of a fault do. */
function sawTrouble({ seen }: RigViewer, from: number, to: number): boolean {
  const inside = seen.filter(({ at }) => at > from && at <= to);
  const sum = (valueOf: (each: (typeof inside)[number]) => number) =>
    inside.reduce((all, each) => all + valueOf(each), 0);
  const missing = sum(each => each.missing);
  const share = missing / Math.max(1, missing + sum(({ packets }) => packets));
  return share >= 0.02 || inside.filter(({ packets, frames }) => packets === 0 || frames === 0).length > 1;
}

/** One on each node. */
function slowViewers({ viewers }: Rig): RigViewer[] {
  return [viewers.find(each => !each.isRelayed)!, viewers.find(each => each.isRelayed)!];
}

await runVerdictBench<Rig, RigViewer>({
  ...{ name: 'verdict', faults, restMs, open: () => Rig.open() },
  count: async (rig, { expected }, time, counted) => {
    for (const viewer of rig.viewers) {
      const name = [viewer.name, viewer.isRelayed && 'relayed', viewer.isBrowser && 'Chromium']
        .filter(Boolean)
        .join(' ');
      const inside = (await rig.samplesOf(viewer)).filter(sample => isWithin(sample, time));
      for (const sample of inside)
        counted.add(name, sample, expected(viewer, rig), sawTrouble(viewer, sample.at - sampleIntervalMs, sample.at));
    }
  },
});
