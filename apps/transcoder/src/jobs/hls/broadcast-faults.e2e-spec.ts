/** @weight 0.45 for 6 s */
import { readdir } from 'node:fs/promises';
import { readlinkSync, readdirSync } from 'node:fs';
import { waitFor } from '@rtms/testing';
import { openBroadcastBench, startRequest, sfuNodeID } from '../../../test/broadcast-bench.js';
import { PacketSource } from '../../../test/packet-source.js';
import { vp8Clip, type Clip } from '../../../test/clip.js';
import { FakeEncoder } from '../../encoder/testing/fake-encoder.js';

let clip: Clip;
let opened: { close(): Promise<void> }[] = [];

beforeAll(() => {
  clip = vp8Clip('640x360');
});

afterEach(async () => {
  await Promise.all(opened.map(bench => bench.close()));
  opened = [];
});

async function openBench(encoder?: FakeEncoder) {
  const bench = await openBroadcastBench(() => new PacketSource({ codec: 'VP8', clip }), encoder);
  opened.push(bench);
  return bench;
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

/** The kernel closes sockets of this and of earlier tests a moment after their owners ended. */
const socketsGoBackTo = (before: number) =>
  waitFor(() => openSockets() <= before, { what: `the sockets to go back to ${before}` });

describe('a broadcast whose encoder fails', () => {
  it('gets a new encoder, reports the interruption and continues after a discontinuity', async () => {
    const bench = await openBench();
    await bench.broadcasts.start(startRequest());
    await bench.becomesActive();
    const first = bench.broadcasts.encoderPids().get('bcast_1')!;
    const activeAgain = bench.facts.next(({ body }) => body.type === 'broadcast.active');
    process.kill(first, 'SIGKILL');
    await activeAgain;
    expect(bench.facts.all.map(({ body }) => body.type)).toEqual([
      'broadcast.active',
      'broadcast.interrupted',
      'broadcast.active',
    ]);
    expect(bench.broadcasts.encoderPids().get('bcast_1')).not.toBe(first);
    expect(bench.registry.get('bcast_1')!.mediaPlaylist('v1')).toContain('#EXT-X-DISCONTINUITY\n');
  });
});

describe('a broadcast that cannot start', () => {
  it('is refused for an unsupported codec and leaves nothing open', async () => {
    const bench = await openBench(new FakeEncoder(['vp8']));
    const before = openSockets();
    await expect(bench.broadcasts.start(startRequest())).rejects.toMatchObject({ reason: 'source_codec_unsupported' });
    expect(bench.broadcasts.load).toBe(0);
    expect(bench.sfu.openFeeds.size).toBe(0);
    await socketsGoBackTo(before);
  });

  it('is refused without video', async () => {
    const { tracks } = new PacketSource({ codec: 'VP8', clip });
    const createSource = () => ({ tracks: tracks.slice(1), start: () => undefined, stop: () => Promise.resolve() });
    const bench = await openBroadcastBench(createSource, new FakeEncoder());
    opened.push(bench);
    const start = bench.broadcasts.start(startRequest('bcast_1', ['audio']));
    await expect(start).rejects.toMatchObject({ reason: 'source_has_no_video' });
  });

  it('fails when no SFU node answers', async () => {
    const bench = await openBench(new FakeEncoder());
    const request = { ...startRequest(), sfuNodeID: 'gone' };
    await expect(bench.broadcasts.start(request)).rejects.toThrow(/no service responds/);
    expect(bench.broadcasts.load).toBe(0);
  });
});

describe('many broadcasts', () => {
  it('start and stop in any order and leave no process, port or file', async () => {
    const encoder = new FakeEncoder();
    const bench = await openBench(encoder);
    const before = openSockets();
    const names = Array.from({ length: 20 }, (_, i) => `bcast_${i}`);
    await Promise.all(
      names.map(async (name, i) => {
        if (i % 4 === 0) await bench.broadcasts.stop({ broadcastID: name });
        const started = bench.broadcasts.start(startRequest(name));
        if (i % 3 === 0) await started;
        if (i % 5 === 0)
          await Promise.all([
            bench.broadcasts.interrupt({ broadcastID: name }),
            bench.broadcasts.resume({ broadcastID: name, sfuNodeID }),
          ]);
        await Promise.all([
          bench.broadcasts.stop({ broadcastID: name }),
          bench.broadcasts.start(startRequest(name)).catch(() => undefined),
        ]);
        await bench.broadcasts.stop({ broadcastID: name });
        await bench.broadcasts.stop({ broadcastID: name });
      }),
    );
    expect(bench.broadcasts.load).toBe(0);
    expect(bench.sfu.openFeeds.size).toBe(0);
    expect(encoder.runs.every(run => run.isClosed)).toBe(true);
    await socketsGoBackTo(before);
    expect(await readdir(bench.directory)).toEqual([]);
  });
});
