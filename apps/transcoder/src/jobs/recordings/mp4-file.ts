import { open, type FileHandle } from 'node:fs/promises';
import type { MediaKind } from '@rtms/contracts';

/** A top-level box of a file (ISO/IEC 14496-12). */
export interface FileBox {
  type: string;
  offset: number;
  size: number;
}

/** Values from the header of a finished file. */
export interface MovieHeader {
  durationSeconds: number;
  /** Size of the video, if any. */
  size?: { width: number; height: number };
}

/** Returns the complete top-level boxes. `from` is the start of a box. */
export async function readBoxes(file: FileHandle, from = 0): Promise<FileBox[]> {
  const { size: fileSize } = await file.stat();
  const boxes: FileBox[] = [];
  for (let offset = from; offset + 8 <= fileSize;) {
    const header = Buffer.alloc(16);
    await file.read(header, 0, 16, offset);
    const { type, size } = parseBoxHeader(header);
    if (size < 8 || offset + size > fileSize) break;
    boxes.push({ type, offset, size });
    offset += size;
  }
  return boxes;
}

/** Returns the end of the last complete fragment of an unfinished file; undefined if there is none. */
export function endOfFragments(boxes: readonly FileBox[]): number | undefined {
  const isFragment = (box: FileBox, index: number) => box.type === 'mdat' && boxes[index - 1]?.type === 'moof';
  const last = boxes.findLast(isFragment);
  return last && boxes.some(box => box.type === 'moov') ? last.offset + last.size : undefined;
}

/** Returns the end of the last complete fragment after `from`, which is 0 or such an end. Returns `from` if there is none. */
export async function endOfFragmentsAfter(file: FileHandle, from: number): Promise<number> {
  const last = (await readBoxes(file, from)).findLast(({ type }) => type === 'mdat');
  return last ? last.offset + last.size : from;
}

/** Cuts off an incomplete fragment after a crash. Returns whether the file has any fragment. */
export async function cutToFragments(path: string): Promise<boolean> {
  const file = await open(path, 'r+');
  try {
    const end = endOfFragments(await readBoxes(file));
    if (end !== undefined) await file.truncate(end);
    return end !== undefined;
  } finally {
    await file.close();
  }
}

/** Fragments at the end of a file that together have media of all its tracks. */
const lastFragments = 8;

/** Returns the end of the media of an unfinished file, which begins at 0. So FFmpeg places the next file when it joins files. */
export async function secondsOfFragments(path: string): Promise<number> {
  const file = await open(path, 'r');
  try {
    const boxes = await readBoxes(file);
    const contentOf = async ({ offset, size }: FileBox) => {
      const content = Buffer.alloc(size - 8);
      await file.read(content, 0, content.length, offset + 8);
      return content;
    };
    const header = boxes.find(({ type }) => type === 'moov');
    const last = boxes.filter(({ type }) => type === 'moof').slice(-lastFragments);
    if (!header || last.length === 0) throw new Error('an MP4 file without fragments');
    const tracks = timesOfTracks(await contentOf(header));
    const ends: number[] = [];
    for (const box of last) ends.push(...endsOfTracks(await contentOf(box), tracks));
    return Math.max(...ends);
  } finally {
    await file.close();
  }
}

interface TrackTimes {
  /** Units in a second. */
  timescale: number;
  sampleDuration: number;
}

/** ISO/IEC 14496-12: 8.3.2 (tkhd), 8.4.2 (mdhd) and 8.8.3 (trex). */
function timesOfTracks(moov: Buffer): Map<number, TrackTimes> {
  const durations = childrenOf(moov, 'mvex', 'trex').map(
    trex => [trex.readUInt32BE(4), trex.readUInt32BE(12)] as const,
  );
  const defaults = new Map(durations);
  return new Map(
    childrenOf(moov, 'trak').flatMap(track => {
      const [tkhd] = childrenOf(track, 'tkhd');
      const [mdhd] = childrenOf(track, 'mdia', 'mdhd');
      if (!tkhd || !mdhd) return [];
      const id = tkhd.readUInt32BE(tkhd.readUInt8(0) === 1 ? 20 : 12);
      const timescale = mdhd.readUInt32BE(mdhd.readUInt8(0) === 1 ? 20 : 12);
      return [[id, { timescale, sampleDuration: defaults.get(id) ?? 0 }] as const];
    }),
  );
}

/** Sections 8.8.7 (tfhd), 8.8.12 (tfdt) and 8.8.8 (trun). */
function endsOfTracks(moof: Buffer, tracks: ReadonlyMap<number, TrackTimes>): number[] {
  return childrenOf(moof, 'traf').flatMap(fragment => {
    const [tfhd] = childrenOf(fragment, 'tfhd');
    const [tfdt] = childrenOf(fragment, 'tfdt');
    const track = tfhd && tracks.get(tfhd.readUInt32BE(4));
    if (!track || !tfdt) return [];
    const flags = tfhd.readUIntBE(1, 3);
    const skipped = (flags & 0x1 ? 8 : 0) + (flags & 0x2 ? 4 : 0);
    const usual = flags & 0x8 ? tfhd.readUInt32BE(8 + skipped) : track.sampleDuration;
    const begin = tfdt.readUInt8(0) === 1 ? Number(tfdt.readBigUInt64BE(4)) : tfdt.readUInt32BE(4);
    const lengths = childrenOf(fragment, 'trun').map(trun => lengthOfRun(trun, usual));
    return [(begin + lengths.reduce((sum, length) => sum + length, 0)) / track.timescale];
  });
}

function lengthOfRun(trun: Buffer, usual: number): number {
  const flags = trun.readUIntBE(1, 3);
  const samples = trun.readUInt32BE(4);
  if ((flags & 0x100) === 0) return samples * usual;
  const first = 8 + (flags & 0x1 ? 4 : 0) + (flags & 0x4 ? 4 : 0);
  const step = [0x100, 0x200, 0x400, 0x800].filter(flag => flags & flag).length * 4;
  let length = 0;
  for (let i = 0; i < samples; i++) length += trun.readUInt32BE(first + i * step);
  return length;
}

/** The contents of the boxes of a path. */
function childrenOf(bytes: Buffer, ...path: string[]): Buffer[] {
  const [first, ...rest] = path;
  const found = boxesIn(bytes).filter(({ type }) => type === first);
  return found.flatMap(({ content }) => (rest.length === 0 ? content : childrenOf(content, ...rest)));
}

/** Reads the header of a finished file. */
export async function readMovieHeader(path: string): Promise<MovieHeader> {
  return parseMovieHeader(await readMovie(path));
}

/** Reads the kinds of media in a finished file, and the size of its pictures. */
export async function readMovieKinds(path: string): Promise<{ kinds: MediaKind[]; size?: MovieHeader['size'] }> {
  const movie = await readMovie(path);
  // Section 8.4.3.
  const handlers = childrenOf(movie, 'trak', 'mdia', 'hdlr').map(hdlr => hdlr.toString('latin1', 8, 12));
  const kinds = { video: 'vide', audio: 'soun' } as const;
  const { size } = parseMovieHeader(movie);
  return {
    kinds: (['video', 'audio'] as const).filter(kind => handlers.includes(kinds[kind])),
    ...(size && { size }),
  };
}

async function readMovie(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const box = (await readBoxes(file)).find(each => each.type === 'moov');
    if (!box) throw new Error('an MP4 file without moov');
    const bytes = Buffer.alloc(box.size - 8);
    await file.read(bytes, 0, bytes.length, box.offset + 8);
    return bytes;
  } finally {
    await file.close();
  }
}

/** `moov` is the content of that box. */
export function parseMovieHeader(moov: Buffer): MovieHeader {
  const boxes = boxesIn(moov);
  const mvhd = boxes.find(({ type }) => type === 'mvhd')?.content;
  if (!mvhd) throw new Error('an MP4 file without mvhd');
  const size = boxes.flatMap(({ type, content }) => (type === 'trak' ? (sizeOfTrack(content) ?? []) : []))[0];
  return { durationSeconds: durationOf(mvhd), ...(size && { size }) };
}

/** ISO/IEC 14496-12 section 8.2.2: version 1 has 64-bit times. */
function durationOf(mvhd: Buffer): number {
  if (mvhd.readUInt8(0) === 0) return mvhd.readUInt32BE(16) / mvhd.readUInt32BE(12);
  return Number(mvhd.readBigUInt64BE(24)) / mvhd.readUInt32BE(20);
}

/** Section 8.3.2: width and height are the last fields, in 16.16 format; both are 0 for audio. */
function sizeOfTrack(track: Buffer): { width: number; height: number } | undefined {
  const tkhd = boxesIn(track).find(({ type }) => type === 'tkhd')?.content;
  if (!tkhd || tkhd.length < 8) return undefined;
  const width = tkhd.readUInt32BE(tkhd.length - 8) >>> 16;
  const height = tkhd.readUInt32BE(tkhd.length - 4) >>> 16;
  return width > 0 && height > 0 ? { width, height } : undefined;
}

function boxesIn(bytes: Buffer): { type: string; content: Buffer }[] {
  const boxes = [];
  for (let offset = 0; offset + 8 <= bytes.length;) {
    const size = boxSize(bytes.subarray(offset));
    if (size < 8) break;
    boxes.push({
      type: bytes.toString('latin1', offset + 4, offset + 8),
      content: bytes.subarray(offset + 8, offset + size),
    });
    offset += size;
  }
  return boxes;
}

/** `header`: the first 16 bytes of a box. */
export function parseBoxHeader(header: Buffer): { type: string; size: number } {
  return { type: header.toString('latin1', 4, 8), size: boxSize(header) };
}

/** A size of 1 means that the 64-bit size follows the type. */
function boxSize(header: Buffer): number {
  const size = header.readUInt32BE(0);
  return size === 1 && header.length >= 16 ? Number(header.readBigUInt64BE(8)) : size;
}
