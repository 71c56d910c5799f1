import type { Rendition } from '@rtms/contracts';
import type { MultivariantPlaylist, VideoVariant } from './playlists/multivariant-playlist.js';
import type { RunRendition, SegmentSet } from './run-segments.js';

/** A rendition with its measured values. */
export interface RenditionFigures {
  rendition: RunRendition;
  /** RFC 6381, from the init segment. */
  codecs: string;
  meter: BitrateMeter;
}

type VideoRendition = Extract<RunRendition, { kind: 'video' }>;
type AudioRendition = Extract<RunRendition, { kind: 'audio' }>;
type VideoFigures = RenditionFigures & { rendition: VideoRendition };
type AudioFigures = RenditionFigures & { rendition: AudioRendition };

/** Creates the figures of a new run. Keeps the measured bit rates if the size is the same. */
export function figuresOf(rendition: RunRendition, before: RenditionFigures | undefined): RenditionFigures {
  const meter = before && isSameSize(rendition, before.rendition) ? before.meter : new BitrateMeter();
  return { rendition, codecs: '', meter };
}

/** Measures the bit rates of listed segments. */
export function measureSet(figures: ReadonlyMap<string, RenditionFigures>, set: SegmentSet): void {
  for (const [name, { byteLength, durationSeconds }] of set) figures.get(name)?.meter.add(byteLength, durationSeconds);
}

function isSameSize(a: RunRendition, b: RunRendition): boolean {
  if (a.kind === 'audio' || b.kind === 'audio') return a.kind === b.kind;
  return a.width === b.width && a.height === b.height;
}

/** Returns the multivariant playlist of the renditions, with `prefix` before each URI. */
export function describeVariants(figures: readonly RenditionFigures[], prefix: string): MultivariantPlaylist {
  const audio = figures.find(isAudio);
  const variants = figures.filter(isVideo).map(video => variantOf(video, audio, prefix));
  if (!audio) return { variants };
  const { name, channels, language } = audio.rendition;
  return { variants, audio: { uri: `${prefix}${name}/index.m3u8`, channels, ...(language ? { language } : {}) } };
}

/** Returns the video renditions for the API, each with the values of its audio. */
export function describeRenditions(figures: readonly RenditionFigures[]): Rendition[] {
  const audio = figures.find(isAudio);
  return figures.filter(isVideo).map(video => {
    const { name, label, width, height, frameRate, bitrate } = video.rendition;
    const codecs = joinCodecs(video, audio);
    return {
      name: label ?? name,
      width,
      height,
      frameRate,
      videoBitrate: bitrate,
      audioBitrate: audio?.rendition.bitrate ?? 0,
      codecs,
    };
  });
}

function variantOf(video: VideoFigures, audio: AudioFigures | undefined, prefix: string): VideoVariant {
  const { name, width, height, frameRate, bitrate } = video.rendition;
  const configured = bitrate + (audio?.rendition.bitrate ?? 0);
  return {
    uri: `${prefix}${name}/index.m3u8`,
    width,
    height,
    frameRate,
    bandwidth: Math.max(configured, video.meter.peak + (audio?.meter.peak ?? 0)),
    averageBandwidth: video.meter.mean + (audio?.meter.mean ?? 0),
    codecs: joinCodecs(video, audio),
  };
}

function joinCodecs(video: VideoFigures, audio: AudioFigures | undefined): string {
  return audio ? `${video.codecs},${audio.codecs}` : video.codecs;
}

function isVideo(figures: RenditionFigures): figures is VideoFigures {
  return figures.rendition.kind === 'video';
}

function isAudio(figures: RenditionFigures): figures is AudioFigures {
  return figures.rendition.kind === 'audio';
}

/** Peak and mean bit rate of the segments of one rendition. */
class BitrateMeter {
  private bits = 0;
  private seconds = 0;
  private highest = 0;

  add(byteLength: number, durationSeconds: number): void {
    this.bits += byteLength * 8;
    this.seconds += durationSeconds;
    this.highest = Math.max(this.highest, (byteLength * 8) / durationSeconds);
  }

  /** Peak segment bit rate (RFC 8216 section 4.3.4.2), bits per second. */
  get peak(): number {
    return this.highest;
  }

  /** Mean bit rate of all segments, bits per second. */
  get mean(): number {
    return this.seconds === 0 ? 0 : this.bits / this.seconds;
  }
}

/** Throws if a later run lacks a rendition that players may be using. */
export function refuseMissingNames(
  known: ReadonlyMap<string, RenditionFigures>,
  { renditions }: { renditions: readonly { name: string }[] },
): void {
  const missing = [...known.keys()].filter(each => !renditions.some(({ name }) => name === each));
  if (missing.length > 0) throw new Error(`a later run must have the rendition ${missing.join(', ')} as well`);
}
