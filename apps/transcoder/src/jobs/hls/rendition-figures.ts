import type { Rendition } from '@rtms/contracts';
import { BitrateMeter } from './bitrate-meter.js';
import type { MultivariantPlaylist, VideoVariant } from './multivariant-playlist.js';
import type { RunRendition } from './run.js';

/** What is known of a rendition: how it was ordered, and what came out. */
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

/** Of a run that has published nothing yet; what was measured before counts for as long as the size is the same. */
export function figuresOf(rendition: RunRendition, before: RenditionFigures | undefined): RenditionFigures {
  const meter = before && isSameSize(rendition, before.rendition) ? before.meter : new BitrateMeter();
  return { rendition, codecs: '', meter };
}

function isSameSize(a: RunRendition, b: RunRendition): boolean {
  if (a.kind === 'audio' || b.kind === 'audio') return a.kind === b.kind;
  return a.width === b.width && a.height === b.height;
}

/** The multivariant playlist of these renditions, each address with `prefix` before it. */
export function describeVariants(figures: readonly RenditionFigures[], prefix: string): MultivariantPlaylist {
  const audio = figures.find(isAudio);
  const variants = figures.filter(isVideo).map(video => variantOf(video, audio, prefix));
  if (!audio) return { variants };
  const { name, channels, language } = audio.rendition;
  return { variants, audio: { uri: `${prefix}${name}/index.m3u8`, channels, ...(language ? { language } : {}) } };
}

/** The video renditions as the API lists them, each with the audio that is heard with it. */
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
