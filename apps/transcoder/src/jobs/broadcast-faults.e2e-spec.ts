/** @weight 0.2 */
import { readdir } from 'node:fs/promises';
import { readlinkSync, readdirSync } from 'node:fs';
import { waitFor } from '@rtms/testing';
import { openBroadcastBench, startRequest, sfuNodeID } from '../../test/broadcast-bench.js';
import { PacketSource } from '../../test/packet-source.js';
import { vp8Frames } from '../../test/prepared-frames.js';
import { leastFreeBytes } from '../disk.js';
import { FakeEncoder } from './encoder/fake-encoder.js';
import { resizeIntervalMs } from './hls/size-watch.js';

let frames: Buffer[][];
let opened: { close(): Promise<void> }[] = [];

beforeAll(() => {
  frames = vp8Frames('640x360');
});

afterEach(async () => {
  await Promise.all(opened.map(bench => bench.close()));
  opened = [];
});

async function openBench(encoder?: FakeEncoder) {
  const sources: PacketSource[] = [];
  const createSource = () => {
    const source = new PacketSource({ codec: 'VP8', frames, frameRate: 25 });
    sources.push(source);
    return source;
  };
  const bench = await openBroadcastBench(createSource, encoder);
  opened.push(bench);
  return { ...bench, sources };
}

type Bench = Pick<Awaited<ReturnType<typeof openBench>>, 'facts'>;

function factTypes({ facts }: Bench, broadcastID = 'bcast_1'): string[] {
  return facts.filter(fact => fact.broadcastID === broadcastID).map(({ body }) => body.type);
}

function renditionsReported({ facts }: Bench): string[][] {
  return facts.flatMap(({ body }) =>
    body.type === 'broadcast.active'
      ? [body.renditions.map(({ name, width, height }) => `${name} ${width}x${height}`)]
      : [],
  );
}

function openSockets(): number {
  const names = readdirSync('/proc/self/fd').map(fd => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  });
  return names.filter(name => name.startsWith('socket:')).length;
}

describe('a broadcast whose encoder dies', () => {
  it('has a new one within 2 s, says so, and goes on behind a discontinuity', async () => {
    const bench = await openBench();
    await bench.broadcasts.start(startRequest());
    await waitFor(() => factTypes(bench).includes('broadcast.active'));
    const first = bench.broadcasts.encoderPids().get('bcast_1')!;
    process.kill(first, 'SIGKILL');
    const killedAt = Date.now();
    const second = await waitFor(() => {
      const pid = bench.broadcasts.encoderPids().get('bcast_1');
      return pid !== undefined && pid !== first && pid;
    });
    expect(Date.now() - killedAt).toBeLessThan(2_000);
    expect(second).not.toBe(first);
    await waitFor(() => factTypes(bench).length === 3);
    expect(factTypes(bench)).toEqual(['broadcast.active', 'broadcast.interrupted', 'broadcast.active']);
    expect(bench.registry.get('bcast_1')!.mediaPlaylist('v1')).toContain('#EXT-X-DISCONTINUITY\n');
  }, 90_000);

  it('fails when encoders die again and again', async () => {
    const encoder = new FakeEncoder();
    const bench = await openBench(encoder);
    await bench.broadcasts.start(startRequest());
    await waitFor(() => factTypes(bench).includes('broadcast.active'));
    for (let i = 0; i < 5; i += 1) {
      await waitFor(() => encoder.runs[i]);
      encoder.runs[i]!.die();
    }
    await waitFor(() => factTypes(bench).includes('broadcast.failed'));
    expect(bench.facts.at(-1)!.body).toEqual({ type: 'broadcast.failed', reason: 'encoder_failed' });
    await waitFor(() => bench.broadcasts.load === 0);
    expect(bench.sfu.openFeeds.size).toBe(0);
  });
});

describe('a broadcast on a nearly full disk', () => {
  it('is refused, so that the gateway takes another transcoder, and leaves nothing open', async () => {
    const bench = await openBench(new FakeEncoder());
    bench.space.freeBytes = leastFreeBytes - 1;
    await expect(bench.broadcasts.start(startRequest())).rejects.toMatchObject({ reason: 'capacity_reached' });
    expect([bench.broadcasts.isIdle, bench.sfu.openFeeds.size]).toEqual([true, 0]);
    bench.space.freeBytes = leastFreeBytes;
    await bench.broadcasts.start(startRequest());
    await waitFor(() => factTypes(bench).includes('broadcast.active'));
  });
});

describe('a broadcast whose source is lost', () => {
  it('keeps what it has, and goes on when the source is back', async () => {
    const bench = await openBench(new FakeEncoder());
    await bench.broadcasts.start(startRequest());
    await waitFor(() => factTypes(bench).includes('broadcast.active'));
    await bench.broadcasts.interrupt('bcast_1');
    expect(bench.sfu.openFeeds.size).toBe(0);
    expect(bench.broadcasts.inventory()).toEqual([{ broadcastID: 'bcast_1', state: 'interrupted' }]);
    const before = bench.registry.get('bcast_1')!.mediaPlaylist('v1')!;
    expect(before).not.toContain('ENDLIST');
    await bench.broadcasts.resume('bcast_1', sfuNodeID);
    await waitFor(() => factTypes(bench).filter(type => type === 'broadcast.active').length === 2);
    expect(bench.registry.get('bcast_1')!.mediaPlaylist('v1')).toContain('#EXT-X-DISCONTINUITY\n');
  });

  it('notices by itself when no picture comes any more, and when it does again', async () => {
    const bench = await openBench(new FakeEncoder());
    await bench.broadcasts.start(startRequest());
    await waitFor(() => factTypes(bench).includes('broadcast.active'));
    bench.sources[0]!.muted.add('video');
    await waitFor(() => factTypes(bench).at(-1) === 'broadcast.interrupted');
    bench.sources[0]!.muted.delete('video');
    await waitFor(() => factTypes(bench).at(-1) === 'broadcast.active');
  });

  it('keeps its renditions, none above the source, when the source turns smaller', async () => {
    const encoder = new FakeEncoder();
    const bench = await openBench(encoder);
    await bench.broadcasts.start(startRequest());
    await waitFor(() => factTypes(bench).includes('broadcast.active'));
    bench.sources[0]!.play(vp8Frames('320x180'));
    await waitFor(() => encoder.runs.length === 2);
    expect(encoder.runs[1]!.plan.video.map(({ name, width, height }) => [name, width, height])).toEqual([
      ['v1', 320, 180],
      ['v2', 320, 180],
    ]);
  });

  it('has no rendition above a source that came back smaller, and as many as before', async () => {
    const lives = [frames, vp8Frames('160x120')];
    const createSource = () => new PacketSource({ codec: 'VP8', frames: lives.shift() ?? frames, frameRate: 25 });
    const bench = await openBroadcastBench(createSource, new FakeEncoder());
    opened.push(bench);
    await bench.broadcasts.start(startRequest());
    await waitFor(() => factTypes(bench).includes('broadcast.active'));
    await bench.broadcasts.interrupt('bcast_1');
    await bench.broadcasts.resume('bcast_1', sfuNodeID);
    await waitFor(() => factTypes(bench).length === 2);
    expect(renditionsReported(bench)).toEqual([
      ['360p 640x360', '240p 426x240'],
      ['120p 160x120', '120p 160x120'],
    ]);
  });
});

describe('a broadcast whose source grows', () => {
  async function openGrowing(encoder: FakeEncoder) {
    const source = new PacketSource({ codec: 'VP8', frames: vp8Frames('320x180'), frameRate: 25 });
    const bench = await openBroadcastBench(() => source, encoder);
    opened.push(bench);
    await bench.broadcasts.start(startRequest());
    await waitFor(() => bench.facts.length > 0);
    return { ...bench, sources: [source], source };
  }

  it('gets a ladder of the new size, and says so', async () => {
    const encoder = new FakeEncoder();
    const bench = await openGrowing(encoder);
    bench.source.play(frames);
    await waitFor(() => bench.facts.length === 2);
    expect(factTypes(bench)).toEqual(['broadcast.active', 'broadcast.active']);
    expect(renditionsReported(bench)).toEqual([['180p 320x180'], ['360p 640x360', '240p 426x240']]);
    expect(encoder.runs.map(({ isClosed }) => isClosed)).toEqual([true, false]);
    const presentation = bench.registry.get('bcast_1')!;
    expect(presentation.mediaPlaylist('v1')).toContain('#EXT-X-DISCONTINUITY\n');
    expect(presentation.mediaPlaylist('v2')).toMatch(/DISCONTINUITY-SEQUENCE:0\n#EXT-X-DISCONTINUITY\n/);
  });

  it('loses nothing between its runs, in whose order its times go on', async () => {
    const encoder = new FakeEncoder();
    const bench = await openGrowing(encoder);
    bench.source.play(frames);
    await waitFor(() => bench.facts.length === 2);
    const listed = [
      ...bench.registry
        .get('bcast_1')!
        .mediaPlaylist('v1')!
        .matchAll(/TIME:(.*)\n#EXTINF:(.*),/g),
    ];
    const ends = listed.map(([, time, duration]) => Date.parse(time!) + Number(duration) * 1000);
    const starts = listed.map(([, time]) => Date.parse(time!));
    // One frame is the step from the last picture of a run to the first of the next.
    for (let i = 1; i < listed.length; i += 1) expect(Math.abs(starts[i]! - ends[i - 1]!)).toBeLessThanOrEqual(60);
  });

  it('begins no second run within 10 s of the first', async () => {
    const encoder = new FakeEncoder();
    const bench = await openGrowing(encoder);
    // Before the first change, from which the interval counts: a slow machine makes it longer, never shorter.
    const beforeGrowing = Date.now();
    bench.source.play(vp8Frames('480x270'));
    await waitFor(() => encoder.runs.length === 2);
    bench.source.play(frames);
    await waitFor(() => encoder.runs.length === 3);
    expect(Date.now() - beforeGrowing).toBeGreaterThanOrEqual(resizeIntervalMs);
  }, 60_000);
});

describe('a broadcast that is ordered anew', () => {
  it('is reported again and goes on as it was, for a gateway that had lost sight of the node', async () => {
    const bench = await openBench(new FakeEncoder());
    await bench.broadcasts.start(startRequest());
    await waitFor(() => factTypes(bench).includes('broadcast.active'));
    await bench.broadcasts.start(startRequest());
    expect(factTypes(bench)).toEqual(['broadcast.active', 'broadcast.active']);
    expect(bench.registry.get('bcast_1')!.mediaPlaylist('v1')).not.toContain('#EXT-X-DISCONTINUITY\n');
    expect(bench.sfu.openFeeds.size).toBe(1);
  });

  it('takes up its source again when it had been interrupted', async () => {
    const bench = await openBench(new FakeEncoder());
    await bench.broadcasts.start(startRequest());
    await waitFor(() => factTypes(bench).includes('broadcast.active'));
    await bench.broadcasts.interrupt('bcast_1');
    await bench.broadcasts.start(startRequest());
    await waitFor(() => factTypes(bench).filter(type => type === 'broadcast.active').length === 2);
    expect(bench.sfu.openFeeds.size).toBe(1);
  });
});

describe('a broadcast that cannot start', () => {
  it('is declined when the codec cannot be read, and nothing stays open', async () => {
    const bench = await openBench(new FakeEncoder(['vp8']));
    const before = openSockets();
    await expect(bench.broadcasts.start(startRequest())).rejects.toMatchObject({ reason: 'source_codec_unsupported' });
    expect(bench.broadcasts.load).toBe(0);
    expect(bench.sfu.openFeeds.size).toBe(0);
    expect(openSockets()).toBe(before);
  });

  it('is declined when the source has no video', async () => {
    const { tracks } = new PacketSource({ codec: 'VP8', frames, frameRate: 25 });
    const createSource = () => ({ tracks: tracks.slice(1), start: () => undefined, stop: () => Promise.resolve() });
    const bench = await openBroadcastBench(createSource, new FakeEncoder());
    opened.push(bench);
    const start = bench.broadcasts.start(startRequest('bcast_1', ['audio']));
    await expect(start).rejects.toMatchObject({ reason: 'source_has_no_video' });
  });

  it('fails when no SFU node answers', async () => {
    const bench = await openBench(new FakeEncoder());
    const request = { ...startRequest(), sfuNodeID: 'gone' };
    await expect(bench.broadcasts.start(request)).rejects.toThrow(/nobody answers/);
    expect(bench.broadcasts.load).toBe(0);
  });
});

describe('many broadcasts', () => {
  it('come and go in every order and leave no process, port or file', async () => {
    const encoder = new FakeEncoder();
    const bench = await openBench(encoder);
    const before = openSockets();
    const names = Array.from({ length: 20 }, (_, i) => `bcast_${i}`);
    await Promise.all(
      names.map(async (name, i) => {
        if (i % 4 === 0) await bench.broadcasts.stop(name);
        const started = bench.broadcasts.start(startRequest(name));
        if (i % 3 === 0) await started;
        if (i % 5 === 0)
          await Promise.all([bench.broadcasts.interrupt(name), bench.broadcasts.resume(name, sfuNodeID)]);
        await Promise.all([
          bench.broadcasts.stop(name),
          bench.broadcasts.start(startRequest(name)).catch(() => undefined),
        ]);
        await bench.broadcasts.stop(name);
        await bench.broadcasts.stop(name);
      }),
    );
    expect(bench.broadcasts.load).toBe(0);
    expect(bench.sfu.openFeeds.size).toBe(0);
    expect(encoder.runs.every(run => run.isClosed)).toBe(true);
    expect(openSockets()).toBe(before);
    expect(await readdir(bench.directory)).toEqual([]);
  });
});
