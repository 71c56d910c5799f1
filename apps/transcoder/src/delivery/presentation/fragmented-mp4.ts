import type { PictureSize } from '@rtms/bitstream';
import type { MediaKind } from '@rtms/contracts';
import { audioEntryFields, boxesIn, contentOf, decoderSetupOf, videoEntryFields } from './playlists/codecs-of-init.js';

/** The only track of an init segment. */
export interface Mp4Track {
  kind: MediaKind;
  /** Units of time per second. */
  timescale: number;
  /** Video: the AVCDecoderConfigurationRecord. Audio: the AudioSpecificConfig. */
  setup: Buffer;
  /** Of video. */
  size: PictureSize | undefined;
  defaults: SampleDefaults;
}

interface SampleDefaults {
  duration: number;
  size: number;
  flags: number;
}

export interface Mp4Sample {
  /** ms from the beginning of the encoder run. */
  timeMs: number;
  durationMs: number;
  keyframe: boolean;
  data: Buffer;
}

/** Reads an init segment with one H.264 or AAC track (ISO/IEC 14496-12). Throws if it is malformed. */
export function readTrack(init: Buffer): Mp4Track {
  const media = contentOf(init, ['moov', 'trak', 'mdia']);
  const entry = boxesIn(contentOf(media, ['minf', 'stbl', 'stsd']).subarray(8))[0];
  const track = { timescale: timescaleOf(contentOf(media, ['mdhd'])), defaults: defaultsOf(init) };
  switch (entry?.type) {
    case 'avc1': {
      const size = { width: entry.content.readUInt16BE(24), height: entry.content.readUInt16BE(26) };
      const setup = contentOf(entry.content.subarray(videoEntryFields), ['avcC']);
      return { ...track, kind: 'video', setup, size };
    }
    case 'mp4a': {
      const descriptor = contentOf(entry.content.subarray(audioEntryFields), ['esds']).subarray(4);
      return { ...track, kind: 'audio', setup: decoderSetupOf(descriptor), size: undefined };
    }
    default:
      throw new Error(`init segment with an unexpected sample entry: ${entry?.type ?? 'none'}`);
  }
}

/** Section 8.4.2.2: two times precede the timescale. */
function timescaleOf(mediaHeader: Buffer): number {
  return mediaHeader.readUInt32BE(mediaHeader.readUInt8(0) === 1 ? 20 : 12);
}

/** Section 8.8.3.2. */
function defaultsOf(init: Buffer): SampleDefaults {
  const extends_ = contentOf(init, ['moov', 'mvex', 'trex']);
  return { duration: extends_.readUInt32BE(12), size: extends_.readUInt32BE(16), flags: extends_.readUInt32BE(20) };
}

/** Returns the samples of a media segment in decoding order. Throws if it is malformed. */
export function readSamples(track: Mp4Track, segment: Buffer): Mp4Sample[] {
  const samples: Mp4Sample[] = [];
  for (const { type, content, offset } of boxesIn(segment)) {
    if (type !== 'moof') continue;
    for (const box of boxesIn(content)) {
      if (box.type === 'traf') samples.push(...samplesOf(track, box.content, segment.subarray(offset)));
    }
  }
  return samples;
}

const nonSyncSample = 0x10000;

/** `fragment` begins with its `moof` box, from which the offsets of the data count. */
function samplesOf({ timescale, defaults }: Mp4Track, content: Buffer, fragment: Buffer): Mp4Sample[] {
  const boxes = boxesIn(content);
  const header = boxes.find(({ type }) => type === 'tfhd');
  const decodeTime = boxes.find(({ type }) => type === 'tfdt');
  if (!header || !decodeTime) throw new Error('media segment without tfhd or tfdt');
  const fields = fragmentDefaults(header.content, defaults);
  const isLong = decodeTime.content.readUInt8(0) === 1;
  let time = isLong ? Number(decodeTime.content.readBigUInt64BE(4)) : decodeTime.content.readUInt32BE(4);
  let position = 0;
  const samples: Mp4Sample[] = [];
  for (const { type, content: run } of boxes) {
    if (type !== 'trun') continue;
    const { dataOffset, entries } = runOf(run, fields);
    position = dataOffset ?? position;
    for (const { duration, size, flags, shift } of entries) {
      if (position + size > fragment.length) throw new Error('media segment without the data of a sample');
      samples.push({
        timeMs: ((time + shift) * 1000) / timescale,
        durationMs: (duration * 1000) / timescale,
        keyframe: (flags & nonSyncSample) === 0,
        data: fragment.subarray(position, position + size),
      });
      time += duration;
      position += size;
    }
  }
  return samples;
}

/** Section 8.8.7.1: optional fields, each with its flag. */
function fragmentDefaults(header: Buffer, defaults: SampleDefaults): SampleDefaults {
  const read = fieldsOf(header, 8);
  read(0x1, 8);
  read(0x2, 4);
  const [duration, size, flags] = [read(0x8, 4), read(0x10, 4), read(0x20, 4)];
  return { duration: duration ?? defaults.duration, size: size ?? defaults.size, flags: flags ?? defaults.flags };
}

/** Section 8.8.8.1. */
function runOf(run: Buffer, defaults: SampleDefaults) {
  const read = fieldsOf(run, 8);
  const count = run.readUInt32BE(4);
  const dataOffset = read(0x1, 4);
  const firstFlags = read(0x4, 4);
  const entries = [];
  for (let index = 0; index < count; index++) {
    const [duration, size, flags, shift] = [read(0x100, 4), read(0x200, 4), read(0x400, 4), read(0x800, 4)];
    entries.push({
      duration: duration ?? defaults.duration,
      size: size ?? defaults.size,
      flags: flags ?? (index === 0 ? firstFlags : undefined) ?? defaults.flags,
      // Signed in version 1, and small in version 0.
      shift: (shift ?? 0) | 0,
    });
  }
  return { dataOffset, entries };
}

/** Reads the optional fields of a full box in their order. undefined: the box does not have the field. */
function fieldsOf(box: Buffer, start: number): (flag: number, bytes: 4 | 8) => number | undefined {
  const flags = box.readUInt32BE(0) & 0xffffff;
  let offset = start;
  return (flag, bytes) => {
    if ((flags & flag) === 0) return undefined;
    offset += bytes;
    return box.readUInt32BE(offset - 4);
  };
}
