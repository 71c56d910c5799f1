import type { FactBody, StartBroadcastRequest } from '@rtms/contracts';
import { DrainState } from '@rtms/node';
import { createLogger } from '@rtms/logging';
import { ManualClock, memoryBus } from '@rtms/testing';
import { MemorySegmentStore } from '../src/delivery/testing/memory-segment-store.js';
import { PresentationRegistry } from '../src/delivery/presentation-registry.js';
import { BroadcastsService } from '../src/jobs/hls/broadcasts.service.js';
import type { LoadSlate } from '../src/jobs/hls/slate/slate-image.js';
import type { EncoderListener, EncodingPlan } from '../src/encoder/encoder.js';
import { FakeEncoder, type FakeEncoderRun } from '../src/encoder/testing/fake-encoder.js';
import { VirtualSource } from './virtual-source.js';

/** Lets a test send the output of an earlier run's encoder, and silence the output of the current run. */
class HeardEncoder extends FakeEncoder {
  readonly listeners: EncoderListener[] = [];
  isStuck = false;

  override start(plan: EncodingPlan, listener: EncoderListener): Promise<FakeEncoderRun> {
    if (plan.input !== 'slate') this.listeners.push(listener);
    return super.start(plan, {
      onInit: (name, bytes) => void (this.isStuck || listener.onInit(name, bytes)),
      onPart: (name, part) => void (this.isStuck || listener.onPart?.(name, part)),
      onSegment: (name, segment) => void (this.isStuck || listener.onSegment(name, segment)),
      onExit: exit => listener.onExit(exit),
    });
  }
}

export const request: StartBroadcastRequest = {
  broadcastID: 'bcast_1',
  meetingID: 'room_1',
  sourceID: 'ext_1',
  sfuNodeID: 'sfu-1',
  tracks: ['audio', 'video'],
  roomExpiresAt: '2027-01-01T00:00:00.000Z',
};

/** A service with the broadcast `bcast_1`, whose source sends what the test plays, in virtual time. */
export async function openStage(
  changes: Partial<StartBroadcastRequest> = {},
  loadSlate: LoadSlate = () => Promise.reject(new Error('no image')),
) {
  const clock = new ManualClock();
  const [bus, encoder, source] = [await memoryBus(clock), new HeardEncoder(), new VirtualSource(clock)];
  const registry = new PresentationRegistry(clock);
  const facts: FactBody[] = [];
  /** A test sets a lower number to simulate a full disk. */
  const space = { freeBytes: Infinity };
  const broadcasts = new BroadcastsService(
    {
      ...{ bus, encoder, registry, clock, openFeed: source.open, store: new MemorySegmentStore(), loadSlate },
      ...{ drain: new DrainState(), freeBytes: () => Promise.resolve(space.freeBytes) },
      reports: { report: (_broadcastID, body) => facts.push(body), forget: () => undefined },
      logger: createLogger({ service: 'spec', level: 'silent' }),
    },
    {
      ...{ origin: { internalUrl: 'http://origin' }, mediaDirectory: '/none', maxBroadcasts: 10 },
      presentation: { segmentSeconds: 1, windowSegments: 10 },
      dvr: { maxBytes: 10_000_000, maxAccountBytes: 5_000_000 },
    },
  );
  await broadcasts.start({ ...request, ...changes });
  return {
    ...{ clock, bus, encoder, source, registry, broadcasts, facts, space },
    types: () => facts.map(({ type }) => type),
    /** The renditions of each report that the broadcast is active. */
    reported: () =>
      facts.flatMap(fact =>
        fact.type === 'broadcast.active'
          ? [fact.renditions.map(({ name, width, height }) => `${name} ${width}x${height}`)]
          : [],
      ),
    playlist: () => registry.get('bcast_1')?.mediaPlaylist('v1') ?? '',
    /** Kills the encoder five times, with `pictures` pictures in between. */
    dieEvery: async (pictures: number) => {
      for (let death = 1; death <= 5; death += 1) {
        if (death > 1) await source.send(pictures);
        encoder.runs.at(-1)!.die();
        await clock.advance(0);
      }
    },
    close: async () => {
      await broadcasts.close();
      await registry.close();
    },
  };
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** The number of listed segments. */
export const listed = (playlist: string): number => playlist.match(/^#EXTINF/gm)?.length ?? 0;
