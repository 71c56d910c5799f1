// Breaks the way of media at five places, one after the other, and counts how many verdicts on HLS players are right. Players report by CMCD,
// one of them is hls.js in Chromium. The network's faults are made by `tc` on hosts in network namespaces; needs root. Prints a table and one
// JSON line. After `npm run build`.
//   npm run bench:hls-verdict -- [rounds] [samples of a player for each fault] [faults, as node,uplink]
import { setTimeout as pause } from 'node:timers/promises';
import { sampleIntervalMs, type ViewerFault } from '@rtms/contracts';
import { networkRefusal } from '../../test/system/harness/network.js';
import type { Host } from '../../test/cluster/switched-network.js';
import { breakFor, Counted, printCounts } from './count.js';
import { HlsRig, type RigPlayer } from './hls-rig.js';

const [rounds = 1, samples = 3] = process.argv.slice(2, 4).map(Number);

/** A quarter of the rate of the video, so that hardly a picture arrives. */
const slowVideo = 'rate 220kbit burst 3000 limit 4500';
/** The lowest rendition has more than 0.4 Mbit/s. */
const slowPlayer = 'rate 150kbit burst 3000 limit 8000';
const slowOrigin = 'rate 700kbit burst 6000 limit 30000';
/** A verdict looks back for 20 s, and players fill their buffers. */
const restMs = 30_000;

interface BenchFault {
  begin: (rig: HlsRig) => () => void;
  /** The fault that the verdict on a player should name, if the player stalls. */
  expected: (player: RigPlayer, rig: HlsRig) => ViewerFault;
}

const faults: Record<string, BenchFault> = {
  none: { begin: () => () => undefined, expected: () => 'none' },
  publisher: { begin: rig => inTurns(8_000, isHeld => rig.hold(isHeld)), expected: () => 'publisher' },
  uplink: {
    begin: rig => inTurns(8_000, isSlow => rig.publisher.slow('from', isSlow ? slowVideo : undefined)),
    expected: () => 'uplink',
  },
  node: { begin: rig => inTurns(5_000, isStarved => rig.starve(isStarved)), expected: () => 'node' },
  node_network: { begin: rig => slow(rig.origin, 'from', slowOrigin), expected: () => 'node' },
  viewer_network: {
    begin: rig => {
      const ends = slowPlayers(rig).map(({ host }) => slow(host, 'to', slowPlayer));
      return () => ends.forEach(end => end());
    },
    expected: (player, rig) => (slowPlayers(rig).includes(player) ? 'viewer_network' : 'none'),
  },
};
const chosen = process.argv[4]?.split(',') ?? Object.keys(faults);

/** The Chromium, and one of the others. */
function slowPlayers({ players }: HlsRig): readonly RigPlayer[] {
  return players.slice(0, 2);
}

/** Breaks for a period, and mends for a period. */
function inTurns(periodMs: number, set: (isBroken: boolean) => void): () => void {
  let isBroken = true;
  set(isBroken);
  const timer = setInterval(() => set((isBroken = !isBroken)), periodMs);
  return () => {
    clearInterval(timer);
    if (isBroken) set(false);
  };
}

function slow(host: Host, way: 'from' | 'to', tbf: string): () => void {
  host.slow(way, tbf);
  return () => host.slow(way, undefined);
}

/** A player reports a stall with its next segment, so its own count is that of its reports. */
async function measure(rig: HlsRig, { begin, expected }: BenchFault, counted: Counted): Promise<void> {
  const { from, to } = await breakFor(samples, () => begin(rig));
  await pause(1_000);
  for (const player of rig.players) {
    const name = player.isBrowser ? `${player.name} Chromium` : player.name;
    const inside = (await rig.samplesOf(player)).filter(({ at }) => at - sampleIntervalMs >= from && at <= to);
    for (const sample of inside) counted.add(name, sample, expected(player, rig), sample.stalls > 0);
  }
}

async function main(): Promise<boolean> {
  const refusal = networkRefusal();
  if (refusal !== undefined) throw new Error(`This machine makes no network namespaces: ${refusal}`);
  const unknown = chosen.filter(name => !faults[name]);
  if (unknown.length > 0)
    throw new Error(`There is no fault ${unknown.join(', ')}: use ${Object.keys(faults).join(', ')}`);
  const results = new Map(chosen.map(name => [name, new Counted()]));
  const rig = await HlsRig.open();
  try {
    await pause(2 * sampleIntervalMs);
    for (let round = 0; round < rounds; round++) {
      for (const [name, counted] of results) {
        await measure(rig, faults[name]!, counted);
        await pause(restMs);
      }
    }
  } finally {
    await rig.close();
  }
  return printCounts('hls-verdict', rounds, results);
}

try {
  process.exit((await main()) ? 0 : 1);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
