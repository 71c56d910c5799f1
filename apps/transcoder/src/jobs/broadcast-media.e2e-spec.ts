import { waitFor } from '@rtms/testing';
import { openBroadcastBench, probe, startRequest } from '../../test/broadcast-bench.js';
import { RtpSource, type RtpSourceOptions } from '../../test/rtp-source.js';
import type { Presentation } from './hls/presentation.js';

interface Fetched {
  segments: Buffer[];
  durations: number[];
}

/** All that a rendition's playlist lists, each with its init segment before it. */
async function fetchRendition(presentation: Presentation, name: string): Promise<Fetched> {
  const playlist = presentation.mediaPlaylist(name)!;
  const fetched: Fetched = { segments: [], durations: [] };
  let init: Buffer = Buffer.alloc(0);
  for (const line of playlist.split('\n')) {
    const map = /^#EXT-X-MAP:URI="([^"]+)"/.exec(line);
    const duration = /^#EXTINF:([0-9.]+)/.exec(line);
    if (map) init = (await presentation.segment(`${name}/${map[1]}`))!;
    if (duration) fetched.durations.push(Number(duration[1]));
    if (line && !line.startsWith('#')) {
      fetched.segments.push(Buffer.concat([init, (await presentation.segment(`${name}/${line}`))!]));
    }
  }
  return fetched;
}

async function publishUntilActive(options: RtpSourceOptions, segments = 3) {
  const bench = await openBroadcastBench(() => new RtpSource(options));
  await bench.broadcasts.start(startRequest());
  await waitFor(() => bench.facts.some(({ body }) => body.type === 'broadcast.active'), { timeoutMs: 20_000 });
  const presentation = bench.registry.get('bcast_1')!;
  const name = presentation.renditions()[0]!.name;
  await waitFor(async () => (await fetchRendition(presentation, name)).segments.length >= segments, {
    timeoutMs: 20_000,
  });
  return { ...bench, presentation, renditions: presentation.renditions() };
}

describe('a broadcast of real RTP', () => {
  it.each(['h264', 'vp8', 'vp9'] as const)('plays from %s and Opus', async video => {
    const { presentation, renditions, close } = await publishUntilActive({ video });
    expect(renditions.map(({ name, width, height }) => [name, width, height])).toEqual([
      ['360p', 640, 360],
      ['240p', 426, 240],
    ]);
    for (const { name, width, height } of renditions) {
      const { segments, durations } = await fetchRendition(presentation, name);
      for (const [i, segment] of segments.entries()) {
        const { streams, packets } = probe(segment, '-show_packets');
        expect(streams[0]).toMatchObject({ codec_name: 'h264', width, height });
        expect(packets![0]!.flags).toContain('K');
        expect(packets!.slice(1).some(({ flags }) => flags.includes('K'))).toBe(false);
        expect(durations[i]).toBeCloseTo(1, 3);
      }
    }
    const sound = await fetchRendition(presentation, 'audio');
    const picture = await fetchRendition(presentation, renditions[0]!.name);
    const soundStart = Number(probe(sound.segments[0]!).streams[0]!.start_time);
    const pictureStart = Number(probe(picture.segments[0]!).streams[0]!.start_time);
    expect(Math.abs(soundStart - pictureStart)).toBeLessThan(0.05);
    await close();
  });
});
