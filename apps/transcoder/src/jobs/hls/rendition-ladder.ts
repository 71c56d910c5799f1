import type { PictureSize } from '@rtms/bitstream';
import type { EncodedVideo } from '../../encoder/encoder.js';

/** A rendition with its name for the API. */
export interface VideoRung extends EncodedVideo {
  /** The lines of its picture, e.g. `720p`. */
  label: string;
}

export interface LadderSource extends PictureSize {
  framesPerSecond: number;
  /** Bit rate of the source, bits per second, if known. */
  bitrate?: number;
  /** Maximum lines, from the settings. */
  maxHeight?: number;
}

/** Bits per second by lines, for a 16:9 picture at 30 frames per second. */
const bitrateTable = [
  { lines: 2160, bitrate: 12_000_000 },
  { lines: 1440, bitrate: 7_500_000 },
  { lines: 1080, bitrate: 4_500_000 },
  { lines: 720, bitrate: 2_500_000 },
  { lines: 540, bitrate: 1_500_000 },
  { lines: 360, bitrate: 800_000 },
  { lines: 240, bitrate: 400_000 },
] as const;

/** A rendition closer to the one above is not worth an encoder. */
const nearestRatio = 0.9;
const smallestBitrate = 100_000;
/** Minimum share of the table's bit rate. Below it the picture breaks up, whatever the source sends. */
const leastShare = 0.35;
const smallestSide = 16;

/**
 * Returns the renditions for a source, best first: its own size (or the cap), then the usual sizes below. "Lines" are the shorter
 * side, so a portrait source has the same rungs. If there are fewer than `fewest`, the smallest repeats with fewer bits.
 */
export function renditionLadder(source: LadderSource, fewest = 1): VideoRung[] {
  const lines = rungLines(topLines(source, source.maxHeight));
  const smallest = lines.at(-1);
  while (smallest !== undefined && lines.length < fewest) lines.push(smallest);
  const sizes = lines.map(rung => ({ label: `${rung}p`, ...scaleToLines(source, rung) }));
  const bitrates = sizes.map(size => tableBitrate(size, source.framesPerSecond));
  const topBitrate = boundBitrate(bitrates[0] ?? smallestBitrate, source);
  return sizes.map((size, rank) => {
    const bitrate = Math.min(bitrates[rank] ?? topBitrate, topBitrate * 0.75 ** rank);
    return { name: `v${rank + 1}`, ...size, bitrate: Math.round(bitrate) };
  });
}

/** Returns the lines of the best rendition. */
export function topLines({ width, height }: PictureSize, maxHeight = Infinity): number {
  return Math.min(width, height, maxHeight);
}

function rungLines(top: number): number[] {
  const lines = [top];
  let last = top;
  for (const { lines: next } of bitrateTable) {
    if (next > last * nearestRatio) continue;
    lines.push(next);
    last = next;
  }
  return lines;
}

/** Returns an even size (4:2:0 requires it), at most the source's. */
function scaleToLines({ width, height }: PictureSize, lines: number): PictureSize {
  const scale = lines / Math.min(width, height);
  return { width: evenSide(width, scale), height: evenSide(height, scale) };
}

function evenSide(side: number, scale: number): number {
  const nearest = 2 * Math.round((side * scale) / 2);
  return Math.max(smallestSide, Math.min(nearest, side - (side % 2)));
}

/** Interpolates by pixels, because sources have other shapes than 16:9. Adds half for more than 30 frames per second. */
function tableBitrate(size: PictureSize, framesPerSecond: number): number {
  const motion = framesPerSecond > 30 ? 1.5 : 1;
  return Math.max(smallestBitrate, interpolate(size.width * size.height) * motion);
}

function interpolate(pixels: number): number {
  const rows = bitrateTable.map(({ lines, bitrate }) => ({ pixels: (lines * lines * 16) / 9, bitrate }));
  const above = rows.findLast(row => row.pixels >= pixels);
  const below = rows.find(row => row.pixels < pixels) ?? { pixels: 0, bitrate: 0 };
  if (!above) return below.bitrate;
  return below.bitrate + ((above.bitrate - below.bitrate) * (pixels - below.pixels)) / (above.pixels - below.pixels);
}

/** Limits to the source's bit rate, because more bits add no quality. */
function boundBitrate(table: number, source: LadderSource): number {
  return source.bitrate === undefined ? table : Math.min(table, Math.max(source.bitrate, table * leastShare));
}
