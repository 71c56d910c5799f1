import { Test } from '@nestjs/testing';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { MemoryBroker, MemoryBus, type Bus } from '@rtms/bus';
import { loadConfig } from '@rtms/config';
import { factStream, sfuCommands, type Fact, type MediaKind, type PayloadMatching } from '@rtms/contracts';
import { createLogger } from '@rtms/logging';
import { makeIngestClaims, makePlaybackClaims } from '@rtms/testing';
import { generateSigningKey, publishKeys, TokenSigner, type SigningKey } from '@rtms/tokens';
import { configureHttp } from '../http/configure-http.js';
import type { MediaEngine } from '../media/media-engine.js';
import { MemoryEngine } from '../media/memory/memory-engine.js';
import { defaultRoomTimings, type RoomTimings } from '../rooms/room-context.js';
import { sfuConfigSchema } from '../sfu.config.js';
import { SfuModule } from '../sfu.module.js';

/** A bus with the token key published on it; several nodes may share it. */
export class TestPlane {
  private readonly broker = new MemoryBroker();
  readonly bus = this.client();
  readonly facts: Fact[] = [];

  private constructor(readonly key: SigningKey) {}

  static async open(): Promise<TestPlane> {
    const plane = new TestPlane(await generateSigningKey());
    await plane.bus.ensureStream(factStream);
    await publishKeys(plane.bus, [plane.key.publicJwk]);
    await plane.bus.consume<Fact>({ stream: factStream.name, durable: 'gateway' }, async ({ payload }) => {
      plane.facts.push(payload);
    });
    return plane;
  }

  client(): MemoryBus {
    return new MemoryBus(this.broker);
  }

  factsOf(resourceID: string): Fact['body'][] {
    return this.facts.filter(fact => fact.resourceID === resourceID).map(({ body }) => body);
  }

  factTypesOf(resourceID: string): string[] {
    return this.factsOf(resourceID).map(({ type }) => type);
  }

  /** Which of its states was told last; its health is none. */
  stateOf(resourceID: string): string | undefined {
    return this.factTypesOf(resourceID).findLast(type => type !== 'external_session.health');
  }

  ingestToken(resourceID: string, expiresInSeconds = 300, meetingID = 'room_1'): Promise<string> {
    const expiresAt = Math.floor(Date.now() / 1000) + expiresInSeconds;
    return new TokenSigner(this.key).sign(makeIngestClaims({ resourceID, expiresAt, meetingID }));
  }

  playbackToken(resourceID: string, expiresInSeconds = 300, meetingID = 'room_1'): Promise<string> {
    const expiresAt = Math.floor(Date.now() / 1000) + expiresInSeconds;
    return new TokenSigner(this.key).sign(makePlaybackClaims({ resourceID, expiresAt, meetingID }));
  }
}

/** A test's publisher sends when the test says so: its silence means nothing, however long a slow machine makes it. */
const memoryTimings: RoomTimings = { ...defaultRoomTimings, takeoverAfter: 120_000, lostAfter: 120_000 };

export interface NodeOptions {
  nodeID?: string;
  /** Default: those in service; without media, patient ones with silent publishers. */
  timings?: RoomTimings;
  env?: Record<string, string>;
  /** Default: any. */
  port?: number;
}

/** One SFU node with all its parts but the network and the media. */
export class TestNode<Engine extends MediaEngine = MemoryEngine> {
  private constructor(
    readonly app: NestExpressApplication,
    readonly engine: Engine,
    readonly nodeID: string,
    private readonly gateway: Bus,
  ) {}

  static open(plane: TestPlane, options: NodeOptions = {}): Promise<TestNode> {
    return TestNode.openWith(plane, new MemoryEngine(), options);
  }

  static async openWith<Engine extends MediaEngine>(
    plane: TestPlane,
    engine: Engine,
    { nodeID = 'sfu-1', timings = timingsFor(engine), env = {}, port = 0 }: NodeOptions = {},
  ): Promise<TestNode<Engine>> {
    const config = loadConfig(sfuConfigSchema, { RTMS_NODE_ID: nodeID, PUBLIC_URL: `http://${nodeID}.test`, ...env });
    const logger = createLogger({ service: 'sfu', level: 'silent' });
    const parts = { config, logger, bus: plane.client(), engine, timings };
    const module = await Test.createTestingModule({ imports: [SfuModule.forRoot(parts)] }).compile();
    const app = module.createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
    configureHttp(app, logger);
    await app.listen(port, '127.0.0.1');
    return new TestNode(app, engine, nodeID, plane.bus);
  }

  /** Answers requests like a server at its own address. */
  get server(): ReturnType<NestExpressApplication['getHttpServer']> {
    return this.app.getHttpServer();
  }

  async openSession(sessionID: string, tracks: MediaKind[] = ['audio', 'video'], meetingID = 'room_1'): Promise<void> {
    await this.gateway.request(sfuCommands.openSession.forNode(this.nodeID), { meetingID, sessionID, tracks });
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

function timingsFor(engine: MediaEngine): RoomTimings {
  return engine instanceof MemoryEngine ? memoryTimings : defaultRoomTimings;
}
