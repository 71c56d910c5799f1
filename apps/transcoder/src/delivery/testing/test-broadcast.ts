import { MemoryBroker, MemoryBus } from '@rtms/bus';
import { systemClock, type Clock } from '@rtms/clock';
import { makeHlsClaims, makeTokenPair } from '@rtms/testing';
import { formatSignedPath, type TokenSigner, type TokenVerifier } from '@rtms/tokens';
import request from 'supertest';
import { encodeFmp4, type Fmp4Rendition } from '../../../../../test/media/fmp4.js';
import { publishRun, startOrigin, type Origin } from '../../../../../test/media/start-origin.js';
import type { Presentation } from '../presentation/presentation.js';

export const sizes = [
  { name: '180p', width: 320, height: 180 },
  { name: '90p', width: 160, height: 90 },
];
/** Timeouts of nodes that wait for each other, long enough for a busy machine. */
export const patience = { replica: 30_000, former: 30_000, successor: 30_000 };
export const options = { segmentSeconds: 1, windowSegments: 6 };

/** Encoded once for all tests of a file. */
let encoded: Promise<Fmp4Rendition[]> | undefined;

interface OpenOptions {
  /** Whether the bus says that the origin has the broadcast. */
  isOnBus?: boolean;
  clock?: Clock;
}

/** An origin with three seconds of the broadcast `bcast_1`, and a token to watch it. */
export class TestBroadcast {
  /** The first address of a player. It needs a token. */
  readonly entry = '/hls/bcast_1/index.m3u8';

  private constructor(
    readonly broker: MemoryBroker,
    readonly origin: Origin,
    readonly presentation: Presentation,
    readonly media: Fmp4Rendition[],
    readonly signer: TokenSigner,
    readonly verifier: TokenVerifier,
    readonly token: string,
    /** The path that the token opens. */
    readonly signed: string,
  ) {}

  static async open({ isOnBus = true, clock = systemClock }: OpenOptions = {}): Promise<TestBroadcast> {
    encoded ??= encodeFmp4({ seconds: 3, segmentSeconds: 1, videos: sizes, audio: true });
    const [media, { signer, verifier }] = await Promise.all([encoded, makeTokenPair()]);
    const broker = new MemoryBroker();
    const origin = await startOrigin(verifier, { bus: new MemoryBus(broker), clock, patienceMs: patience });
    const presentation = await origin.present('bcast_1', options, { isOnBus });
    await publishRun(presentation, media, sizes);
    const claims = await makeHlsClaims(signer);
    const token = await signer.sign(claims);
    const signed = `/hls/bcast_1/${formatSignedPath(claims.path)}`;
    return new TestBroadcast(broker, origin, presentation, media, signer, verifier, token, signed);
  }

  get(path: string, on: Origin = this.origin): request.Test {
    return request(on.url).get(path);
  }

  /** The path of the first video segment. */
  async firstSegment(): Promise<string> {
    const { text } = await this.get(`${this.signed}/180p/index.m3u8`);
    return `${this.signed}/180p/${/^[^#\n].*$/m.exec(text)![0]}`;
  }

  close(): Promise<void> {
    return this.origin.close();
  }
}
