import { NoResponderError } from '@rtms/bus';
import { broadcastOrigin, type FactBody, type StartBroadcastRequest } from '@rtms/contracts';
import { DrainState } from '@rtms/health';
import { createLogger } from '@rtms/logging';
import { ManualClock, memoryBus } from '@rtms/testing';
import { frameMs, VirtualSource } from '../../test/virtual-source.js';
import { MemorySegmentStore } from '../delivery/memory-segment-store.js';
import { PresentationRegistry } from '../delivery/presentation-registry.js';
import { leastFreeBytes } from '../disk.js';
import { BroadcastsService } from './broadcasts.service.js';
import type { EncoderListener, EncodingPlan } from './encoder/encoder.js';
import { FakeEncoder, type FakeEncoderRun } from './encoder/fake-encoder.js';

/** Lets a test speak for the encoder of an earlier run, and silence the output of the current one. */
class HeardEncoder extends FakeEncoder {
  readonly listeners: EncoderListener[] = [];
  isStuck = false;

  override start(plan: EncodingPlan, listener: EncoderListener): Promise<FakeEncoderRun> {
    this.listeners.push(listener);
    return super.start(plan, {
      onInit: (name, bytes) => void (this.isStuck || listener.onInit(name, bytes)),
      onSegment: (name, segment) => void (this.isStuck || listener.onSegment(name, segment)),
      onExit: exit => listener.onExit(exit),
    });
  }
}

const request: StartBroadcastRequest = {
  broadcastID: 'bcast_1',
  meetingID: 'room_1',
  sourceID: 'ext_1',
  sfuNodeID: 'sfu-1',
  tracks: ['audio', 'video'],
  roomExpiresAt: '2027-01-01T00:00:00.000Z',
};

async function openStage(changes: Partial<StartBroadcastRequest> = {}) {
  const clock = new ManualClock();
  const [bus, encoder, source] = [await memoryBus(clock), new HeardEncoder(), new VirtualSource(clock)];
  const registry = new PresentationRegistry(clock);
  const facts: FactBody[] = [];
  /** A test makes the disk full by another number. */
  const space = { freeBytes: Infinity };
  const broadcasts = new BroadcastsService(
    {
      ...{ bus, encoder, registry, clock, openFeed: source.open, store: new MemorySegmentStore() },
      ...{ drain: new DrainState(), freeBytes: () => Promise.resolve(space.freeBytes) },
      reports: { report: (_broadcastID, body) => facts.push(body), forget: () => undefined },
      logger: createLogger({ service: 'spec', level: 'silent' }),
    },
    {
      ...{ internalUrl: 'http://origin', mediaDirectory: '/none', maxBroadcasts: 10 },
      presentation: { segmentSeconds: 1, windowSegments: 10 },
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
    close: async () => {
      await broadcasts.close();
      await registry.close();
    },
  };
}

type Stage = Awaited<ReturnType<typeof openStage>>;

const listed = (playlist: string): number => playlist.match(/^#EXTINF/gm)?.length ?? 0;

describe('a broadcast in virtual time', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
    // The job looks at its source at whole seconds after its start; the last picture is 3 s old then.
    await stage.source.send(31);
  });
  afterEach(() => stage.close());

  it('is interrupted by more than 5 s without a picture, and not by 5 s', async () => {
    await stage.clock.advance(5_999);
    expect(stage.types()).toEqual(['broadcast.active']);
    await stage.clock.advance(1);
    expect(stage.facts.at(-1)).toEqual({ type: 'broadcast.interrupted', reason: 'source_lost' });
    await stage.source.send(31);
    expect(stage.types()).toEqual(['broadcast.active', 'broadcast.interrupted', 'broadcast.active']);
    expect(stage.playlist()).toContain('#EXT-X-DISCONTINUITY\n');
  });

  it('is starting, not interrupted, while pictures come in, so that the gateway does not resume it', async () => {
    const state = () => stage.broadcasts.inventory().map(each => each.state)[0];
    stage.encoder.runs[0]!.die();
    await stage.clock.advance(0);
    expect(stage.facts.at(-1)).toEqual({ type: 'broadcast.interrupted', reason: 'encoder_lost' });
    expect(state()).toBe('starting');
    await stage.broadcasts.interrupt('bcast_1');
    expect(state()).toBe('interrupted');
    await stage.broadcasts.resume('bcast_1', { sfuNodeID: 'sfu-1' });
    await stage.clock.advance(5_000);
    expect(state()).toBe('starting');
    await stage.clock.advance(1);
    expect(state()).toBe('interrupted');
    await stage.source.send(1);
    expect(state()).toBe('starting');
    await stage.source.send(31);
    expect(state()).toBe('active');
  });

  it('leaves no timer behind', async () => {
    await stage.broadcasts.stop('bcast_1');
    await stage.close();
    expect(stage.clock.pending).toBe(0);
  });

  it('asks for a keyframe each second while it waits for one', async () => {
    await stage.clock.advance(6_000);
    const before = stage.source.feeds[0]!.keyframeRequests;
    await stage.clock.advance(3_000);
    expect(stage.source.feeds[0]!.keyframeRequests).toBe(before + 3);
  });

  const dieEvery = async (pictures: number): Promise<void> => {
    for (let death = 1; death <= 5; death += 1) {
      if (death > 1) await stage.source.send(pictures);
      stage.encoder.runs.at(-1)!.die();
      await stage.clock.advance(0);
    }
  };

  it('fails with the fifth death of an encoder within a minute', async () => {
    await dieEvery(149);
    expect(stage.facts.at(-1)).toEqual({ type: 'broadcast.failed', reason: 'encoder_failed' });
    expect(stage.broadcasts.load).toBe(0);
    expect(stage.source.feeds.every(({ isClosed }) => isClosed)).toBe(true);
  });

  it('survives the fifth death when the first was a minute before', async () => {
    await dieEvery(150);
    expect(stage.types()).not.toContain('broadcast.failed');
    expect(stage.encoder.runs).toHaveLength(6);
  });

  it('takes nothing more of an earlier encoder once the next one has published', async () => {
    stage.encoder.runs[0]!.die();
    await stage.source.send(31);
    expect(stage.types().at(-1)).toBe('broadcast.active');
    const before = stage.playlist();
    for (const name of ['v1', 'v2', 'audio'])
      stage.encoder.listeners[0]!.onSegment(name, { bytes: Buffer.from('late'), durationSeconds: 1 });
    await stage.clock.advance(0);
    expect(stage.playlist()).toBe(before);
    await stage.source.send(10);
    expect(listed(stage.playlist())).toBe(listed(before) + 1);
  });

  it('replaces an encoder that makes nothing for 18 s', async () => {
    stage.encoder.isStuck = true;
    // The last segment came with the last picture.
    await stage.source.send(180);
    expect(stage.encoder.runs).toHaveLength(1);
    stage.encoder.isStuck = false;
    await stage.source.send(1);
    expect(stage.facts.at(-1)).toEqual({ type: 'broadcast.interrupted', reason: 'encoder_lost' });
    expect(stage.encoder.runs).toHaveLength(2);
  });

  it('can be fetched for one window after its end, and no longer', async () => {
    await stage.broadcasts.stop('bcast_1');
    const ask = (): Promise<unknown> => stage.bus.request(broadcastOrigin.forResource('bcast_1'), {});
    await stage.clock.advance(9_999);
    expect(stage.broadcasts.isIdle).toBe(false);
    expect(stage.registry.get('bcast_1')).toBeDefined();
    await expect(ask()).resolves.toEqual({ internalUrl: 'http://origin' });
    await stage.clock.advance(1);
    expect(stage.broadcasts.isIdle).toBe(true);
    expect(stage.registry.get('bcast_1')).toBeUndefined();
    await expect(ask()).rejects.toThrow(NoResponderError);
  });

  it('lists its end, and can be fetched for one window, after it failed as after it was stopped', async () => {
    await dieEvery(149);
    expect(stage.facts.at(-1)).toMatchObject({ type: 'broadcast.failed' });
    expect(stage.playlist()).toMatch(/#EXT-X-ENDLIST\n$/);
    await stage.clock.advance(9_999);
    expect(stage.playlist()).toMatch(/#EXT-X-ENDLIST\n$/);
    await stage.clock.advance(1);
    expect(stage.registry.get('bcast_1')).toBeUndefined();
  });

  it('is encoded anew once a new size has stood for 3 s, and again 10 s later at the earliest', async () => {
    const [larger, largest] = [
      { width: 1280, height: 720 },
      { width: 1920, height: 1080 },
    ];
    // The 31st picture was a keyframe: nine more pictures, then the keyframe of the new size.
    await stage.source.send(9);
    await stage.source.send(30, larger);
    expect(stage.encoder.runs).toHaveLength(1);
    // A new encoder starts when its first 0.7 s are there.
    await stage.source.send(8, larger);
    expect(stage.encoder.runs).toHaveLength(2);
    await stage.source.send(2, larger);
    await stage.source.send(90, largest);
    expect(stage.encoder.runs).toHaveLength(2);
    await stage.source.send(8, largest);
    expect(stage.encoder.runs).toHaveLength(3);
    expect(stage.encoder.runs.map(({ plan }) => plan.video[0]!.height)).toEqual([360, 720, 1080]);
  });

  it('keeps its segments while it is interrupted, and goes on when the source is back', async () => {
    await stage.broadcasts.interrupt('bcast_1');
    expect(stage.source.feeds.map(({ isClosed }) => isClosed)).toEqual([true]);
    expect(stage.broadcasts.inventory()).toEqual([{ broadcastID: 'bcast_1', state: 'interrupted' }]);
    const before = stage.playlist();
    expect(listed(before)).toBe(3);
    expect(before).not.toContain('ENDLIST');
    await stage.broadcasts.resume('bcast_1', { sfuNodeID: 'sfu-1' });
    await stage.source.send(31);
    expect(stage.types()).toEqual(['broadcast.active', 'broadcast.active']);
    expect(stage.playlist()).toContain('#EXT-X-DISCONTINUITY\n');
    expect(listed(stage.playlist())).toBeGreaterThan(listed(before));
  });

  it('keeps its feed when the gateway resumes it once more after a comparison with a late answer', async () => {
    const openFeeds = () => stage.source.feeds.filter(({ isClosed }) => !isClosed);
    const late = { sfuNodeID: 'sfu-1', onlyIf: 'interrupted' as const };
    await stage.broadcasts.interrupt('bcast_1');
    await Promise.all([stage.broadcasts.resume('bcast_1', late), stage.broadcasts.resume('bcast_1', late)]);
    const [feed] = openFeeds();
    expect(stage.source.feeds).toHaveLength(2);
    await stage.source.send(31);
    await stage.broadcasts.resume('bcast_1', late);
    expect(openFeeds()).toEqual([feed]);
    expect(stage.types()).toEqual(['broadcast.active', 'broadcast.active']);
    await stage.broadcasts.resume('bcast_1', { sfuNodeID: 'sfu-1' });
    expect(openFeeds()).not.toContain(feed);
  });

  it('is reported again and goes on as it was when a gateway that had lost sight of the node orders it anew', async () => {
    await stage.broadcasts.start(request);
    expect(stage.types()).toEqual(['broadcast.active', 'broadcast.active']);
    await stage.source.send(31);
    expect(stage.playlist()).not.toContain('#EXT-X-DISCONTINUITY\n');
    expect(stage.source.feeds.map(({ isClosed }) => isClosed)).toEqual([false]);
  });

  it('takes up its source again when it is ordered anew after an interruption', async () => {
    await stage.broadcasts.interrupt('bcast_1');
    await stage.broadcasts.start(request);
    await stage.source.send(31);
    expect(stage.types()).toEqual(['broadcast.active', 'broadcast.active']);
    expect(stage.source.feeds.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  });

  it('keeps its renditions, none above the source, when the source turns smaller', async () => {
    await stage.source.send(9);
    await stage.source.send(38, { width: 320, height: 180 });
    expect(stage.encoder.runs).toHaveLength(2);
    expect(stage.encoder.runs[1]!.plan.video.map(({ name, width, height }) => [name, width, height])).toEqual([
      ['v1', 320, 180],
      ['v2', 320, 180],
    ]);
  });

  it('has no rendition above a source that came back smaller, and as many as before', async () => {
    await stage.broadcasts.interrupt('bcast_1');
    await stage.broadcasts.resume('bcast_1', { sfuNodeID: 'sfu-1' });
    await stage.source.send(31, { width: 160, height: 120 });
    expect(stage.reported()).toEqual([
      ['360p 640x360', '240p 426x240'],
      ['120p 160x120', '120p 160x120'],
    ]);
  });

  it('is refused on a nearly full disk, so that the gateway takes another transcoder, and leaves nothing open', async () => {
    const another = { ...request, broadcastID: 'bcast_2' };
    stage.space.freeBytes = leastFreeBytes - 1;
    await expect(stage.broadcasts.start(another)).rejects.toMatchObject({ reason: 'capacity_reached' });
    expect([stage.broadcasts.load, stage.source.feeds.length]).toEqual([1, 1]);
    expect(stage.registry.get('bcast_2')).toBeUndefined();
    stage.space.freeBytes = leastFreeBytes;
    await stage.broadcasts.start(another);
    await stage.source.send(31);
    expect(stage.broadcasts.inventory()).toContainEqual({ broadcastID: 'bcast_2', state: 'active' });
  });
});

describe('a broadcast in virtual time whose source grows', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
    await stage.source.send(40, { width: 320, height: 180 });
    // The new size has stood for 3 s after 30 pictures, then come 3 s of the new renditions.
    await stage.source.send(61, { width: 640, height: 360 });
  });
  afterEach(() => stage.close());

  it('gets a ladder of the new size, and says so', () => {
    expect(stage.types()).toEqual(['broadcast.active', 'broadcast.active']);
    expect(stage.reported()).toEqual([['180p 320x180'], ['360p 640x360', '240p 426x240']]);
    expect(stage.encoder.runs.map(({ isClosed }) => isClosed)).toEqual([true, false]);
    expect(stage.playlist()).toContain('#EXT-X-DISCONTINUITY\n');
    const second = stage.registry.get('bcast_1')!.mediaPlaylist('v2');
    expect(second).toMatch(/DISCONTINUITY-SEQUENCE:0\n#EXT-X-DISCONTINUITY\n/);
  });

  it('loses no picture between its runs, in whose order its times go on', () => {
    const segments = [...stage.playlist().matchAll(/TIME:(.*)\n#EXTINF:(.*),/g)].map(([, time, duration]) => {
      const start = Date.parse(time!);
      return { start, end: start + Number(duration) * 1000 };
    });
    expect(segments.length).toBeGreaterThan(6);
    // One frame is the step from the last picture of a run to the first of the next.
    for (const [i, { start }] of segments.slice(1).entries())
      expect(Math.abs(start - segments[i]!.end)).toBeLessThanOrEqual(frameMs + 1);
  });
});

describe('a source that is larger than its account may have', () => {
  const maxSource = { pixels: 640 * 360, pixelsPerSecond: 640 * 360 * 15 };
  const failed = { type: 'broadcast.failed', reason: 'source_too_large' };
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage({ maxSource });
  });
  afterEach(() => stage.close());

  it('fails before an encoder sees a picture', async () => {
    await stage.source.send(31, { width: 6144, height: 6144 });
    expect([stage.facts, stage.encoder.listeners]).toEqual([[failed], []]);
    expect(stage.broadcasts.load).toBe(0);
  });

  it('fails as soon as it grows, and its encoder sees no larger picture', async () => {
    await stage.source.send(31);
    expect(stage.types()).toEqual(['broadcast.active']);
    await stage.source.send(10, { width: 642, height: 362 });
    expect(stage.facts.at(-1)).toEqual(failed);
    expect(stage.encoder.listeners).toHaveLength(1);
  });

  it('fails where its pictures are too many', async () => {
    const slow = await openStage({ maxSource: { ...maxSource, pixelsPerSecond: 640 * 360 * 9 } });
    await slow.source.send(31);
    expect([slow.facts, slow.encoder.listeners]).toEqual([[failed], []]);
    await slow.close();
  });
});
