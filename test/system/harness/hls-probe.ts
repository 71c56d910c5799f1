import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import HLS from 'hls-parser';

const run = promisify(execFile);

export interface ProbedRendition {
  width: number;
  height: number;
  codec: string;
  startsAtSeconds: number;
  segmentsStartWithKeyframe: boolean;
}

async function text(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} for a playlist`);
  return response.text();
}

async function bytes(url: string): Promise<Buffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} for a segment`);
  return Buffer.from(await response.arrayBuffer());
}

/** Fetches a broadcast as a player would, and describes its segments by ffprobe. */
export async function probeRenditions(
  playbackUrl: string,
): Promise<{ renditions: ProbedRendition[]; audioStartsAtSeconds: number }> {
  const multivariant = HLS.parse(await text(playbackUrl));
  if (!multivariant.isMasterPlaylist) throw new Error('the playback URL is not a multivariant playlist');
  const probe = (uri: string): Promise<ProbedRendition> => probePlaylist(new URL(uri, playbackUrl).href);
  const audioUri = multivariant.variants[0]?.audio[0]?.uri;
  const [audio, ...renditions] = await Promise.all([
    audioUri ? probe(audioUri) : undefined,
    ...multivariant.variants.map(({ uri }) => probe(uri)),
  ]);
  return { renditions, audioStartsAtSeconds: audio?.startsAtSeconds ?? NaN };
}

async function probePlaylist(playlistUrl: string): Promise<ProbedRendition> {
  const playlist = HLS.parse(await text(playlistUrl));
  if (playlist.isMasterPlaylist) throw new Error('a rendition is not a media playlist');
  const folder = await mkdtemp(join(tmpdir(), 'rtms-probe-'));
  try {
    const fetched = (uri = '') => bytes(new URL(uri, playlistUrl).href);
    // All at once, because the window moves while ffprobe works.
    const files = await Promise.all(
      playlist.segments.slice(0, 3).map(async (segment, index) => {
        const file = join(folder, `segment-${index}.mp4`);
        await writeFile(file, Buffer.concat([await fetched(segment.map?.uri), await fetched(segment.uri)]));
        return file;
      }),
    );
    const probes = [];
    for (const file of files) probes.push(await probeFile(file));
    const [first] = probes;
    if (!first) throw new Error('a rendition has no segment');
    return { ...first, segmentsStartWithKeyframe: probes.every(probe => probe.segmentsStartWithKeyframe) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function probeFile(file: string): Promise<ProbedRendition> {
  const args = ['-v', 'error', '-print_format', 'json', '-show_streams', '-show_packets', file];
  const { stdout } = await run('ffprobe', args, { maxBuffer: 16 * 1024 * 1024 });
  const { streams, packets } = JSON.parse(stdout) as {
    streams: { width?: number; height?: number; codec_name: string }[];
    packets: { pts_time: string; flags: string }[];
  };
  const [stream] = streams;
  return {
    width: stream?.width ?? 0,
    height: stream?.height ?? 0,
    codec: stream?.codec_name ?? 'none',
    startsAtSeconds: Math.min(...packets.map(packet => Number(packet.pts_time))),
    segmentsStartWithKeyframe: packets[0]?.flags.startsWith('K') ?? false,
  };
}
