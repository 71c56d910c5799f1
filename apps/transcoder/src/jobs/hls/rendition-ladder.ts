import type { FrameSize } from '../../depacketize/frame.js';

/** A video rendition that the encoder is to make. */
export interface VideoRung {
  /** Its lines, e.g. `720p`. */
  name: string;
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
 * above the source; "lines" are the shorter side, so a portrait source has the same rungs.
 */
export function renditionLadder(source: LadderSource): VideoRung[] {
  const ownLines = Math.min(source.width, source.height);
  const top = Math.min(ownLines, source.maxHeight ?? ownLines);
  const lines = [top];
  for (const { lines: next } of bitrateTable) if (next <= lines.at(-1)! * nearestRatio) lines.push(next);
  const rungs = lines.map(rung => makeRung(source, rung));
  return rungs
    .map((rung, i) => ({ ...rung, bitrate: i === 0 ? boundBitrate(rung.bitrate, source) : rung.bitrate }))
    .map((rung, i, all) => ({ ...rung, bitrate: Math.min(rung.bitrate, all[0]!.bitrate * 0.75 ** i) }))
    .map(rung => ({ ...rung, bitrate: Math.round(rung.bitrate) }));
}

/**
 * The renditions of a broadcast whose source came back with another size: the same names, since players hold
 * on to them, none larger than the source.
 */
export function refitLadder(ladder: readonly VideoRung[], source: LadderSource): VideoRung[] {
  const ownLines = Math.min(source.width, source.height);
  return ladder.map(({ name, bitrate, width, height }) => {
    const rung = makeRung(source, Math.min(Math.min(width, height), ownLines));
    return { ...rung, name, bitrate: Math.min(bitrate, Math.max(rung.bitrate, smallestBitrate)) };
  });
}

function makeRung(source: LadderSource, lines: number): VideoRung {
  const size = scaleToLines(source, lines);
  return { name: `${lines}p`, ...size, bitrate: tableBitrate(size, source.framesPerSecond) };
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
  const above = rows.filter(row => row.pixels >= pixels).at(-1) ?? rows[0]!;
  const below = rows.find(row => row.pixels < pixels) ?? { pixels: 0, bitrate: 0 };
  if (above.pixels <= pixels) return above.bitrate;
  return below.bitrate + ((above.bitrate - below.bitrate) * (pixels - below.pixels)) / (above.pixels - below.pixels);
}

/** More bits than the source sends carry nothing more. */
function boundBitrate(table: number, source: LadderSource): number {
  return source.bitrate === undefined ? table : Math.min(table, Math.max(source.bitrate, table * leastShare));
}
