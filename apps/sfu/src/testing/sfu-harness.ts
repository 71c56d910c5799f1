import { setImmediate as turnOfTheEventLoop } from 'node:timers/promises';
import { Test } from '@nestjs/testing';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { MemoryBroker, MemoryBus, type Bus } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { loadConfig } from '@rtms/config';
import {
  factStream,
  sfuCommands,
  type Fact,
  type MediaKind,
  type PayloadMatching,
  type SourceBounds,
} from '@rtms/contracts';
import { FactOutbox } from '@rtms/node';
import { createLogger } from '@rtms/logging';
import { EventLog, makeIngestClaims, makePlaybackClaims, ManualClock } from '@rtms/testing';
import { generateSigningKey, publishKeys, TokenSigner, type SigningKey } from '@rtms/tokens';
import supertest from 'supertest';
import { chromiumPublishes } from '../signalling/sdp/testing/client-offers.js';
import { configureHttp } from '../signalling/signalling-http.js';
import type { MediaEngine } from '../media/media-engine.js';
import { MemoryEngine } from '../media/memory/memory-engine.js';
import { sfuConfigSchema } from '../sfu.config.js';
import { SfuModule } from '../sfu.module.js';

/** A bus with the token key published on it, and the clock. Several nodes may share them. */
export class TestPlane {
  private readonly broker: MemoryBroker;
  readonly bus: MemoryBus;
  /** All facts that were stored. */
  readonly facts = new EventLog<Fact>();
  /** The outboxes of the nodes. */
  readonly outboxes = new Set<FactOutbox>();

  private constructor(
    readonly key: SigningKey,
    readonly clock: Clock,
  ) {
    this.broker = new MemoryBroker(clock);
    this.bus = this.client();
  }

  /** The clock stands still unless a test moves it by `pass`. Tests with real media take the system's clock. */
  static async open(clock: Clock = new ManualClock()): Promise<TestPlane> {
    const plane = new TestPlane(await generateSigningKey(), clock);
    await plane.bus.ensureStream(factStream);
    await publishKeys(plane.bus, [plane.key.publicJwk]);
    await plane.bus.consume<Fact>({ stream: factStream.name, durable: 'gateway' }, async ({ payload }) =>
      plane.facts.add(payload),
    );
    return plane;
  }

  /**
   * Resolves once all background work is done and all facts and announcements are delivered. A fact that is missing
   * afterwards was not reported.
   */
  async quiet(): Promise<void> {
    await turnOfTheEventLoop();
    await Promise.all([...this.outboxes].map(outbox => outbox.flush()));
    await this.bus.settled();
    await turnOfTheEventLoop();
  }

  /** Moves the clock of all nodes, and waits until they are quiet. */
  async pass(milliseconds: number): Promise<void> {
    if (!(this.clock instanceof ManualClock)) throw new Error('The clock of this test cannot be moved.');
    await this.clock.advance(milliseconds);
    await this.quiet();
  }

  client(): MemoryBus {
    return new MemoryBus(this.broker);
  }

  factsOf(resourceID: string): Fact['body'][] {
    return this.facts.all.filter(fact => fact.resourceID === resourceID).map(({ body }) => body);
  }

  factTypesOf(resourceID: string): string[] {
    return this.factsOf(resourceID).map(({ type }) => type);
  }

  /** Resolves with the next fact of a resource that matches. */
  nextFactOf(resourceID: string, matches: (body: Fact['body']) => boolean = () => true): Promise<Fact['body']> {
    return this.facts.next(fact => fact.resourceID === resourceID && matches(fact.body)).then(({ body }) => body);
  }

  ingestToken(resourceID: string, expiresInSeconds = 300, meetingID = 'room_1', hasBFrames = false): Promise<string> {
    const expiresAt = this.seconds + expiresInSeconds;
    const claims = makeIngestClaims({ resourceID, expiresAt, meetingID, ...(hasBFrames && { hasBFrames }) });
    return new TokenSigner(this.key, this.clock).sign(claims);
  }

  playbackToken(resourceID: string, expiresInSeconds = 300, meetingID = 'room_1'): Promise<string> {
    const expiresAt = this.seconds + expiresInSeconds;
    return new TokenSigner(this.key, this.clock).sign(makePlaybackClaims({ resourceID, expiresAt, meetingID }));
  }

  private get seconds(): number {
    return Math.floor(this.clock.now() / 1000);
  }
}

export interface NodeOptions {
  nodeID?: string;
  env?: Record<string, string>;
  /** Default: any. */
  port?: number;
}

/** One SFU node without a network and without media. */
export class TestNode<Engine extends MediaEngine = MemoryEngine> {
  private constructor(
    readonly app: NestExpressApplication,
    readonly engine: Engine,
    readonly nodeID: string,
    private readonly gateway: Bus,
  ) {}

  static open(plane: TestPlane, options: NodeOptions = {}): Promise<TestNode> {
    return TestNode.openWith(plane, new MemoryEngine({ clock: plane.clock }), options);
  }

  static async openWith<Engine extends MediaEngine>(
    plane: TestPlane,
    engine: Engine,
    { nodeID = 'sfu-1', env = {}, port = 0 }: NodeOptions = {},
  ): Promise<TestNode<Engine>> {
    const config = loadConfig(sfuConfigSchema, { RTMS_NODE_ID: nodeID, PUBLIC_URL: `http://${nodeID}.test`, ...env });
    const logger = createLogger({ service: 'sfu', level: 'silent' });
    const parts = { config, logger, bus: plane.client(), engine, clock: plane.clock };
    const module = await Test.createTestingModule({ imports: [SfuModule.forRoot(parts)] }).compile();
    const app = module.createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
    configureHttp(app, logger);
    await app.listen(port, '127.0.0.1');
    plane.outboxes.add(app.get(FactOutbox));
    return new TestNode(app, engine, nodeID, plane.bus);
  }

  /** The HTTP server of the node. */
  get server(): ReturnType<NestExpressApplication['getHttpServer']> {
    return this.app.getHttpServer();
  }

  async openSession(
    sessionID: string,
    tracks: MediaKind[] = ['audio', 'video'],
    meetingID = 'room_1',
    maxSource?: SourceBounds,
  ): Promise<void> {
    const request = { meetingID, sessionID, tracks, ...(maxSource && { maxSource }) };
    await this.gateway.request(sfuCommands.openSession.forNode(this.nodeID), request);
  }

  async openPlayback(
    playbackID: string,
    sessionID: string,
    tracks: MediaKind[] = ['audio', 'video'],
    payloadMatching: PayloadMatching = 'fixed',
  ): Promise<void> {
    const request = { meetingID: 'room_1', sessionID, playbackID, tracks, payloadMatching };
    await this.gateway.request(sfuCommands.openPlayback.forNode(this.nodeID), request);
  }

  close(): Promise<void> {
    return this.app.close();
  }
}

/** Publishes over WHIP until media arrives at the node. `server` may be another node's. Returns the path of the session URL. */
export async function publishOn(
  plane: TestPlane,
  node: TestNode,
  sessionID: string,
  server = node.server,
): Promise<string> {
  const bearer = `Bearer ${await plane.ingestToken(sessionID)}`;
  const response = await supertest(server)
    .post(`/whip/${sessionID}`)
    .set('Authorization', bearer)
    .set('Content-Type', 'application/sdp')
    .send(chromiumPublishes())
    .expect(201);
  const publisher = node.engine.publishers.at(-1);
  publisher?.peerConnects();
  for (const track of publisher?.tracks ?? []) track.receiveRtp();
  await plane.quiet();
  return new URL(response.headers['location'] ?? '').pathname;
}
