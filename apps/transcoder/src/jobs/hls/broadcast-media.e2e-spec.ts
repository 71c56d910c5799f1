/** @weight 0.35 for 67 s */
import type { MediaKind, Rendition } from '@rtms/contracts';
import { waitFor } from '@rtms/testing';
import HLS from 'hls-parser';
import { openBroadcastBench, picturesOf, probe, startRequest } from '../../../test/broadcast-bench.js';
import type { FeedSource } from '../../../test/fake-sfu.js';
import { PacketSource } from '../../../test/packet-source.js';
import { av1Clip, vp8Clip } from '../../../test/clip.js';
import { RtpSource } from '../../../test/rtp-source.js';
import type { Presentation } from '../../delivery/presentation/presentation.js';

interface Fetched {
  segments: Buffer[];
  durations: number[];
}

/** The segments of a rendition's playlist, each after its init segment. */
async function fetchRendition(presentation: Presentation, name: string): Promise<Fetched> {
  const playlist = presentation.mediaPlaylist(name) ?? '';
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

const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map(bench => bench.close()));
});

async function publishUntilActive(source: FeedSource, segments = 3, tracks: MediaKind[] = ['audio', 'video']) {
  const bench = await openBroadcastBench(() => source);
  opened.push(bench);
  await bench.broadcasts.start(startRequest('bcast_1', tracks));
  await bench.becomesActive();
  const presentation = bench.registry.get('bcast_1')!;
  const enough = async () => (await fetchRendition(presentation, 'v1')).segments.length >= segments;
  await waitFor(enough, { what: `${segments} segments` });
  return { presentation, renditions: presentation.renditions() };
}

/** Every segment begins with its only keyframe and lasts as long as the playlist says. */
async function expectSoundVideo(
  presentation: Presentation,
  renditions: readonly Rendition[],
  firstRank = 1,
): Promise<void> {
  for (const [i, { width, height }] of renditions.entries()) {
    const { segments, durations } = await fetchRendition(presentation, `v${firstRank + i}`);
    for (const [i, segment] of segments.entries()) {
      const { streams, packets } = probe(segment, '-show_packets');
      expect(streams[0]).toMatchObject({ codec_name: 'h264', width, height });
      expect(packets!.map(({ flags }) => flags.includes('K')).lastIndexOf(true)).toBe(0);
      expect(durations[i]).toBeCloseTo(1, 3);
    }
  }
}

/** In seconds: when the first packet of the first segment is shown. */
async function startOf(presentation: Presentation, name: string): Promise<number> {
  const first = (await fetchRendition(presentation, name)).segments[0]!;
  const [packet] = probe(first, '-show_packets').packets ?? [];
  if (!packet) throw new Error(`The first segment of ${name} has ${first.length} bytes and no packet`);
  return Number(packet.pts_time);
}

describe('a broadcast of real RTP', () => {
  it.each(['h264', 'vp8', 'vp9'] as const)('plays from %s and Opus', async video => {
    const { presentation, renditions } = await publishUntilActive(new RtpSource({ video }));
    expect(renditions.map(({ name, width, height }) => [name, width, height])).toEqual([
      ['360p', 640, 360],
      ['240p', 426, 240],
    ]);
    await expectSoundVideo(presentation, renditions);
    const [sound, picture] = [await startOf(presentation, 'audio'), await startOf(presentation, 'v1')];
    expect(Math.abs(sound - picture)).toBeLessThan(0.05);
  });

  it('plays from AV1', async () => {
    const source = new PacketSource({ codec: 'AV1', clip: av1Clip('640x360') });
    const { presentation, renditions } = await publishUntilActive(source);
    expect(renditions[0]).toMatchObject({ name: '360p', width: 640, height: 360, frameRate: 25 });
    await expectSoundVideo(presentation, renditions);
  });

  it.each([
    { shape: 'odd', size: '641x363', top: { name: '363p', width: 640, height: 362 } },
    { shape: 'portrait', size: '360x640', top: { name: '360p', width: 360, height: 640 } },
    { shape: 'tiny', size: '64x48', top: { name: '48p', width: 64, height: 48 } },
  ])('plays from a source that is $shape', async ({ size, top }) => {
    const source = new PacketSource({ codec: 'VP8', clip: vp8Clip(size) });
    const { presentation, renditions } = await publishUntilActive(source, 2);
    expect(renditions[0]).toMatchObject(top);
    await expectSoundVideo(presentation, renditions);
  });

  it('has only video if no audio is requested', async () => {
    const clip = vp8Clip('320x180');
    const source = new PacketSource({ codec: 'VP8', clip, hasAudio: false });
    const { presentation, renditions } = await publishUntilActive(source, 2, ['video']);
    expect(renditions[0]).toMatchObject({ audioBitrate: 0 });
    expect(presentation.multivariantPlaylist()).not.toContain('AUDIO');
    expect(presentation.mediaPlaylist('audio')).toBeUndefined();
  });

  it('continues with silence when the source mutes', async () => {
    const source = new PacketSource({ codec: 'VP8', clip: vp8Clip('320x180') });
    source.muted.add('audio');
    const { presentation } = await publishUntilActive(source, 4);
    const { segments, durations } = await fetchRendition(presentation, 'audio');
    expect(segments.length).toBeGreaterThanOrEqual(4);
    for (const duration of durations) expect(Math.abs(duration - 1)).toBeLessThan(0.03);
    expect(probe(segments[0]!).streams[0]).toMatchObject({ codec_name: 'aac', profile: 'LC', sample_rate: '48000' });
  });

  it('improves at the same URL when its source grows', async () => {
    const source = new PacketSource({ codec: 'VP8', clip: vp8Clip('320x180') });
    const { presentation } = await publishUntilActive(source, 2);
    source.play(vp8Clip('640x360'));
    const hasGrown = async () => (await fetchRendition(presentation, 'v2')).segments.length >= 2;
    await waitFor(hasGrown, { what: 'segments of the second rendition' });
    const best = await fetchRendition(presentation, 'v1');
    const sizes = best.segments.map(segment => probe(segment).streams[0]!).map(s => `${s.width}x${s.height}`);
    expect(sizes).toEqual([...sizes].sort());
    expect(new Set(sizes)).toEqual(new Set(['320x180', '640x360']));
    await expectSoundVideo(presentation, presentation.renditions().slice(1), 2);
    HLS.setOptions({ strictMode: true });
    for (const text of ['v1', 'v2', 'audio'].map(name => presentation.mediaPlaylist(name)!)) {
      expect(() => HLS.parse(text)).not.toThrow();
    }
  });

  it('shows its last picture dimmed while its source is lost', async () => {
    const source = new PacketSource({ codec: 'VP8', clip: vp8Clip('320x180') });
    const bench = await openBroadcastBench(() => source);
    opened.push(bench);
    await bench.broadcasts.start(startRequest('bcast_1'));
    await bench.becomesActive();
    const presentation = bench.registry.get('bcast_1')!;
    await bench.broadcasts.interrupt({ broadcastID: 'bcast_1' });
    const afterLoss = () =>
      presentation
        .mediaPlaylist('v1')!
        .split('#EXT-X-DISCONTINUITY\n')[1]
        ?.match(/^#EXTINF/gm) ?? [];
    await waitFor(() => afterLoss().length >= 2, { what: 'segments of the slate' });
    const { segments } = await fetchRendition(presentation, 'v1');
    const slate = segments.splice(-afterLoss().length);
    const { last } = picturesOf(segments.at(-1)!);
    expect(Math.max(...last)).toBeGreaterThan(150);
    // Channels of saturated colours are cut at 255, so more than half of that remains.
    for (const segment of slate)
      for (const [byte, value] of picturesOf(segment).first.entries())
        if (last[byte]! < 250) expect(Math.abs(value - last[byte]! / 2)).toBeLessThan(12);
  });

  it('goes on at the same URL when its source returns with another codec and size', async () => {
    let source = new PacketSource({ codec: 'VP8', clip: vp8Clip('320x180') });
    const bench = await openBroadcastBench(() => source);
    opened.push(bench);
    await bench.broadcasts.start(startRequest('bcast_1'));
    await bench.becomesActive();
    const presentation = bench.registry.get('bcast_1')!;
    await bench.broadcasts.interrupt({ broadcastID: 'bcast_1' });
    source = new PacketSource({ codec: 'AV1', clip: av1Clip('640x360') });
    await bench.broadcasts.resume({ broadcastID: 'bcast_1', sfuNodeID: 'sfu-1' });
    const goesOn = async () => (await fetchRendition(presentation, 'v2')).segments.length >= 2;
    await waitFor(goesOn, { what: 'segments of the second rendition' });
    expect(bench.registry.get('bcast_1')).toBe(presentation);
    expect(presentation.mediaPlaylist('v1')).toContain('#EXT-X-DISCONTINUITY\n');
    const { segments } = await fetchRendition(presentation, 'v1');
    const sizes = segments.map(segment => probe(segment).streams[0]!).map(each => `${each.width}x${each.height}`);
    expect(new Set(sizes)).toEqual(new Set(['320x180', '640x360']));
  });
});
