import type { PictureSize } from '@rtms/bitstream';
import type { CompositionStyle } from '@rtms/contracts';

export interface Area extends PictureSize {
  x: number;
  y: number;
}

export const composedFrameRate = 30;
/** Matroska has no times before 0, so that our inputs are this late and FFmpeg subtracts it. Longer than any group of pictures is kept. */
export const leadMs = 30_000;

export interface ComposedTile extends Area {
  fit: CompositionStyle['fit'];
  /** The size of the decoded picture. Absent: the source has no picture now. */
  picture?: PictureSize;
  /** Text is read from this file. A name in the graph itself could change the graph. */
  nameFile?: string;
}

/** Media of a file, in seconds of the file. */
export interface FilePiece {
  path: string;
  /** Media outside of these does not belong to the piece. */
  begin: number;
  end: number;
  /** The beginning of the run, before or after `begin`. */
  origin: number;
}

/** The pieces that inputs read. */
export interface FileInputs {
  pictures: readonly FilePiece[];
  sounds: readonly FilePiece[];
}

/** The inputs of FFmpeg: the clock, then the picture of each tile that has one, then the sounds. */
export interface ComposedGraph {
  style: CompositionStyle;
  tiles: readonly ComposedTile[];
  sounds: number;
  /** Absent: the inputs are on the timeline of the run already. */
  files?: FileInputs | undefined;
  /** The output has no picture. */
  isAudioOnly?: boolean | undefined;
  /** The file of the font for names. Absent: no names are shown. */
  fontFile?: string | undefined;
}

/** Options of FFmpeg before its inputs. The inputs are on one timeline, whose 0 is the beginning of the run. */
export const composedGeneralArguments = ['-hide_banner', '-nostats', '-loglevel', 'warning', '-y', '-copyts'];

/** Returns the input options. `urls`: one for each input. `decoding`: options of the pictures' decoders. */
export function composedInputs(
  graph: ComposedGraph,
  urls: readonly string[],
  decoding: readonly string[] = [],
): string[] {
  const pictures = graph.tiles.filter(({ picture }) => picture).length;
  return urls.flatMap((url, i) => {
    const isPicture = i >= 1 && i <= pictures;
    return [
      // The Matroska header has all data, so probing is disabled.
      ...['-fpsprobesize', '0', '-analyzeduration', '0'],
      ...(isPicture ? decoding : []),
      // Without this option a picture of another size would begin the whole graph again. Our first filter scales any size.
      ...(isPicture ? ['-threads', '2', '-reinit_filter', '0'] : []),
      ...['-itsoffset', `${-leadMs / 1000}`, '-f', 'matroska', '-i', url],
    ];
  });
}

/** A picture may have stood so long when a run begins. */
const oldestPictureSeconds = 10;
/** Times in files are rounded. Pictures are further apart. */
const roundingSeconds = 0.005;
/** Opus needs some sound before the first sample that is right. */
const soundLeadSeconds = 1;
/** The picture at the end of a run ends the picture before it. The output ends before the tail. */
const clockTailSeconds = 0.1;

/** Like `composedInputs`, for pieces of files, which FFmpeg reads as fast as it can. `seconds`: the length of the run. */
export function fileInputs(
  { pictures, sounds }: FileInputs,
  seconds: number,
  decoding: readonly string[] = [],
): string[] {
  const clock = 'color=c=black:s=2x2:r=10[out0];anullsrc=r=48000:cl=stereo[out1]';
  // FFmpeg begins at the keyframe before. Our filters cut, because its own cut does not know our times.
  const from = ({ begin, origin }: FilePiece, lead: number) => Math.max(0, Math.max(begin, origin) - lead).toFixed(3);
  const file = (piece: FilePiece, lead: number) => [
    ...['-noaccurate_seek', '-ss', from(piece, lead), '-f', 'mp4', '-i', piece.path],
  ];
  return [
    ...['-f', 'lavfi', '-t', (seconds + clockTailSeconds).toFixed(3), '-i', clock],
    ...pictures.flatMap(piece => [...decoding, '-threads', '2', '-reinit_filter', '0', '-an', ...file(piece, 0)]),
    ...sounds.flatMap(piece => ['-vn', ...file(piece, soundLeadSeconds)]),
  ];
}

/** Puts the pictures of a piece on the timeline of the run. The newest one before the run stays until the next one. */
function pictureTimes({ begin, end, origin }: FilePiece): string {
  const from = Math.max(begin, origin - oldestPictureSeconds) - roundingSeconds;
  return `trim=start=${exact(from)}:end=${exact(end)},setpts=PTS-(${exact(origin)})/TB,`;
}

function soundTimes({ begin, end, origin }: FilePiece): string {
  return `atrim=start=${exact(Math.max(begin, origin))}:end=${exact(end)},asetpts=PTS-(${exact(origin)})/TB,`;
}

function exact(seconds: number): string {
  return seconds.toFixed(6);
}

/** Returns a filter graph with the outputs `[v]` and `[a]`. They end when the clock ends. */
export function composedFilters(graph: ComposedGraph): string {
  const { style, tiles, files } = graph;
  if (graph.isAudioOnly) return soundChains(1, graph).join(';');
  const pictures = tiles.filter(({ picture }) => picture);
  const chains = [
    `${background(graph)}[canvas]`,
    // Outside the picture: the clock only sets the pace, also of an empty room.
    `[canvas][0:v]overlay=x=${style.width}:y=${style.height}:shortest=1:format=yuv420[b0]`,
    ...pictures.flatMap((tile, i) => {
      const { chain, x, y } = pictureChain(tile, graph);
      return [
        `[${i + 1}:v]${timesOf(files?.pictures[i], pictureTimes)}${chain}[p${i}]`,
        // A picture that has ended stays.
        `[b${i}][p${i}]overlay=x=${x}:y=${y}:eof_action=repeat:format=yuv420[b${i + 1}]`,
      ];
    }),
    `[b${pictures.length}]setsar=1,format=yuv420p[v]`,
    ...soundChains(1 + pictures.length, graph),
  ];
  return chains.join(';');
}

/** The background with the empty tiles. It is drawn once a second, and its pictures are repeated. */
function background(graph: ComposedGraph): string {
  const { width, height, backgroundColor } = graph.style;
  const boxes = graph.tiles
    .filter(({ picture }) => !picture)
    .flatMap(({ x, y, width: w, height: h, nameFile }) => {
      const box = `drawbox=x=${x}:y=${y}:w=${w}:h=${h}:color=${emptyColor(backgroundColor)}:t=fill`;
      const fontSize = fontSizeFor({ width: w, height: h }, 9);
      const at = `x=${x}+max(0\\,(${w}-tw)/2):y=${y}+(${h}-th)/2`;
      return nameFile === undefined ? [box] : [box, ...nameTag(graph, nameFile, fontSize, at)];
    });
  const picture = `color=c=${colorOf(backgroundColor)}:s=${width}x${height}:r=1`;
  return [picture, 'format=yuv420p', ...boxes, `fps=${composedFrameRate}`].join(',');
}

function pictureChain(tile: ComposedTile, graph: ComposedGraph): { chain: string; x: number; y: number } {
  const { fit } = tile;
  const size = fitInto(tile.picture ?? tile, tile, fit);
  const shown = fit === 'cover' ? tile : size;
  const filters = [
    `scale=${size.width}:${size.height}`,
    ...(fit === 'cover' && isLarger(size, tile) ? [`crop=${tile.width}:${tile.height}`] : []),
    'setsar=1,format=yuv420p',
    ...(tile.nameFile === undefined
      ? []
      : nameTag(graph, tile.nameFile, fontSizeFor(tile, 18), 'x=max(0\\,min(h/30\\,w-tw)):y=h-th-h/30')),
  ];
  const [x, y] = [tile.x + halfOf(tile.width - shown.width), tile.y + halfOf(tile.height - shown.height)];
  return { chain: filters.join(','), x, y };
}

/** `expansion=none`: a name such as `%{pts}` is plain text. */
function nameTag(graph: ComposedGraph, file: string, fontSize: number, at: string): string[] {
  const { fontFile, style } = graph;
  if (fontFile === undefined || style.nameTagsColor === undefined) return [];
  const text = `fontfile=${fontFile}:textfile=${file}:expansion=none:fontsize=${fontSize}`;
  const look = `fontcolor=${colorOf(style.nameTagsColor)}:box=1:boxcolor=black@0.45:boxborderw=${Math.ceil(fontSize / 4)}`;
  return [`drawtext=${text}:${look}:${at}`];
}

function fontSizeFor({ width, height }: PictureSize, share: number): number {
  return Math.max(8, Math.min(64, Math.round(Math.min(height / share, width / share))));
}

/**
 * Keeps sound at its times. `first`: the sample at which the output begins. Gaps above 5 ms become silence: FFmpeg would otherwise stretch
 * the sound for seconds, by up to 2 %. Smaller differences are stretched away. `flags=res`: FFmpeg would otherwise begin resampling at the
 * first difference, and write silence for all time since the first sample.
 */
export function evenSound(first: number): string {
  return `aresample=async=1000:min_hard_comp=0.005:flags=res:first_pts=${first}`;
}

function timesOf(piece: FilePiece | undefined, filters: (piece: FilePiece) => string): string {
  return piece ? filters(piece) : '';
}

function soundChains(first: number, { sounds, files }: Pick<ComposedGraph, 'sounds' | 'files'>): string[] {
  const inputs = [0, ...Array.from({ length: sounds }, (_, i) => first + i)];
  const decoded = inputs.map(
    (input, i) =>
      `[${input}:a]${timesOf(files?.sounds[i - 1], soundTimes)}${evenSound(0)},aformat=sample_fmts=fltp:sample_rates=48000:channel_layouts=stereo[s${i}]`,
  );
  const all = inputs.map((_, i) => `[s${i}]`).join('');
  const mix = sounds === 0 ? 'anull' : `amix=inputs=${inputs.length}:duration=first:normalize=0`;
  return [...decoded, `${all}${mix}[a]`];
}

const pictureEncoding = [
  ...['-map', '[v]', '-r', `${composedFrameRate}`, '-vsync', 'cfr'],
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-bf', '0', '-tune', 'zerolatency'],
  ...['-force_key_frames', 'expr:gte(t,n_forced*2)'],
];

/** Encoders of the composed picture and sound. Keyframes every two seconds, and at most some pictures are kept back. */
export function composedEncoding({ isAudioOnly }: Pick<ComposedGraph, 'isAudioOnly'>): string[] {
  const sound = ['-map', '[a]', '-c:a', 'libopus', '-b:a', '96k', '-ar', '48000', '-ac', '2'];
  return isAudioOnly ? sound : [...pictureEncoding, ...sound];
}

/** Throws for anything but `#rrggbb`, which could change the graph. */
function colorOf(color: string): string {
  const digits = /^#([0-9a-f]{6})$/i.exec(color)?.[1];
  if (digits === undefined) throw new Error('a color must have the form #rrggbb');
  return `0x${digits}`;
}

/** A fifth of the way from the background to gray. */
function emptyColor(background: string): string {
  const channels =
    /^#(..)(..)(..)$/
      .exec(background)
      ?.slice(1)
      .map(digits => parseInt(digits, 16)) ?? [];
  const mixed = channels.map(channel => Math.round(channel + (128 - channel) / 5));
  return `0x${mixed.map(channel => channel.toString(16).padStart(2, '0')).join('')}`;
}

function halfOf(length: number): number {
  return 2 * Math.floor(length / 4);
}

function isLarger(size: PictureSize, tile: PictureSize): boolean {
  return size.width > tile.width || size.height > tile.height;
}

/** The scaled size of a picture in its tile. `contain`: inside the tile. `cover`: the tile is inside it. */
export function fitInto(picture: PictureSize, tile: PictureSize, fit: CompositionStyle['fit']): PictureSize {
  const [byWidth, byHeight] = [tile.width / picture.width, tile.height / picture.height];
  if (fit === 'contain') {
    const scale = Math.min(byWidth, byHeight);
    return { width: inner(picture.width * scale, tile.width), height: inner(picture.height * scale, tile.height) };
  }
  const scale = Math.max(byWidth, byHeight);
  return { width: outer(picture.width * scale, tile.width), height: outer(picture.height * scale, tile.height) };
}

function inner(length: number, most: number): number {
  return Math.min(most, Math.max(2, 2 * Math.round(length / 2)));
}

/** A picture 100 times as long as wide covers no tile without waste, so its middle is stretched. */
const mostCovered = 4;

function outer(length: number, least: number): number {
  return Math.min(mostCovered * least, Math.max(least, 2 * Math.round(length / 2)));
}
