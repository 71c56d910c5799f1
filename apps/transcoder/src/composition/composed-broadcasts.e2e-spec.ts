/** @weight 0.6 for 10 s */
import type { ComposedSource } from '@rtms/contracts';
import { waitFor } from '@rtms/testing';
import { openBroadcastBench, probe, sfuNodeID, startRequest } from '../../test/broadcast-bench.js';
import { isHeard, Pictures, samplesOf, toneIn } from '../../test/composed-file.js';
import { RtpSource } from '../../test/rtp-source.js';
import type { Presentation } from '../delivery/presentation/presentation.js';

const tones: Record<string, number> = { red: 440, lime: 1000, blue: 2300 };

const source = (sourceID: string): ComposedSource => ({
  ...{ sourceID, view: 'camera', sfuNodeID, tracks: ['audio', 'video'], name: sourceID, isHost: false },
});

interface Segment {
  uri: string;
  /** The number of discontinuities before the segment. */
  run: number;
  /** With its init segment. */
  bytes: Buffer;
}

/** The listed segments of a rendition. */
async function segmentsOf(presentation: Presentation, name: string): Promise<Segment[]> {
  const segments: Segment[] = [];
  let run = 0;
  let init: Buffer = Buffer.alloc(0);
  for (const line of (presentation.mediaPlaylist(name) ?? '').split('\n')) {
    const map = /^#EXT-X-MAP:URI="([^"]+)"/.exec(line);
    if (line === '#EXT-X-DISCONTINUITY') run += 1;
    if (map) init = (await presentation.segment(`${name}/${map[1]}`)) ?? init;
    if (line === '' || line.startsWith('#')) continue;
    const bytes = await presentation.segment(`${name}/${line}`);
    if (bytes) segments.push({ uri: line, run, bytes: Buffer.concat([init, bytes]) });
  }
  return segments;
}

/** Decodes each segment once: a test that waits looks at the same ones again and again. */
function decodedOnce<Media>(decode: (bytes: Buffer) => Media): (segment: Segment) => Media {
  const decoded = new Map<string, Media>();
  return ({ uri, bytes }) => {
    const media = decoded.get(uri) ?? decode(bytes);
    decoded.set(uri, media);
    return media;
  };
}

/** The colours of the left and the right tile in the first picture. */
function tilesOf(segment: Buffer): string {
  const pictures = new Pictures(segment);
  const colorAt = (x: number) => {
    const channels = pictures.colorAt(0, { x, y: 120, width: 200, height: 100 });
    return ['red', 'lime', 'blue'].filter((_, i) => channels[i]! > 160).join();
  };
  return [colorAt(60), colorAt(380)].join();
}

describe('a composed broadcast', () => {
  const tilesIn = decodedOnce(tilesOf);
  const samplesIn = decodedOnce(samplesOf);

  /** Resolves with a segment whose tiles have these colours. On a busy machine a source may come late. */
  const shows = (presentation: Presentation, tiles: string) =>
    waitFor(async () => (await segmentsOf(presentation, 'v1')).find(segment => tilesIn(segment) === tiles), {
      what: `a segment of ${tiles}`,
      everyMs: 250,
    });

  /** Resolves when a segment has the sound of these sources, and none of another one. */
  const plays = (presentation: Presentation, sources: string[], gone: string) =>
    waitFor(
      async () =>
        (await segmentsOf(presentation, 'audio')).map(samplesIn).some(samples => {
          const isPlayed = sources.every(each => isHeard(samples, tones[each] ?? 0));
          return isPlayed && toneIn(samples, tones[gone] ?? 0, 0.2, 0.6) < 0.01;
        }),
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
