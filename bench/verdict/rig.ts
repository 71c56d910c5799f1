import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NatsBus } from '@rtms/bus';
import { systemClock } from '@rtms/clock';
import {
  factStream,
  leaseBucket,
  leaseTtlSeconds,
  sfuCommands,
  unpackSamples,
  type NodeLease,
  type ViewerSample,
} from '@rtms/contracts';
import { discardLogs, freePort, makeIngestClaims, makePlaybackClaims, startNats, waitFor } from '@rtms/testing';
import { generateSigningKey, publishKeys, TokenSigner, type SigningKey } from '@rtms/tokens';
import { SwitchedNetwork, type Host } from '../../test/cluster/switched-network.js';
import { LoadBalancer } from '../../test/system/harness/load-balancer.js';
import { ServiceProcess } from '../../test/system/harness/service-process.js';
import type { PeerOrder } from './peer-process.js';
import type { SeenSecond } from './reporting-viewer.js';

const program = fileURLToPath(new URL('peer-process.ts', import.meta.url));
const meetingID = 'room_1';
const sessionID = 'ext_1';
/** The owner has place for so many viewers; the others come to the relay node. */
const viewersOfOwner = 4;
const viewersOfRelay = 2;
/** The second cable of the relay node, for media of the owner alone. 198.19.255.0/24 is for tests of networks (RFC 2544). */
const pipeAddress = '198.19.255.2';

export interface RigViewer {
  name: string;
  host: Host;
  isRelayed: boolean;
  /** By its own count. */
  seen: SeenSecond[];
}

/** A publisher, an owner node, a relay node and six viewers on hosts of their own, without a gateway. */
export class Rig {
  private readonly closings: (() => unknown)[] = [];
  readonly viewers: RigViewer[] = [];
  owner!: Host;
  publisher!: Host;
  /** Media from the owner arrives here. */
  relayCable!: Host;
  private encoder!: ChildProcess;
  private bus!: NatsBus;
  private key!: SigningKey;
  private folder = '';

  static async open(): Promise<Rig> {
    const rig = new Rig();
    try {
      await rig.start();
      return rig;
    } catch (error) {
      console.error((await rig.logs()).slice(-3_000));
      await rig.close();
      throw error;
    }
  }

  hold(isHeld: boolean): void {
    this.encoder.send(isHeld ? 'hold' : 'continue');
  }

  /** The samples of a viewer that the owner still has. */
  async samplesOf({ name }: RigViewer): Promise<ViewerSample[]> {
    const query = { playbackID: `play_${name}`, viewers: 10 };
    const { minutes } = await this.bus.request(sfuCommands.readViewerSamples.forNode('sfu-1'), query);
    return minutes.flatMap(minute => unpackSamples(minute));
  }

  /** Ends all processes and deletes the network. Safe to call twice. */
  async close(): Promise<void> {
    for (const close of this.closings.splice(0).reverse()) await close();
  }

  private async logs(): Promise<string> {
    const read = (name: string) => readFile(join(this.folder, `${name}.log`), 'utf8').catch(() => '');
    return (await Promise.all(['sfu-1', 'sfu-2'].map(read))).join('\n');
  }

  private async start(): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), `rtms-test-verdict-${process.pid}-`));
    this.folder = folder;
    this.closings.push(() => discardLogs(folder));
    const network = SwitchedNetwork.open();
    this.closings.push(() => network.close());
    const nats = await startNats();
    this.closings.push(() => nats.stop());
    const balancer = new LoadBalancer([nats.url.replace('nats', 'http')]);
    await balancer.listen(network.address);
    this.closings.push(() => balancer.close());
    await this.provide(nats.as('gateway'));
    const [owner, relay] = [network.addHost(), network.addHost()];
    this.owner = owner;
    this.relayCable = network.addCable(relay, pipeAddress, owner);
    const environment = { ...nats.environment('sfu'), NATS_URL: balancer.url.replace('http', 'nats') };
    const url = await this.startNode('sfu-1', owner, environment, {});
    // It listens on both cables.
    const both = { RTC_LISTEN_IP: '0.0.0.0', RELAY_ANNOUNCED_ADDRESS: pipeAddress };
    await this.startNode('sfu-2', relay, environment, both);
    await this.join(network, url);
  }

  private async provide(user: Omit<Parameters<typeof NatsBus.connect>[0], 'name'>): Promise<void> {
    this.bus = await NatsBus.connect({ ...user, name: 'bench' });
    this.closings.push(() => this.bus.close());
    this.key = await generateSigningKey();
    await this.bus.ensureStream(factStream);
    await this.bus.keyValue<NodeLease>(leaseBucket, { ttlSeconds: leaseTtlSeconds });
    await publishKeys(this.bus, [this.key.publicJwk]);
  }

  private async startNode(
    nodeID: string,
    { address, around }: Host,
    environment: Record<string, string>,
    more: Record<string, string>,
  ): Promise<string> {
    const port = String(await freePort());
    const url = `http://${address}:${port}`;
    const service = new ServiceProcess({
      ...{ name: nodeID, url, around, entryPoint: 'apps/sfu/dist/main.js' },
      logFile: join(this.folder, `${nodeID}.log`),
      env: {
        ...environment,
        ...{ RTMS_NODE_ID: nodeID, HOST: address, PORT: port, PUBLIC_URL: url, INTERNAL_URL: url, LOG_LEVEL: 'info' },
        ...{ SFU_WORKERS: '1', CONSUMERS_PER_WORKER: String(viewersOfOwner + 1) },
        ...{ RTC_LISTEN_IP: address, RTC_ANNOUNCED_ADDRESS: address, ...more },
      },
    });
    await service.start();
    this.closings.push(() => service.stop('SIGKILL'));
    return url;
  }

  private async join(network: SwitchedNetwork, url: string): Promise<void> {
    const { bus } = this;
    await bus.request(sfuCommands.openSession.forNode('sfu-1'), { meetingID, sessionID, tracks: ['audio', 'video'] });
    const signer = new TokenSigner(this.key, systemClock);
    this.publisher = network.addHost();
    const ingest = await signer.sign(makeIngestClaims({ resourceID: sessionID, meetingID }));
    const publishing: PeerOrder = { role: 'publisher', url: `${url}/whip/${sessionID}`, token: ingest };
    this.encoder = (await this.startPeer(this.publisher, publishing)).child;
    for (let index = 0; index < viewersOfOwner + viewersOfRelay; index++) {
      const name = `v${index + 1}`;
      const playbackID = `play_${name}`;
      const host = network.addHost();
      await bus.request(sfuCommands.openPlayback.forNode('sfu-1'), {
        ...{ meetingID, sessionID, playbackID, tracks: ['video'], payloadMatching: 'adaptive' },
      });
      const token = await signer.sign(makePlaybackClaims({ resourceID: playbackID, meetingID }));
      const watching: PeerOrder = { role: 'viewer', url: `${url}/whep/${playbackID}`, token };
      const { answer, seen } = await this.startPeer(host, watching);
      this.viewers.push({ name, host, isRelayed: !answer.includes(` ${this.owner.address} `), seen });
    }
    const relayed = this.viewers.filter(({ isRelayed }) => isRelayed).length;
    if (relayed !== viewersOfRelay) throw new Error(`${relayed} viewers are on the relay node, not ${viewersOfRelay}`);
  }

  private async startPeer({ around }: Host, order: PeerOrder): Promise<Peer> {
    const command = [...around, process.execPath, ...process.execArgv, program];
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...command], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.closings.push(() => child.kill('SIGKILL'));
    const seen: SeenSecond[] = [];
    let told: PeerMessage | undefined;
    child.on('message', (message: PeerMessage) => {
      if (message.seen) seen.push(message.seen);
      else told = message;
    });
    child.send(order);
    await waitFor(() => told !== undefined || child.exitCode !== null, { timeoutMs: 60_000, what: 'a peer to join' });
    if (told?.place === undefined) throw new Error(told?.failure ?? 'A peer has ended.');
    return { child, answer: told.place, seen };
  }
}

interface PeerMessage {
  place?: string;
  failure?: string;
  seen?: SeenSecond;
}

interface Peer {
  child: ChildProcess;
  answer: string;
  seen: SeenSecond[];
}
