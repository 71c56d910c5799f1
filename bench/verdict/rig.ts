import { sfuCommands, unpackSamples, type ViewerSample } from '@rtms/contracts';
import { makeIngestClaims, makePlaybackClaims } from '@rtms/testing';
import type { Host, SwitchedNetwork } from '../../test/cluster/switched-network.js';
import { NodeNetwork } from '../node-network.js';
import { startPeer, startPublisher, type Peer } from './peer.js';
import type { SeenSecond } from './reporting-viewer.js';

const meetingID = 'room_1';
const sessionID = 'ext_1';
/** The owner has place for so many viewers; the others come to the relay node. */
const viewersOfOwner = 5;
const viewersOfRelay = 2;
/** The second cable of the relay node, for media of the owner alone. 198.19.255.0/24 is for tests of networks (RFC 2544). */
const pipeAddress = '198.19.255.2';

export interface RigViewer {
  name: string;
  host: Host;
  isRelayed: boolean;
  /** In Chromium. The others report as Chromium does. */
  isBrowser: boolean;
  /** By its own count. */
  seen: SeenSecond[];
}

/** A publisher, an owner node, a relay node and seven viewers on hosts of their own, without a gateway. The first viewer is a Chromium. */
export class Rig {
  readonly viewers: RigViewer[] = [];
  owner!: Host;
  publisher!: Host;
  /** Media from the owner arrives here. */
  relayCable!: Host;
  private encoder!: Peer;

  private constructor(private readonly nodes: NodeNetwork) {}

  static async open(): Promise<Rig> {
    const rig = new Rig(await NodeNetwork.open());
    try {
      await rig.start();
      return rig;
    } catch (error) {
      for (const node of ['sfu-1', 'sfu-2']) console.error((await rig.nodes.logsOf(node)).slice(-1_500));
      await rig.close();
      throw error;
    }
  }

  hold(isHeld: boolean): void {
    this.encoder.child.send(isHeld ? 'hold' : 'continue');
  }

  /** The samples of a viewer that the owner still has. */
  async samplesOf({ name }: RigViewer): Promise<ViewerSample[]> {
    const query = { playbackID: `play_${name}`, viewers: 10 };
    const { minutes } = await this.nodes.bus.request(sfuCommands.readViewerSamples.forNode('sfu-1'), query);
    return minutes.flatMap(minute => unpackSamples(minute));
  }

  /** Safe to call twice. */
  close(): Promise<void> {
    return this.nodes.close();
  }

  private async start(): Promise<void> {
    const { network } = this.nodes;
    const [owner, relay] = [network.addHost(), network.addHost()];
    this.owner = owner;
    this.relayCable = network.addCable(relay, pipeAddress, owner);
    const few = { CONSUMERS_PER_WORKER: String(viewersOfOwner + 1) };
    const { url } = await this.nodes.startNode('sfu-1', owner, few);
    // It listens on both cables.
    const both = { RTC_LISTEN_IP: '0.0.0.0', RELAY_ANNOUNCED_ADDRESS: pipeAddress };
    await this.nodes.startNode('sfu-2', relay, { ...few, ...both });
    await this.join(network, url);
  }

  private async join(network: SwitchedNetwork, url: string): Promise<void> {
    const { bus, signer } = this.nodes;
    await bus.request(sfuCommands.openSession.forNode('sfu-1'), { meetingID, sessionID, tracks: ['audio', 'video'] });
    this.publisher = network.addHost();
    const ingest = await signer.sign(makeIngestClaims({ resourceID: sessionID, meetingID }));
    this.encoder = await startPublisher(this.nodes, this.publisher, `${url}/whip/${sessionID}`, ingest);
    for (let index = 0; index < viewersOfOwner + viewersOfRelay; index++) {
      const name = `v${index + 1}`;
      const playbackID = `play_${name}`;
      const host = network.addHost();
      await bus.request(sfuCommands.openPlayback.forNode('sfu-1'), {
        ...{ meetingID, sessionID, playbackID, tracks: ['video'], payloadMatching: 'adaptive' },
      });
      const token = await signer.sign(makePlaybackClaims({ resourceID: playbackID, meetingID }));
      const isBrowser = index === 0;
      const watching = { role: 'viewer', url: `${url}/whep/${playbackID}`, token, isBrowser } as const;
      const { answer, seen } = await startPeer(this.nodes, host, watching);
      this.viewers.push({ name, host, isRelayed: !answer.includes(` ${this.owner.address} `), isBrowser, seen });
    }
    const relayed = this.viewers.filter(({ isRelayed }) => isRelayed).length;
    if (relayed !== viewersOfRelay) throw new Error(`${relayed} viewers are on the relay node, not ${viewersOfRelay}`);
  }
}
