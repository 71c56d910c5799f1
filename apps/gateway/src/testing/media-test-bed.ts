import type { Bus } from '@rtms/bus';
import type { Fact } from '@rtms/contracts';
import { ManualClock, waitFor } from '@rtms/testing';
import type { GatewayConfig } from '../gateway.config.js';
import { NodeRegistry } from '../media/nodes/node-registry.js';
import type { FakeNodeOptions } from './fake-node.js';
import { FakeIngest } from '../media/ingest/testing/fake-ingest.js';
import { FakeSfu } from './fake-sfu.js';
import { RoomClient } from './room-client.js';
import { FakeTranscoder } from './fake-transcoder.js';
import {
  factTaken,
  startTestGateway,
  type TestAccount,
  type TestGateway,
  type TestGatewayOptions,
} from './start-test-gateway.js';

/** The fields that tests read of any media resource. */
interface MediaAnswer {
  [field: string]: unknown;
  state: string;
  endReason: string | null;
}

interface Answer {
  status: number;
  body: Record<string, unknown> & { reason?: string; code?: string; error?: string };
  headers: Record<string, string>;
}

type Collection = 'external-sessions' | 'playbacks' | 'broadcasts' | 'restreams';
const members: Record<Collection, string> = {
  'external-sessions': 'externalSession',
  playbacks: 'playback',
  broadcasts: 'broadcast',
  restreams: 'restream',
};

/** A node without a lease for longer is dead. */
const leaseMs = 5_000;
/** SWEEP_SECONDS: the interval of the sweeper. A bed begins right after a sweep. */
export const sweepMs = 1_000;
/** RECONCILE_SECONDS: the interval of the reconciler. */
export const reconcileMs = 10_000;
/** The interval at which the gateway checks balances. */
export const meteringLookMs = 5_000;
/** GRACE_SECONDS */
export const graceMs = 30_000;

/** A target of restreams. */
export const rtmpTarget = { protocol: 'rtmps', url: 'rtmps://live.example.com/app', streamKey: 'live_key-Qz81' };

type AnyNode = FakeSfu | FakeTranscoder | FakeIngest;

/** The connections of the fake nodes to the bus. */
interface NodeBuses {
  sfu: Bus;
  transcoder: Bus;
}

/** By default the bus is in this process. A test may bring both sides of another bus. */
type MediaTestBedOptions = Omit<TestGatewayOptions, 'clock'> & { nodeBuses?: NodeBuses };

/**
 * A gateway with a fake SFU, a fake transcoder, and an account with a room. Time stands still until the test moves it. After
 * each action of the bed the gateway is idle, so a test can check the result at once.
 */
export class MediaTestBed {
  account!: TestAccount;
  meetingID = '';
  sfu!: FakeSfu;
  transcoder!: FakeTranscoder;
  /** False: time moves without waiting for leases to arrive. */
  waitsForLeases = true;
  private readonly replicas: TestGateway[] = [];
  private readonly former: TestGateway[] = [];
  private readonly nodes: AnyNode[] = [];
  private readonly sockets: RoomClient[] = [];

  private constructor(
    readonly clock: ManualClock,
    public gateway: TestGateway,
    readonly nodeBuses: NodeBuses,
  ) {}

  static async start({ nodeBuses, ...options }: MediaTestBedOptions = {}): Promise<MediaTestBed> {
    // The machine's clock verifies tokens.
    const clock = new ManualClock(Date.now());
    const gateway = await startTestGateway({ ...options, clock });
    const bed = new MediaTestBed(clock, gateway, nodeBuses ?? { sfu: gateway.bus, transcoder: gateway.bus });
    clock.join(() => bed.hearLeases());
    bed.account = await gateway.makeAccount();
    bed.sfu = await bed.startSfu('sfu-1');
    bed.transcoder = await bed.startTranscoder('transcoder-1');
    bed.meetingID = await bed.createRoom();
    // From now on the gateway takes nodes without a lease for dead.
    await bed.advance(leaseMs + sweepMs);
    return bed;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets.splice(0)) socket.close();
    await Promise.all(this.nodes.splice(0).map(node => node.die()));
    for (const gateway of [...this.replicas.splice(0), this.gateway, ...this.former.splice(0)]) await gateway.close();
  }

  /** Moves the time. Resolves after all work that became due is done. */
  advance(milliseconds: number): Promise<void> {
    return this.clock.advance(milliseconds);
  }

  /** Resolves when the gateway is idle. */
  settled(): Promise<void> {
    return this.clock.settled();
  }

  /** The time of the bed's clock. */
  date(fromNowMs = 0): Date {
    return new Date(this.clock.now() + fromNowMs);
  }

  startSfu(nodeID: string): Promise<FakeSfu> {
    return this.startNode(new FakeSfu(this.nodeBuses.sfu, nodeID, this.nodeOptions()));
  }

  startTranscoder(nodeID: string): Promise<FakeTranscoder> {
    return this.startNode(new FakeTranscoder(this.nodeBuses.transcoder, nodeID, this.nodeOptions()));
  }

  startIngest(nodeID: string): Promise<FakeIngest> {
    return this.startNode(new FakeIngest(this.nodeBuses.sfu, nodeID, this.nodeOptions()));
  }

  /** Stops the node and moves the time until the gateway takes it for dead, plus one sweep. */
  async lose(node: AnyNode): Promise<void> {
    await node.die();
    await this.advance(leaseMs + sweepMs);
  }

  /** Starts the node again with a new epoch and without resources. */
  async restart(node: AnyNode): Promise<void> {
    await node.restart();
    await this.settled();
  }

  /** Starts another gateway on the same servers. */
  async startReplica(): Promise<TestGateway> {
    const { config, bus, taken } = this.gateway;
    const { databaseUrl } = config;
    const replica = await startTestGateway({ config, bus, databaseUrl, clock: this.clock, taken });
    this.replicas.push(replica);
    // The bus deletes leases in real time, while this clock stands still.
    for (const node of this.nodes) if (node.announcedAt !== undefined) await node.announce();
    await this.settled();
    return replica;
  }

  /** Stops the gateway in order and starts another one on the same servers. */
  async replaceGateway(meanwhile: (config: GatewayConfig) => Promise<void>): Promise<void> {
    await this.gateway.stop();
    this.waitsForLeases = false;
    await meanwhile(this.gateway.config);
    this.former.push(this.gateway);
    this.gateway = await this.startReplica();
    this.replicas.pop();
    this.waitsForLeases = true;
    await this.settled();
  }

  async request(
    method: 'get' | 'post' | 'delete',
    path: string,
    body?: object,
    account = this.account,
  ): Promise<Answer> {
    const pending = this.gateway.http[method](path).set('Authorization', account.authorization);
    const { status, body: answer, headers } = await (body ? pending.send(body) : pending);
    await this.settled();
    return { status, body: answer as Answer['body'], headers: headers };
  }

  async createRoom(fields: object = {}): Promise<string> {
    const { body } = await this.request('post', '/v1/rooms', { action: 'create', userName: 'Ada', ...fields });
    return (body['room'] as { meetingID: string }).meetingID;
  }

  endRoom(): Promise<Answer> {
    return this.request('post', '/v1/rooms', { action: 'end', meetingID: this.meetingID });
  }

  /** A member joins the room and connects. */
  async connectMember(userName: string): Promise<{ participantID: string; socket: RoomClient }> {
    const { body } = await this.request('post', '/v1/rooms', { action: 'join', meetingID: this.meetingID, userName });
    const { participant, join } = body as unknown as {
      participant: { participantID: string };
      join: { token: string };
    };
    const socket = await RoomClient.connect(this.gateway.url, join.token);
    this.sockets.push(socket);
    await this.settled();
    return { ...participant, socket };
  }

  path(collection: Collection, id = ''): string {
    return `/v1/meetings/${this.meetingID}/${collection}${id && `/${id}`}`;
  }

  post(collection: Collection, body: object): Promise<Answer> {
    return this.request('post', this.path(collection), body);
  }

  remove(collection: Collection, id: string): Promise<Answer> {
    return this.request('delete', this.path(collection, id));
  }

  async get(collection: Collection, id: string): Promise<MediaAnswer> {
    const { body } = await this.request('get', this.path(collection, id));
    return body[members[collection]] as MediaAnswer;
  }

  async openSession(tracks = ['video', 'audio']): Promise<string> {
    const { body } = await this.post('external-sessions', {
      displayName: 'Camera',
      ingest: { protocol: 'whip', tracks },
    });
    return (body['externalSession'] as { sessionID: string }).sessionID;
  }

  async openActiveSession(kinds: ('video' | 'audio')[] = ['video', 'audio']): Promise<string> {
    const sessionID = await this.openSession(kinds);
    await this.sfu.activate(sessionID, kinds);
    await this.expectState('external-sessions', sessionID, 'active');
    return sessionID;
  }

  async openPlayback(sourceSessionID: string): Promise<string> {
    const { body } = await this.post('playbacks', { sourceSessionID, tracks: ['video', 'audio'] });
    return (body['playback'] as { playbackID: string }).playbackID;
  }

  async openBroadcast(sourceSessionID: string): Promise<string> {
    const { body } = await this.post('broadcasts', { sourceSessionID });
    return (body['broadcast'] as { broadcastID: string }).broadcastID;
  }

  async openActiveBroadcast(sourceSessionID: string): Promise<string> {
    const broadcastID = await this.openBroadcast(sourceSessionID);
    await this.transcoder.activate(broadcastID);
    await this.expectState('broadcasts', broadcastID, 'active');
    return broadcastID;
  }

  async openRestream(sourceSessionID: string, target: object = rtmpTarget): Promise<string> {
    const { body } = await this.post('restreams', { sourceSessionID, target });
    return (body['restream'] as { restreamID: string }).restreamID;
  }

  /** Returns the resource. Throws unless it is in this state. */
  async expectState(collection: Collection, id: string, state: string): Promise<MediaAnswer> {
    const resource = await this.get(collection, id);
    if (resource.state === state) return resource;
    throw new Error(`${id} is ${resource.state} (${resource.endReason}), not ${state}`);
  }

  /** Resolves after the gateway has applied the fact and is idle. */
  async taken(fact: Fact): Promise<void> {
    await factTaken(this.gateway.taken, fact);
    await this.settled();
  }

  /** Waits in real time until leases have arrived over the bus, while the bed's clock stands still. */
  private async hearLeases(): Promise<boolean> {
    const registry = this.gateway.app.get(NodeRegistry, { strict: false });
    const isHeard = ({ announcedAt, role, nodeID, epoch }: AnyNode): boolean =>
      announcedAt === undefined || Number(registry.heardAt(role, nodeID, epoch) ?? -1) >= announcedAt;
    const isDone = (): boolean => !this.gateway.bus.isConnected() || this.nodes.every(isHeard);
    if (!this.waitsForLeases || isDone()) return false;
    await waitFor(isDone, { what: 'the leases to arrive' });
    return true;
  }

  private nodeOptions(): FakeNodeOptions {
    return { clock: this.clock, taken: fact => this.taken(fact) };
  }

  private async startNode<Node extends AnyNode>(node: Node): Promise<Node> {
    this.nodes.push(node);
    await node.start();
    await this.settled();
    return node;
  }
}
