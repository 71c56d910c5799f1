import { MemoryBroker, MemoryBus } from '@rtms/bus';
import { ManualClock } from '@rtms/testing';
import { Presentation } from '../../delivery/presentation/presentation.js';
import { recordedAudio, recordedVideo } from '../../delivery/presentation/testing/recorded-media.js';
import { MemorySegmentStore } from '../../delivery/testing/memory-segment-store.js';
import type { Feed, TimedFrame } from '../../rtp/source-feed.js';
import { BroadcastFeed } from './broadcast-feed.js';

const box = (type: string, ...content: Buffer[]): Buffer => {
  const bytes = Buffer.concat([Buffer.alloc(8), ...content]);
  bytes.writeUInt32BE(bytes.length, 0);
  bytes.write(type, 4, 'latin1');
  return bytes;
};
const words = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4));
  return bytes;
};

interface Samples {
  /** In units of the track. */
  from: number;
  duration: number;
  count: number;
  bytes: number;
}

/** A fragment whose first sample is a keyframe, as FFmpeg writes it. */
function fragment({ from, duration, count, bytes }: Samples): Buffer {
  const moof = (offset: number) =>
    box(
      'moof',
      box('mfhd', words(0, 1)),
      box(
        'traf',
        // The default duration, size and flags; data from the start of the box.
        box('tfhd', words(0x20038, 1, duration, bytes, 0x1010000)),
        box('tfdt', words(0x1000000, 0, from)),
        box('trun', words(0x5, count, offset, 0x2000000)),
      ),
    );
  return Buffer.concat([box('styp'), moof(moof(0).length + 8), box('mdat', Buffer.alloc(bytes * count, from & 0xff))]);
}

/** One second: 30 pictures of 15,360 units, and the AAC frames of the same time. */
const videoSegment = (second: number) => fragment({ from: second * 15_360, duration: 512, count: 30, bytes: 100 });
const audioSegment = (second: number) => fragment({ from: second * 48_128, duration: 1_024, count: 47, bytes: 10 });

async function openStage() {
  const clock = new ManualClock();
  const store = new MemorySegmentStore();
  const presentation = new Presentation('bcast_1', { segmentSeconds: 1, windowSegments: 6 }, store, clock);
  const begin = async () => {
    const picture = { kind: 'video', name: 'v1', width: 160, height: 90, frameRate: 30, bitrate: 100_000 } as const;
    const sound = { kind: 'audio', name: 'audio', bitrate: 128_000, channels: 2 } as const;
    presentation.beginRun({ renditions: [picture, sound], startsAt: new Date(clock.now()) });
    await presentation.addInit('v1', recordedVideo.init);
    await presentation.addInit('audio', recordedAudio.init);
  };
  const add = async (second: number) => {
    const listed = { durationSeconds: 1, programDateTime: new Date(clock.now()) };
    await presentation.addSegment('v1', { bytes: videoSegment(second), ...listed });
    await presentation.addSegment('audio', { bytes: audioSegment(second), ...listed });
    await clock.advance(0);
  };
  const frames: TimedFrame[] = [];
  let damages = 0;
  const openFeed = (broadcastID = 'bcast_1'): Promise<Feed> => {
    const registry = { get: (id: string) => (id === 'bcast_1' ? presentation : undefined) };
    const request = { feedID: 'rs_1', sourceID: broadcastID, sfuNodeID: '', tracks: ['video', 'audio'] as const };
    const listener = { onFrame: (frame: TimedFrame) => void frames.push(frame), onDamage: () => void (damages += 1) };
    const needs = { decodes: () => true, needsVideo: true };
    return BroadcastFeed.opener(registry, clock)(new MemoryBus(new MemoryBroker()), request, needs, listener);
  };
  const pictures = () => frames.filter(({ kind }) => kind === 'video');
  return { clock, store, presentation, begin, add, frames, pictures, openFeed, damages: () => damages };
}

describe('the media of a broadcast', () => {
  let stage: Awaited<ReturnType<typeof openStage>>;
  let feed: Feed | undefined;
  const open = async () => (feed = await stage.openFeed());
  beforeEach(async () => {
    stage = await openStage();
    await stage.begin();
    await stage.add(0);
  });
  afterEach(async () => {
    await feed?.close();
    await feed?.close();
    feed = undefined;
    await stage.presentation.close();
    expect(stage.clock.pending).toBe(0);
  });

  it('begins with the newest segment, and follows at the speed of the source', async () => {
    await open();
    await stage.clock.advance(0);
    const startedAt = stage.clock.now();
    await stage.clock.advance(1_000);
    expect(stage.pictures().length).toBeGreaterThanOrEqual(14);
    expect(stage.pictures().length).toBeLessThanOrEqual(17);
    await stage.add(1);
    await stage.clock.advance(1_600);
    expect(stage.pictures()).toHaveLength(60);
    expect(stage.frames.filter(({ kind }) => kind === 'audio')).toHaveLength(94);
    const times = stage.frames.map(({ timeMs }) => timeMs);
    expect(times).toEqual([...times].sort((one, other) => one - other));
    expect(times[0]! - startedAt).toBeGreaterThanOrEqual(500);
    expect(times.at(-1)! - times[0]!).toBeCloseTo(1_984, 0);
  });

  it('has the codecs of the broadcast, and each keyframe the set-up of its decoder', async () => {
    const { codecs } = await open();
    expect(codecs).toMatchObject({ video: { codec: 'h264' }, audio: { channels: 2 } });
    expect(codecs.audio?.aacSetup?.toString('hex')).toBe('119056e500');
    await stage.clock.advance(1_600);
    const [first, second] = stage.pictures();
    expect(first).toMatchObject({ keyframe: true, size: { width: 160, height: 90 } });
    expect(first!.codecPrivate?.subarray(0, 4).toString('hex')).toBe('0142c00b');
    expect(first!.data).toHaveLength(100);
    expect(second!.keyframe).toBe(false);
  });

  it('continues without a jump when the next run counts from 0 again', async () => {
    await open();
    await stage.clock.advance(1_000);
    await stage.begin();
    await stage.add(0);
    await stage.clock.advance(1_600);
    const times = stage.pictures().map(({ timeMs }) => timeMs);
    expect(times).toHaveLength(60);
    const gaps = times.slice(1).map((time, index) => time - times[index]!);
    expect(Math.max(...gaps)).toBeLessThan(60);
  });

  it('passes media without bursts after a segment that came late', async () => {
    await open();
    await stage.clock.advance(2_500);
    expect(stage.pictures()).toHaveLength(30);
    for (const second of [1, 2, 3]) {
      await stage.add(second);
      const before = stage.pictures().length;
      await stage.clock.advance(500);
      expect(stage.pictures().length - before).toBeLessThan(18);
      await stage.clock.advance(500);
    }
    await stage.clock.advance(100);
    expect(stage.pictures()).toHaveLength(120);
    const times = stage.pictures().map(({ timeMs }) => timeMs);
    expect(times.at(-1)! - times[0]!).toBeCloseTo(3_967, 0);
  });

  it('has a gap for a segment that the storage lost', async () => {
    await open();
    stage.store.get = () => Promise.resolve(undefined);
    await stage.add(1);
    expect(stage.damages()).toBe(1);
    await stage.clock.advance(1_600);
    expect(stage.pictures()).toHaveLength(30);
  });

  it('passes frames at once that are too far ahead of the clock', async () => {
    await open();
    for (let second = 1; second < 25; second += 1) await stage.add(second);
    await stage.clock.advance(20);
    expect(stage.pictures().length).toBeGreaterThan(250);
  });

  it.each([
    ['no such broadcast is here', () => stage.openFeed('bcast_2')],
    [
      'the broadcast has gone to another transcoder',
      () => {
        stage.presentation.handOver();
        return stage.openFeed();
      },
    ],
  ])('is refused when %s', async (_, openIt) => {
    await expect(openIt()).rejects.toMatchObject({ reason: 'source_not_active' });
  });
});
