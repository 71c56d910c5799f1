import type { ComposedSource, CompositionStyle } from '@rtms/contracts';
import { ServiceError } from '@rtms/contracts';
import { createLogger } from '@rtms/logging';
import { ManualClock } from '@rtms/testing';
import type { ComposedCapture, EncoderExit } from '../encoder/encoder.js';
import type { FeedListener, FeedRequest, OpenFeed } from '../rtp/source-feed.js';
import { Composition } from './composition.js';

const style: CompositionStyle = {
  ...{ layout: 'grid', width: 640, height: 360, fit: 'contain', hasEmptyTiles: false, audio: 'all' },
  backgroundColor: '#000000',
};

const source = (sourceID: string, change: Partial<ComposedSource> = {}): ComposedSource => ({
  ...{ sourceID, view: 'camera', sfuNodeID: 'sfu_1', tracks: ['audio', 'video'], name: sourceID, isHost: false },
  ...change,
});

/** 20 ms of Opus. */
const sound = Buffer.of(0xfc, 0x01, 0x02, 0x03);

/** An FFmpeg that encodes as fast as time passes, unless it `waits`. */
class FakeCapture implements ComposedCapture {
  readonly pid = 1;
  readonly ended: number[] = [];
  waits = false;
  isOver = false;
  /** Packets of sound that are no silence. */
  sounds = 0;
  private readonly begunAt: number;
  private encoded = 0;

  constructor(
    readonly tiles: string[],
    readonly beginMs: number,
    readonly exit: (exit: EncoderExit) => void,
    private readonly clock: ManualClock,
  ) {
    this.begunAt = clock.now();
  }

  get encodedMs(): number {
    if (!this.waits) this.encoded = this.clock.now() - this.begunAt;
    return this.encoded;
  }

  write(data: Buffer): boolean {
    if (data.includes(sound)) this.sounds += 1;
    return true;
  }

  queuedBytes(): number {
    return 0;
  }

  endInput(input: number): void {
    this.ended.push(input);
  }

  finish(): Promise<void> {
    this.isOver = true;
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.isOver = true;
    return Promise.resolve();
  }
}

/** Sources that send a picture every 100 ms while they are in `sending`, and a keyframe when they are asked. */
function openBed(sources: ComposedSource[]) {
  const clock = new ManualClock();
  const lagMs = new Map<string, number>();
  const sending = new Set(sources.map(({ sourceID }) => sourceID));
  const feeds = new Map<string, { listener: FeedListener; request: FeedRequest; isAsked: boolean }>();
  const opened: FeedRequest[] = [];
  const captures: FakeCapture[] = [];
  const notes: (number | undefined)[] = [];
  const failures: EncoderExit[] = [];
  const waits: number[] = [];
  const openFeed: OpenFeed = (_bus, request, _needs, listener) => {
    opened.push(request);
    if (request.sfuNodeID === 'sfu_lost') return new Promise(() => undefined);
    if (!sending.has(request.sourceID))
      return Promise.reject(new ServiceError('source_not_active', 'Nothing is sent.'));
    const feed = { listener, request, isAsked: true };
    feeds.set(request.feedID, feed);
    const hasVideo = request.tracks.includes('video');
    return Promise.resolve({
      codecs: { audio: { channels: 2 }, ...(hasVideo && { video: { codec: 'vp8' as const } }) },
      senderTimeOf: (timeMs: number) => timeMs,
      requestKeyframe: () => void (feed.isAsked = true),
      close: () => Promise.resolve(void feeds.delete(request.feedID)),
    });
  };
  const composition = new Composition(
    style,
    { sources },
    {
      ...{ jobID: 'rec_1', bus: {} as never, openFeed, decodes: () => true, maxSource: undefined, clock },
      logger: createLogger({ service: 'transcoder', level: 'silent' }),
      begin: (scene, beginMs, onExit) => {
        const shown = scene.tiles.flatMap(({ name, picture }) => (picture ? [name] : []));
        const capture = new FakeCapture(shown, beginMs, onExit, clock);
        captures.push(capture);
        return Promise.resolve({ capture, onEnded: seconds => Promise.resolve(void notes.push(seconds)) });
      },
    },
    { onBegan: () => undefined, onFailed: exit => failures.push(exit), onWaited: ms => waits.push(ms) },
  );
  const send = (now = clock.now()) => {
    for (const feed of [...feeds.values()].filter(({ request }) => sending.has(request.sourceID))) {
      const timeMs = now - (lagMs.get(feed.request.sourceID) ?? 0);
      const frame = { rtpTimestamp: 0, receivedAt: clock.now(), timeMs };
      feed.listener.onFrame({ ...frame, kind: 'audio', data: sound, keyframe: true });
      if (!feed.request.tracks.includes('video')) continue;
      const size = { width: 320, height: 180 };
      const picture = { ...frame, kind: 'video', data: Buffer.alloc(100), keyframe: feed.isAsked } as const;
      feed.listener.onFrame({ ...picture, ...(feed.isAsked && { size }) });
      feed.isAsked = false;
    }
  };
  const run = async (ms: number) => {
    for (let at = 0; at < ms; at += 100) {
      await clock.advance(100);
      send();
    }
  };
  const layouts = () => captures.map(({ tiles }) => tiles.join());
  return { clock, lagMs, sending, opened, captures, notes, failures, waits, composition, send, run, layouts };
}

describe('a composition', () => {
  it('begins one run for all sources, and another one only for another layout', async () => {
    const bed = openBed([source('ada'), source('bob')]);
    bed.composition.start();
    await bed.run(3_000);
    bed.composition.compose({ sources: [source('ada'), source('bob')], speakerID: 'bob' });
    bed.composition.compose({ sources: [source('ada', { isHost: true }), source('bob')] });
    await bed.run(3_000);
    expect(bed.layouts()).toEqual(['ada,bob']);
    expect(bed.opened).toHaveLength(2);
    await bed.composition.close();
  });

  it('has media when it is closed as soon as it has begun', async () => {
    const bed = openBed([source('ada')]);
    bed.composition.start();
    for (let tries = 0; bed.captures.length === 0 && tries < 50; tries += 1) await bed.run(100);
    await bed.composition.close();
    expect(bed.notes).toEqual([0.1]);
  });

  it('has no media after the time of its close', async () => {
    const bed = openBed([source('ada')]);
    bed.composition.start();
    await bed.run(3_000);
    const wholeMs = bed.clock.now() - bed.captures[0]!.beginMs;
    await bed.clock.advance(50);
    await bed.composition.close();
    expect(bed.notes).toEqual([wholeMs / 1000]);
  });

  it('changes its layout at most once a second, to the newest one, without a gap', async () => {
    const bed = openBed([source('ada'), source('bob'), source('eve')]);
    bed.composition.compose({ sources: [source('ada')] });
    bed.composition.start();
    await bed.run(300);
    for (const sources of [[source('bob')], [source('eve')], [source('bob'), source('eve')]]) {
      bed.composition.compose({ sources });
      await bed.run(100);
    }
    await bed.run(3_000);
    expect(bed.layouts()).toEqual(['ada', 'bob,eve']);
    const [first, second] = bed.captures;
    expect(second!.beginMs - first!.beginMs).toBeGreaterThanOrEqual(1_000);
    expect(bed.notes).toEqual([(second!.beginMs - first!.beginMs) / 1000]);
    expect(first!.isOver).toBe(true);
    await bed.composition.close();
  });

  it('ends the input of a source whose pictures lag', async () => {
    const bed = openBed([source('ada'), source('bob')]);
    bed.composition.start();
    await bed.run(3_000);
    bed.lagMs.set('bob', 1_100);
    await bed.run(1_500);
    expect(bed.captures[0]!.ended).toEqual([2]);
    await bed.composition.close();
  });

  it('ends the input of a silent source after a second, lets it leave, and shows it again', async () => {
    const bed = openBed([source('ada'), source('bob')]);
    bed.composition.start();
    await bed.run(3_000);
    bed.sending.delete('bob');
    await bed.run(1_000);
    expect(bed.captures[0]!.ended).toEqual([]);
    await bed.run(500);
    expect(bed.captures[0]!.ended).toEqual([2]);
    expect(bed.waits).toEqual([1_300]);
    expect(bed.layouts()).toEqual(['ada,bob']);
    await bed.run(5_000);
    expect(bed.layouts()).toEqual(['ada,bob', 'ada']);
    const asked = bed.opened.length;
    await bed.run(60_000);
    // It asks less and less often.
    expect(bed.opened.length - asked).toBeLessThan(10);
    bed.sending.add('bob');
    await bed.run(35_000);
    expect(bed.layouts()).toEqual(['ada,bob', 'ada', 'ada,bob']);
    await bed.composition.close();
  });

  it.each([
    ['nothing new to report', true],
    ['just reported', false],
  ])('misses nothing that waited while this process got no processor, when FFmpeg had %s', async (_case, waits) => {
    const bed = openBed([source('ada')]);
    bed.composition.start();
    await bed.run(3_000);
    const capture = bed.captures[0]!;
    const [stalledAt, { sounds }] = [bed.clock.now(), capture];
    capture.waits = waits;
    bed.clock.stall(6_000);
    // The tick is overdue, so it runs before the sockets are read.
    await bed.clock.advance(0);
    capture.waits = true;
    for (let at = stalledAt + 100; at <= bed.clock.now(); at += 100) bed.send(at);
    await bed.run(300);
    capture.waits = false;
    await bed.run(3_000);
    expect(capture.sounds - sounds).toBe(60 + 33);
    expect([bed.waits, capture.ended, bed.layouts()]).toEqual([[], [], ['ada']]);
    await bed.composition.close();
  });

  it('opens a feed again when the tracks or the SFU node of its source change', async () => {
    const bed = openBed([source('ada'), source('bob')]);
    bed.composition.start();
    await bed.run(2_000);
    bed.composition.compose({ sources: [source('ada', { tracks: ['audio'] }), source('bob', { sfuNodeID: 'sfu_2' })] });
    await bed.run(3_000);
    const { opened } = bed;
    expect(opened.slice(2).map(({ sourceID, sfuNodeID, tracks, view }) => [sourceID, sfuNodeID, tracks, view])).toEqual(
      [
        ['ada', 'sfu_1', ['audio'], 'camera'],
        ['bob', 'sfu_2', ['audio', 'video'], 'camera'],
      ],
    );
    expect(bed.layouts()).toEqual(['ada,bob', 'bob']);
    await bed.composition.close();
  });

  it('waits neither for a lost SFU node nor for its feeds', async () => {
    const bed = openBed([source('ada'), source('bob', { sfuNodeID: 'sfu_lost' })]);
    bed.composition.start();
    await bed.run(3_000);
    bed.composition.compose({ sources: [source('ada'), source('bob')] });
    await bed.run(2_000);
    expect(bed.layouts()).toEqual(['ada', 'ada,bob']);
    bed.composition.compose({ sources: [source('ada', { sfuNodeID: 'sfu_lost' })] });
    await bed.composition.close();
    expect(bed.notes).toHaveLength(2);
  });

  it('opens a feed again when a member publishes other tracks of the same kinds', async () => {
    const bed = openBed([source('ada', { trackIDs: ['trk_1', 'trk_2'] })]);
    bed.composition.start();
    await bed.run(2_000);
    const opened = bed.opened.length;
    bed.composition.compose({ sources: [source('ada', { trackIDs: ['trk_1', 'trk_2'] })] });
    await bed.run(1_000);
    expect(bed.opened).toHaveLength(opened);
    bed.composition.compose({ sources: [source('ada', { trackIDs: ['trk_1', 'trk_3'] })] });
    await bed.run(1_000);
    expect(bed.opened).toHaveLength(opened + 1);
    await bed.composition.close();
  });

  it('leaves out a source whose pictures stop FFmpeg, and goes on with the others', async () => {
    const bed = openBed([source('ada')]);
    bed.sending.add('bad');
    bed.composition.start();
    await bed.run(2_000);
    bed.composition.compose({ sources: [source('bad')] });
    await bed.run(1_500);
    expect(bed.layouts()).toEqual(['ada', 'bad']);
    bed.captures[1]!.waits = true;
    await bed.run(7_000);
    expect(bed.layouts()).toEqual(['ada', 'bad', '']);
    expect(bed.failures).toEqual([]);
    await bed.composition.close();
  });

  it('replaces an FFmpeg that encodes nothing for 12 s, and reports it', async () => {
    const bed = openBed([source('ada', { tracks: ['audio'] })]);
    bed.composition.start();
    await bed.run(2_000);
    bed.captures[0]!.waits = true;
    await bed.run(12_000);
    expect([bed.failures, bed.captures.length]).toEqual([[], 1]);
    await bed.run(2_000);
    expect([bed.failures[0]?.lastLines, bed.captures.length]).toEqual([['FFmpeg encodes nothing'], 2]);
    await bed.composition.close();
  });

  it('blames new pictures for an early end of FFmpeg, and reports other ends', async () => {
    const bed = openBed([source('ada'), source('bob')]);
    const died = { expected: false, code: 1, signal: null, lastLines: [] };
    bed.composition.compose({ sources: [source('ada')] });
    bed.composition.start();
    await bed.run(5_000);
    bed.captures[0]!.exit(died);
    await bed.run(2_000);
    expect([bed.failures.length, bed.layouts()]).toEqual([1, ['ada', 'ada']]);
    bed.composition.compose({ sources: [source('ada'), source('bob')] });
    await bed.run(2_000);
    bed.captures[2]!.exit(died);
    await bed.run(2_000);
    expect([bed.failures.length, bed.layouts()]).toEqual([1, ['ada', 'ada', 'ada,bob', 'ada']]);
    await bed.composition.close();
  });

  it('closes everything, once or twice, and begins nothing more', async () => {
    const bed = openBed([source('ada')]);
    bed.composition.start();
    await bed.run(2_000);
    await Promise.all([bed.composition.close(), bed.composition.close()]);
    bed.composition.compose({ sources: [source('ada'), source('bob')] });
    bed.composition.start();
    await bed.run(3_000);
    expect([bed.layouts(), bed.notes.length, bed.captures[0]!.isOver]).toEqual([['ada'], 1, true]);
  });
});
