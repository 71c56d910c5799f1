import type { FrameSize } from '../../depacketize/frame.js';

/** A video rendition that the encoder is to make. */
export interface VideoRung {
  /** Its rank, `v1` for the best: players that know it by this name get the best there is when the source grows. */
  name: string;
  /** Its lines, e.g. `720p`. */
  label: string;
  width: number;
  height: number;
  /** Bits a second. */
  bitrate: number;
}

export interface LadderSource extends FrameSize {
  framesPerSecond: number;
  /** Bits a second that the source sends, where it is known. */
  bitrate?: number;
  /** The settings' cap, in lines. */
  maxHeight?: number;
}

/** Bits a second for lines of a 16:9 picture at 30 frames a second. */
const bitrateTable = [
  { lines: 2160, bitrate: 12_000_000 },
  { lines: 1440, bitrate: 7_500_000 },
  { lines: 1080, bitrate: 4_500_000 },
  { lines: 720, bitrate: 2_500_000 },
  { lines: 540, bitrate: 1_500_000 },
  { lines: 360, bitrate: 800_000 },
  { lines: 240, bitrate: 400_000 },
] as const;

/** A rendition this near to the one above it is not worth an encoder. */
const nearestRatio = 0.9;
const smallestBitrate = 100_000;
/** Below this share of the table a picture falls apart, whatever the source happened to send. */
const leastShare = 0.35;
const smallestSide = 16;

/**
 * The renditions for a source, best first: its own size (or the cap), then the usual ones below. Nothing is
 * above the source; "lines" are the shorter side, so a portrait source has the same rungs. Where these are fewer
 * than `fewest`, the smallest is repeated with fewer bits.
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

/** The best rendition's lines. */
export function topLines({ width, height }: FrameSize, maxHeight = Infinity): number {
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

/** Even sizes, as 4:2:0 pictures must have, never above the source's. */
function scaleToLines({ width, height }: FrameSize, lines: number): FrameSize {
  const scale = lines / Math.min(width, height);
  return { width: evenSide(width, scale), height: evenSide(height, scale) };
}

function evenSide(side: number, scale: number): number {
  const nearest = 2 * Math.round((side * scale) / 2);
  return Math.max(smallestSide, Math.min(nearest, side - (side % 2)));
}

/** By pixels between the table's rows, since sources have other shapes than 16:9; half as much again for 60 frames. */
function tableBitrate(size: FrameSize, framesPerSecond: number): number {
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

/** More bits than the source sends carry nothing more. */
function boundBitrate(table: number, source: LadderSource): number {
  return source.bitrate === undefined ? table : Math.min(table, Math.max(source.bitrate, table * leastShare));
}
