import { playlistVersion } from './playlist.js';

export interface VideoVariant {
  uri: string;
  width: number;
  height: number;
  /** Frames per second. */
  frameRate: number;
  /** Peak segment bit rate, bits per second, audio included. */
  bandwidth: number;
  /** Mean bit rate, bits per second, audio included. */
  averageBandwidth: number;
  /** RFC 6381, audio included, e.g. `avc1.64001f,mp4a.40.2`. */
  codecs: string;
}

interface AudioRenditionEntry {
  uri: string;
  channels: number;
  /** RFC 5646. */
  language?: string;
}

export interface MultivariantPlaylist {
  /** Players start with the first variant. */
  variants: readonly VideoVariant[];
  audio?: AudioRenditionEntry;
}

const audioGroup = 'audio';

/** Formats a multivariant playlist (RFC 8216 section 4.3.4). */
export function formatMultivariantPlaylist(playlist: MultivariantPlaylist): string {
  const lines = ['#EXTM3U', `#EXT-X-VERSION:${playlistVersion}`, '#EXT-X-INDEPENDENT-SEGMENTS'];
  if (playlist.audio) lines.push(audioLine(playlist.audio));
  for (const variant of playlist.variants) {
    lines.push(variantLine(variant, playlist.audio !== undefined), variant.uri);
  }
  return `${lines.join('\n')}\n`;
}

function audioLine(audio: AudioRenditionEntry): string {
  const attributes = ['TYPE=AUDIO', `GROUP-ID="${audioGroup}"`, `NAME="${audio.language ?? 'Main'}"`];
  if (audio.language) attributes.push(`LANGUAGE="${audio.language}"`);
  attributes.push('DEFAULT=YES', 'AUTOSELECT=YES', `CHANNELS="${audio.channels}"`, `URI="${audio.uri}"`);
  return `#EXT-X-MEDIA:${attributes.join(',')}`;
}

function variantLine(variant: VideoVariant, hasAudio: boolean): string {
  const attributes = [
    `BANDWIDTH=${Math.ceil(variant.bandwidth)}`,
    `AVERAGE-BANDWIDTH=${Math.ceil(variant.averageBandwidth)}`,
    `CODECS="${variant.codecs}"`,
    `RESOLUTION=${variant.width}x${variant.height}`,
    `FRAME-RATE=${variant.frameRate.toFixed(3)}`,
  ];
  if (hasAudio) attributes.push(`AUDIO="${audioGroup}"`);
  return `#EXT-X-STREAM-INF:${attributes.join(',')}`;
}
