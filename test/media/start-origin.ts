import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MemoryBus } from '@rtms/bus';
import { systemClock } from '@rtms/clock';
import { broadcastOrigin, type ContinuedBroadcast } from '@rtms/contracts';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { HealthModule } from '@rtms/health';
import { closeApp, listen } from '@rtms/http';
import { createLogger, type Logger } from '@rtms/logging';
import type { MediaHttp } from '@rtms/node';
import type { TokenVerifier } from '@rtms/tokens';
import { configureHttp } from '../../apps/transcoder/src/configure-http.js';
import { DeliveryModule } from '../../apps/transcoder/src/delivery/delivery.module.js';
import { newNodeKey } from '../../apps/transcoder/src/delivery/routing/origin-proxy.js';
import { MemoryRecordingStore } from '../../apps/transcoder/src/delivery/testing/memory-recording-store.js';
import { MemorySegmentStore } from '../../apps/transcoder/src/delivery/testing/memory-segment-store.js';
import { PresentationRegistry } from '../../apps/transcoder/src/delivery/presentation-registry.js';
import { Presentation } from '../../apps/transcoder/src/delivery/presentation/presentation.js';
import type { PresentationOptions } from '../../apps/transcoder/src/delivery/presentation/presentation-options.js';
import type { RunRendition } from '../../apps/transcoder/src/delivery/presentation/run-segments.js';
import { HlsViewers } from '../../apps/transcoder/src/delivery/viewers/hls-viewers.js';
import { WaitingReaders } from '../../apps/transcoder/src/delivery/answers/waiting-readers.js';
import type { DeliveryOptions } from '../../apps/transcoder/src/delivery/delivery-options.js';
import type { Fmp4Rendition, VideoSize } from './fmp4.js';

export interface PresentOptions {
  continues?: ContinuedBroadcast;
  /** Whether it answers at the broadcast's address on the bus. */
  isOnBus?: boolean;
}

export interface Origin {
  url: string;
  /** Proves that a request comes from another node. */
  nodeKey: string;
  registry: PresentationRegistry;
  /** Requests that wait for media. */
  waiting: WaitingReaders;
  /** The measured players. */
  viewers: HlsViewers;
  /** A presentation that this node serves, without media yet. */
  present(broadcastID: string, options: PresentationOptions, more?: PresentOptions): Promise<Presentation>;
  close(): Promise<void>;
}

@Module({})
class OriginModule {}

export interface OriginParts extends Partial<Pick<DeliveryOptions, 'bus' | 'clock' | 'patienceMs'>> {
  logger?: Logger;
  /** Default: none. */
  limits?: MediaHttp['limits'];
}

const silent = createLogger({ service: 'origin', level: 'silent' });

/** A node that serves HLS and does nothing else. */
export async function startOrigin(
  verifier: TokenVerifier,
  { bus = new MemoryBus(), clock = systemClock, logger = silent, patienceMs, limits }: OriginParts = {},
): Promise<Origin> {
  const [recordings, storyboards] = [new MemoryRecordingStore(), new MemoryRecordingStore()];
  const files = { recordings, storyboards, hls: new MemoryRecordingStore() };
  const node = {
    nodeID: 'origin',
    bus,
    verifier,
    clock,
    internalUrl: '',
    nodeKey: newNodeKey(),
    ...(patienceMs && { patienceMs }),
  };
  const options = { store: new MemorySegmentStore(), ...files, ...node };
  const delivery = DeliveryModule.forRootAsync({ useFactory: () => options });
  const root = { module: OriginModule, imports: [HealthModule.forRoot({ checks: {} }), delivery] };
  const app = await NestFactory.create<NestExpressApplication>(root, { logger: false, bodyParser: false });
  configureHttp(app, logger, limits && { limits, clock });
  const { url } = await listen(app, '127.0.0.1', 0);
  options.internalUrl = url;
  const registry = app.get(PresentationRegistry, { strict: false });
  return {
    url,
    nodeKey: node.nodeKey,
    registry,
    waiting: app.get(WaitingReaders, { strict: false }),
    viewers: app.get(HlsViewers, { strict: false }),
    async present(broadcastID, presentationOptions, { continues, isOnBus = true } = {}) {
      const presentation = new Presentation(broadcastID, presentationOptions, options.store, clock, continues);
      registry.put(presentation);
      const answer = () => Promise.resolve({ internalUrl: url, nodeKey: node.nodeKey });
      if (isOnBus) await bus.respond(broadcastOrigin.forResource(broadcastID), answer);
      return presentation;
    },
    close: () => closeApp(app, systemClock),
  };
}

/** A run of the encoder with this media. */
export function runRenditions(media: readonly Fmp4Rendition[], sizes: readonly VideoSize[]): RunRendition[] {
  return media.map(({ name }) => {
    const size = sizes.find(candidate => candidate.name === name);
    return size
      ? { kind: 'video', ...size, frameRate: 30, bitrate: 300_000 }
      : { kind: 'audio', name, bitrate: 128_000, channels: 2 };
  });
}

/** Publishes all of the media as one run. */
export async function publishRun(
  presentation: Presentation,
  media: readonly Fmp4Rendition[],
  sizes: readonly VideoSize[],
  startsAt = new Date(),
): Promise<void> {
  presentation.beginRun({ renditions: runRenditions(media, sizes), startsAt });
  for (const { name, init } of media) await presentation.addInit(name, init);
  const longest = Math.max(...media.map(({ segments }) => segments.length));
  for (let index = 0; index < longest; index += 1) await publishSegment(presentation, media, index, startsAt);
}

/** Publishes one stretch of media. */
export async function publishSegment(
  presentation: Presentation,
  media: readonly Fmp4Rendition[],
  index: number,
  startsAt: Date,
): Promise<void> {
  for (const { name, segments } of media) {
    const segment = segments[index];
    if (!segment) continue;
    const before = segments.slice(0, index).reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
    const programDateTime = new Date(startsAt.getTime() + before * 1000);
    await presentation.addSegment(name, { ...segment, programDateTime });
  }
}
