import { createHash } from 'node:crypto';
import {
  factStream,
  sfuCommands,
  transcoderCommands,
  unpackHlsSamples,
  type Fact,
  type HlsViewerSample,
} from '@rtms/contracts';
import { makeHlsClaims, makeIngestClaims, waitFor } from '@rtms/testing';
import type { Host } from '../../test/cluster/switched-network.js';
import type { ServiceProcess } from '../../test/system/harness/service-process.js';
import { descendants } from '../../test/system/harness/processes.js';
import { NodeNetwork } from '../node-network.js';
import { startPeer, startPublisher, type Peer } from './peer.js';

const [meetingID, sessionID, broadcastID] = ['room_1', 'ext_1', 'bcast_1'];
const [sfuNodeID, transcoderID] = ['sfu-1', 'tc-1'];
const players = 6;

export interface RigPlayer {
  name: string;
  host: Host;
  /** hls.js in Chromium. The others are `CmcdPlayer`s. */
  isBrowser: boolean;
}

/** A publisher, an SFU node, a transcoder and six HLS players on hosts of their own. The bench does the gateway's part. */
export class HlsRig {
  readonly players: RigPlayer[] = [];
  publisher!: Host;
  /** The transcoder's. */
  origin!: Host;
  private encoder!: Peer;
  private transcoder!: ServiceProcess;

  private constructor(private readonly nodes: NodeNetwork) {}

  static async open(): Promise<HlsRig> {
    const rig = new HlsRig(await NodeNetwork.open());
    try {
      await rig.start();
      return rig;
    } catch (error) {
      for (const node of [sfuNodeID, transcoderID]) console.error((await rig.nodes.logsOf(node)).slice(-1_500));
      await rig.close();
      throw error;
    }
  }

  /** The encoder stops, or continues. */
  hold(isHeld: boolean): void {
    this.encoder.child.send(isHeld ? 'hold' : 'continue');
  }

  /** The transcoder and its FFmpeg get no processor, or get one again. */
  starve(isStarved: boolean): void {
    const pids = [this.transcoder.pid, ...descendants(this.transcoder.pid).map(({ pid }) => pid)];
    for (const pid of isStarved ? pids : pids.reverse()) signal(pid, isStarved ? 'SIGSTOP' : 'SIGCONT');
  }

  /** The samples of a player that the transcoder still has. */
  async samplesOf({ name }: RigPlayer): Promise<HlsViewerSample[]> {
    const address = transcoderCommands.readViewerSamples.forNode(transcoderID);
    const { minutes } = await this.nodes.bus.request(address, { broadcastID, viewers: players });
    return minutes.filter(({ viewerID }) => viewerID === viewerIDOf(name)).flatMap(unpackHlsSamples);
  }

  /** Safe to call twice. */
  close(): Promise<void> {
    return this.nodes.close();
  }

  private async start(): Promise<void> {
    const { bus, signer, network } = this.nodes;
    const sfu = await this.nodes.startNode(sfuNodeID, network.addHost(), {});
    this.origin = network.addHost();
    this.transcoder = await this.nodes.startTranscoder(transcoderID, this.origin);
    await bus.request(sfuCommands.openSession.forNode(sfuNodeID), { meetingID, sessionID, tracks: ['audio', 'video'] });
    this.publisher = network.addHost();
    const ingest = await signer.sign(makeIngestClaims({ resourceID: sessionID, meetingID }));
    this.encoder = await startPublisher(this.nodes, this.publisher, `${sfu.url}/whip/${sessionID}`, ingest);
    await this.broadcast();
    const token = await signer.sign(await makeHlsClaims(signer, { resourceID: broadcastID, meetingID }));
    const url = `${this.transcoder.url}/hls/${broadcastID}/index.m3u8?token=${token}`;
    const isListed = async (): Promise<boolean> => (await fetch(url)).ok;
    await waitFor(isListed, { timeoutMs: 60_000, everyMs: 500, what: 'the first segments' });
    for (let index = 0; index < players; index++) {
      const player = { name: `p${index + 1}`, host: network.addHost(), isBrowser: index === 0 };
      const { name, host, isBrowser } = player;
      await startPeer(this.nodes, host, { role: 'player', url, sessionID: name, isBrowser });
      this.players.push(player);
    }
  }

  private async broadcast(): Promise<void> {
    const { bus } = this.nodes;
    const request = {
      ...{ broadcastID, meetingID, sourceID: sessionID, sfuNodeID, tracks: ['video' as const] },
      roomExpiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    };
    const start = () => bus.request(transcoderCommands.startBroadcast.forNode(transcoderID), request);
    const isStarted = (): Promise<boolean> =>
      start().then(
        () => true,
        () => false,
      );
    await waitFor(isStarted, { timeoutMs: 30_000, everyMs: 500, what: 'the source of the broadcast' });
    await this.followSource();
  }

  /** As the gateway does: interrupts the broadcast when the SFU node lost the publisher, and resumes it with the publisher. */
  private async followSource(): Promise<void> {
    const { bus } = this.nodes;
    const consumer = { stream: factStream.name, durable: 'bench', subject: 'rtms.fact.external_session.>' };
    let isInterrupted = false;
    const reading = await bus.consume<Fact>(consumer, async ({ payload: { body } }) => {
      if (body.type === 'external_session.interrupted') {
        isInterrupted = true;
        await bus.request(transcoderCommands.interruptBroadcast.forNode(transcoderID), { broadcastID });
      } else if (body.type === 'external_session.active' && isInterrupted) {
        isInterrupted = false;
        await bus.request(transcoderCommands.resumeBroadcast.forNode(transcoderID), { broadcastID, sfuNodeID });
      }
    });
    this.nodes.onClose(() => reading.close());
  }
}

/** As the transcoder hides the session ID of a player. */
function viewerIDOf(name: string): string {
  return `vwr_${createHash('sha256').update(`${broadcastID} ${name}`).digest('base64url').slice(0, 22)}`;
}

/** The process may have ended since it was found. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}
