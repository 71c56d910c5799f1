import type { PictureSize } from '@rtms/bitstream';
import { mostComposedSources, type ComposedRoom, type ComposedSource, type CompositionStyle } from '@rtms/contracts';
import type { Area } from '../encoder/graph/composed-graph.js';

/** The place of a source in the composed picture. All numbers are even. */
export interface Tile extends Area {
  source: ComposedSource;
}

export interface Arrangement {
  /** The main tile first, the others in the order in which they joined. */
  tiles: Tile[];
  audible: ComposedSource[];
}

/** Names a source in one room. */
export function sourceKey({ sourceID, view }: Pick<ComposedSource, 'sourceID' | 'view'>): string {
  return `${sourceID}/${view}`;
}

/** Decides where each source is shown and which sources are heard. Tiles below 2×2 pixels are left out. */
export function arrange(style: CompositionStyle, room: ComposedRoom): Arrangement {
  const sources = room.sources.slice(0, mostComposedSources);
  const tiles = tilesOf(style, sources, room.speakerID);
  const shown = new Set(tiles.map(({ source }) => source));
  const isAudible = (source: ComposedSource) => {
    if (!source.tracks.includes('audio')) return false;
    if (style.audio === 'onScreen') return shown.has(source);
    return style.audio === 'all' || source.isHost;
  };
  return { tiles, audible: sources.filter(isAudible) };
}

function tilesOf(style: CompositionStyle, sources: readonly ComposedSource[], speakerID: string | undefined): Tile[] {
  const seen = sources.filter(source => hasPicture(source) || (style.hasEmptyTiles && source.view === 'camera'));
  const screen = seen.findLast(({ view }) => view === 'screen');
  const speaker = seen.find(({ sourceID, view }) => sourceID === speakerID && view === 'camera');
  const main = screen ?? speaker ?? seen.find(hasPicture) ?? seen[0];
  if (!main) return [];
  const whole = { x: 0, y: 0, width: style.width, height: style.height };
  const others = seen.filter(source => source !== main);
  if (style.layout === 'single' || others.length === 0) return [{ source: main, ...whole }];
  if (style.layout === 'grid' && !screen) return fill(seen, gridIn(whole, seen.length));
  const { large, strip } = split(whole);
  return fill([main, ...others], [large, ...gridIn(strip, others.length)]);
}

function hasPicture({ tracks }: ComposedSource): boolean {
  return tracks.includes('video');
}

function fill(sources: readonly ComposedSource[], areas: readonly Area[]): Tile[] {
  return sources.flatMap((source, i) => {
    const area = areas[i];
    return area && area.width >= 2 && area.height >= 2 ? [{ source, ...area }] : [];
  });
}

/** The share of the main tile on the longer side. */
const mainShare = 0.78;

function split({ width, height }: PictureSize): { large: Area; strip: Area } {
  if (width >= height) {
    const main = even(width * mainShare);
    return { large: { x: 0, y: 0, width: main, height }, strip: { x: main, y: 0, width: width - main, height } };
  }
  const main = even(height * mainShare);
  return { large: { x: 0, y: 0, width, height: main }, strip: { x: 0, y: main, width, height: height - main } };
}

/** Cameras mostly have this shape. */
const usualRatio = 16 / 9;

/** Returns `count` equal areas, row by row, in the columns that show the largest 16:9 pictures. The last row is centred. */
function gridIn(area: Area, count: number): Area[] {
  const columns = bestColumns(area, count);
  const rows = Math.ceil(count / columns);
  const width = even(area.width / columns);
  const height = even(area.height / rows);
  const top = area.y + even((area.height - rows * height) / 2);
  return Array.from({ length: count }, (_, i) => {
    const row = Math.floor(i / columns);
    const inRow = Math.min(columns, count - row * columns);
    const left = area.x + even((area.width - inRow * width) / 2);
    return { x: left + (i % columns) * width, y: top + row * height, width, height };
  });
}

function bestColumns({ width, height }: PictureSize, count: number): number {
  let best = { columns: 1, shown: -1 };
  // Of equal choices the last one counts: two cameras in a wide picture stand side by side.
  for (let columns = 1; columns <= count; columns += 1) {
    const shown = Math.min(width / columns, (height / Math.ceil(count / columns)) * usualRatio);
    if (shown >= best.shown) best = { columns, shown };
  }
  return best.columns;
}

/** 4:2:0 pictures have one colour for 2×2 pixels. */
function even(length: number): number {
  return 2 * Math.floor(length / 2);
}
