// Viewers of one room on several SFU nodes, each on a host of its own in a network namespace: the room's node serves the first
// viewers, and relays the room to other nodes for the rest. Prints one JSON line. As root, after `npm run build`.
//   npm run bench:relays -- [viewers] [seconds] [nodes]
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { sfuCommands } from '@rtms/contracts';
import { makeIngestClaims, makePlaybackClaims, waitFor } from '@rtms/testing';
import { networkRefusal } from '../../test/system/harness/network.js';
import { descendants } from '../../test/system/harness/processes.js';
import { RtpPublisher } from '../fanout/rtp-publisher.js';
import { Viewer } from '../fanout/viewer.js';
import { type Join, ViewerGroup } from '../fanout/viewer-group.js';
import { NodeNetwork } from '../node-network.js';
import { percentile } from '../percentile.js';
import { cpuSeconds } from '../process-usage.js';

const [viewers = 400, seconds = 10, nodeCount = 4] = process.argv.slice(2).map(Number);
const roomNode = 'sfu-1';
const [meetingID, sessionID, playbackID] = ['room_1', 'ext_1', 'play_1'];
/** One packet a picture: 0.26 Mbit/s of video, and 0.06 of Opus. A viewer gets 80 packets a second. */
const packetsPerFrame = 1;
/** A probe comes before each group, so that each node gets one. */
const viewersOfGroup = Math.min(50, Math.ceil(viewers / nodeCount / 2));
const settleMs = 4_000;
const opus = 111;

interface BenchNode {
  nodeID: string;
  address: string;
  /** The media worker and the Node.js process. */
  pids: [number, number];
}

/** A viewer in this process: the arrivals of two of them can be compared. */
interface Probe {
  viewer: Viewer;
  /** By RTP timestamp of the sound, which no node changes. */
  arrivals: Map<number, number>;
}

const refusal = networkRefusal();
if (refusal !== undefined) throw new Error(`This machine makes no network namespaces: ${refusal}`);
const rig = await NodeNetwork.open();
try {
  console.log(JSON.stringify({ bench: 'relays', viewers, seconds, ...(await measure()) }));
} finally {
  await rig.close();
}
process.exit();

async function measure(): Promise<object> {
  const { nodes, url } = await startNodes();
  const token = await publish(url);
  const target = { url: `${url}/whep/${playbackID}`, token };
  const groups: ViewerGroup[] = [];
  const probes: Probe[] = [];
  rig.onClose(() => Promise.all(groups.map(group => group.leave())));
  for (let joined = 0; joined < viewers; joined += viewersOfGroup) {
    probes.push(await openProbe(target));
    const count = Math.min(viewersOfGroup, viewers - joined) - 1;
    groups.push(await ViewerGroup.join({ ...target, viewers: count, processes: 1, codec: 'VP8' }));
  }
  await pause(settleMs);
  for (const { arrivals, viewer } of probes) {
    arrivals.clear();
    viewer.reset();
  }
  for (const group of groups) group.start();
  const [before, unreadBefore] = [nodes.map(({ pids }) => pids.map(cpuSeconds)), unreadDatagrams()];
  await pause(seconds * 1_000);
  const used = nodes.map(({ pids }, at) => pids.map((pid, which) => cpuSeconds(pid) - (before[at]?.[which] ?? 0)));
  const unread = unreadDatagrams() - unreadBefore;
  const counts = [
    ...(await Promise.all(groups.map(group => group.stop()))),
    ...probes.map(each => each.viewer.counts()),
  ];
  const sum = (key: 'received' | 'expected'): number => counts.reduce((total, each) => total + each[key], 0);
  const [received, expected] = [sum('received'), sum('expected')];
  const joins: Join[] = [...groups.flatMap(group => group.joins), ...probes.map(({ viewer }) => viewer)];
  const packetsOfViewer = received / joins.length;
  return {
    ...{ packetsPerSecond: Math.round(received / seconds), lost: Math.round(expected - received), unread },
    nodes: nodes.map(({ nodeID, address }, at) => {
      const own = joins.filter(({ mediaAddress }) => mediaAddress === address);
      const [worker = 0, parent = 0] = used[at] ?? [];
      const aMillion = (cpu: number): number | null =>
        own.length === 0 ? null : round((cpu / (own.length * packetsOfViewer)) * 1e6);
      const joinMs = own.map(({ connectedMs }) => connectedMs).sort((one, other) => one - other);
      return {
        ...{ nodeID, viewers: own.length, cpuSecondsPerMillionPackets: aMillion(worker) },
        ...{
          withNodeProcess: aMillion(worker + parent),
          joinMs: [0.5, 0.95].map(share => round(percentile(joinMs, share))),
        },
        relayMs: relayMs(probes, nodes[0]?.address, address),
      };
    }),
  };
}

async function startNodes(): Promise<{ nodes: BenchNode[]; url: string }> {
  // The room's node sends two more tracks to each other node. The last node has place for all that come too early for a load report.
  const share = 2 * (Math.ceil(viewers / nodeCount) + nodeCount);
  const nodes: BenchNode[] = [];
  let url = '';
  for (let number = 1; number <= nodeCount; number++) {
    const host = rig.network.addHost();
    const nodeID = `sfu-${number}`;
    const consumers = number === nodeCount ? 2 * viewers : share;
    const service = await rig.startNode(nodeID, host, { CONSUMERS_PER_WORKER: String(consumers) });
    const worker = descendants(service.pid).find(({ command }) => command.includes('mediasoup-worker'));
    nodes.push({ nodeID, address: host.address, pids: [worker?.pid ?? 0, service.pid] });
    url ||= service.url;
  }
  return { nodes, url };
}

/** Returns the token of a playback. */
async function publish(url: string): Promise<string> {
  const tracks: ('audio' | 'video')[] = ['audio', 'video'];
  await rig.bus.request(sfuCommands.openSession.forNode(roomNode), { meetingID, sessionID, tracks });
  const publisher = new RtpPublisher(packetsPerFrame);
  rig.onClose(() => publisher.close());
  const token = await rig.signer.sign(makeIngestClaims({ resourceID: sessionID, meetingID }));
  await publisher.publish(`${url}/whip/${sessionID}`, token);
  const playback = { meetingID, sessionID, playbackID, tracks, payloadMatching: 'adaptive' as const };
  await rig.bus.request(sfuCommands.openPlayback.forNode(roomNode), playback);
  return rig.signer.sign(makePlaybackClaims({ resourceID: playbackID, meetingID }));
}

async function openProbe({ url, token }: { url: string; token: string }): Promise<Probe> {
  const arrivals = new Map<number, number>();
  const onPacket = (packet: Buffer): void => {
    if ((packet.readUInt8(1) & 0x7f) === opus) arrivals.set(packet.readUInt32BE(4), performance.now());
  };
  const connected = async (): Promise<Viewer | undefined> => {
    const viewer = new Viewer(url, token, 'probe', { onPacket });
    return viewer.connect().then(
      () => viewer,
      (error: unknown) => {
        // The first packets of the publisher are still on their way.
        if (!String(error).includes('source_not_active')) throw error;
        return undefined;
      },
    );
  };
  return { viewer: await waitFor(connected, { what: 'the session to be active' }), arrivals };
}

/** The median of what packets by way of a relay come later than at viewers of the room's node. */
function relayMs(probes: readonly Probe[], owner: string | undefined, address: string): number | null {
  const of = (wanted: string | undefined): Probe | undefined =>
    probes.find(({ viewer }) => viewer.mediaAddress === wanted);
  const [direct, relayed] = [of(owner), of(address)];
  if (!direct || !relayed || direct === relayed) return null;
  const later = [...relayed.arrivals].flatMap(([timestamp, at]) => {
    const first = direct.arrivals.get(timestamp);
    return first === undefined ? [] : [at - first];
  });
  return later.length === 0
    ? null
    : round(
        percentile(
          later.sort((one, other) => one - other),
          0.5,
        ),
      );
}

/** Datagrams that found the buffer of a viewer full, in the network namespace of the viewers. */
function unreadDatagrams(): number {
  const [names, values] = readFileSync('/proc/net/snmp', 'utf8')
    .split('\n')
    .flatMap(line => (line.startsWith('Udp: ') ? [line.split(' ')] : []));
  return Number(values?.[names?.indexOf('RcvbufErrors') ?? -1] ?? 0);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
