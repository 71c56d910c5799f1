// Breaks the way of media at five places, one after the other, and counts how many verdicts on HLS players are right. Players report by CMCD,
// one of them is hls.js in Chromium. The network's faults are made by `tc` on hosts in network namespaces; needs root. Prints a table and one
// JSON line. After `npm run build`.
//   npm run bench:hls-verdict -- [rounds] [samples of a player for each fault] [faults, as node,uplink]
import { inTurns, isWithin, runVerdictBench, slow, type BenchFault } from './count.js';
import { HlsRig, type RigPlayer } from './hls-rig.js';

/** A quarter of the rate of the video, so that hardly a picture arrives. */
const slowVideo = 'rate 220kbit burst 3000 limit 4500';
/** The lowest rendition has more than 0.4 Mbit/s. */
const slowPlayer = 'rate 150kbit burst 3000 limit 8000';
const slowOrigin = 'rate 700kbit burst 6000 limit 30000';
/** A verdict looks back for 20 s, and players fill their buffers. */
const restMs = 30_000;

const faults: Record<string, BenchFault<HlsRig, RigPlayer>> = {
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

/** The Chromium, and one of the others. */
function slowPlayers({ players }: HlsRig): readonly RigPlayer[] {
  return players.slice(0, 2);
}

await runVerdictBench<HlsRig, RigPlayer>({
  ...{ name: 'hls-verdict', faults, restMs, open: () => HlsRig.open() },
  // A player reports a stall with its next segment, so its own count is that of its reports.
  count: async (rig, { expected }, time, counted) => {
    for (const player of rig.players) {
      const name = player.isBrowser ? `${player.name} Chromium` : player.name;
      const inside = (await rig.samplesOf(player)).filter(sample => isWithin(sample, time));
      for (const sample of inside) counted.add(name, sample, expected(player, rig), sample.stalls > 0);
    }
  },
});
