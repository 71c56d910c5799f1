/** @weight 0.6 for 10 s */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ComposedSource } from '@rtms/contracts';
import { waitFor } from '@rtms/testing';
import { openBroadcastBench, probe, sfuNodeID, startRequest } from '../../test/broadcast-bench.js';
import { colorAt, isHeard, samplesOf, toneIn } from '../../test/composed-file.js';
import { RtpSource } from '../../test/rtp-source.js';
import type { Presentation } from '../delivery/presentation/presentation.js';

const tones: Record<string, number> = { red: 440, lime: 1000, blue: 2300 };

const source = (sourceID: string): ComposedSource => ({
  ...{ sourceID, view: 'camera', sfuNodeID, tracks: ['audio', 'video'], name: sourceID, isHost: false },
});

/** The listed segments of a rendition, each after its init segment. `run`: the number of discontinuities before the segment. */
async function segmentsOf(presentation: Presentation, name: string): Promise<{ run: number; bytes: Buffer }[]> {
  const segments: { run: number; bytes: Buffer }[] = [];
  let run = 0;
  let init: Buffer = Buffer.alloc(0);
  for (const line of (presentation.mediaPlaylist(name) ?? '').split('\n')) {
    const map = /^#EXT-X-MAP:URI="([^"]+)"/.exec(line);
    if (line === '#EXT-X-DISCONTINUITY') run += 1;
    if (map) init = (await presentation.segment(`${name}/${map[1]}`)) ?? init;
    if (line === '' || line.startsWith('#')) continue;
    const bytes = await presentation.segment(`${name}/${line}`);
    if (bytes) segments.push({ run, bytes: Buffer.concat([init, bytes]) });
  }
  return segments;
}

describe('a composed broadcast', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'rtms-segments-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const colorOf = async (bytes: Buffer, x: number): Promise<string> => {
    const path = join(directory, 'segment.mp4');
    await writeFile(path, bytes);
    const channels = colorAt(path, 0, { x, y: 120, width: 200, height: 100 });
    return ['red', 'lime', 'blue'].filter((_, i) => (channels[i] ?? 0) > 160).join();
  };

  /** Resolves with a segment whose tiles have these colours. On a busy machine a source may come late. */
  const shows = (presentation: Presentation, tiles: string) =>
    waitFor(
      async () => {
        for (const segment of await segmentsOf(presentation, 'v1'))
          if ([await colorOf(segment.bytes, 60), await colorOf(segment.bytes, 380)].join() === tiles) return segment;
        return undefined;
      },
      { what: `a segment of ${tiles}`, everyMs: 250 },
    );

  /** Resolves when a segment has the sound of these sources, and none of another one. */
  const plays = (presentation: Presentation, sources: string[], gone: string) =>
    waitFor(
      async () => {
        for (const { bytes } of await segmentsOf(presentation, 'audio')) {
          const path = join(directory, 'sound.mp4');
          await writeFile(path, bytes);
          const samples = samplesOf(path);
          const isPlayed = sources.every(each => isHeard(samples, tones[each] ?? 0));
          if (isPlayed && toneIn(samples, tones[gone] ?? 0, 0.2, 0.6) < 0.01) return true;
        }
        return false;
      },
      { what: `a segment with the sound of ${sources.join()} alone`, everyMs: 250 },
    );

  it('shows and plays its sources in all renditions, and follows the room', async () => {
    const bench = await openBroadcastBench(
      ({ sourceID }) =>
        new RtpSource({
          ...{ video: 'h264', size: '320x180', picture: `color=${sourceID}` },
          sound: `sine=frequency=${tones[sourceID]}:sample_rate=48000`,
        }),
    );
    const composition = {
      ...({ layout: 'grid', width: 640, height: 360, fit: 'contain', hasEmptyTiles: false, audio: 'all' } as const),
      ...{ backgroundColor: '#000000', sources: [source('red'), source('lime')] },
    };
    try {
      await bench.broadcasts.start({ ...startRequest(), composition });
      await bench.becomesActive();
      const presentation = bench.registry.get('bcast_1')!;
      const ladder = presentation.renditions().map(({ width, height }) => `${width}x${height}`);
      expect(ladder).toEqual(['640x360', '426x240']);
      const first = await shows(presentation, 'red,lime');
      expect(probe(first.bytes).streams[0]).toMatchObject({ codec_name: 'h264', width: 640, avg_frame_rate: '30/1' });
      await bench.broadcasts.compose({ broadcastID: 'bcast_1', sources: [source('lime'), source('blue')] });
      expect((await shows(presentation, 'lime,blue')).run).toBeGreaterThan(first.run);
      await plays(presentation, ['lime', 'blue'], 'red');
      await bench.broadcasts.stop({ broadcastID: 'bcast_1' });
      expect(bench.facts.all.map(({ body }) => body.type)).toEqual(['broadcast.active']);
      expect([presentation.mediaPlaylist('v1')?.includes('#EXT-X-ENDLIST'), bench.sfu.openFeeds.size]).toEqual([
        true,
        0,
      ]);
    } finally {
      await bench.close();
    }
  });
});
