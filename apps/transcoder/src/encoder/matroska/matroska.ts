import type { PictureSize } from '@rtms/bitstream';
import type { CodecName, MediaKind } from '@rtms/contracts';

export interface VideoTrack {
  /** `gray`: one byte for each pixel. */
  codec: Exclude<CodecName, 'opus'> | 'gray';
  size: PictureSize;
  codecPrivate?: Buffer;
}

export interface AudioTrack {
  channels: number;
  /** The AudioSpecificConfig of AAC with 48,000 samples a second. Absent: Opus. */
  aacSetup?: Buffer;
}

export interface MatroskaBlock {
  kind: MediaKind;
  /** Presentation time, ms from the start of the stream. */
  timeMs: number;
  keyframe: boolean;
  data: Buffer;
}

/** Element ids of RFC 9559. */
const ids = {
  ebml: 0x1a45dfa3,
  docType: 0x4282,
  docTypeVersion: 0x4287,
  docTypeReadVersion: 0x4285,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  muxingApp: 0x4d80,
  writingApp: 0x5741,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackUid: 0x73c5,
  trackType: 0x83,
  flagLacing: 0x9c,
  codecID: 0x86,
  codecPrivate: 0x63a2,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  uncompressedFourCC: 0x2eb524,
  audio: 0xe1,
  samplingFrequency: 0xb5,
  channels: 0x9f,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
} as const;

const codecIDs: Record<VideoTrack['codec'], string> = {
  h264: 'V_MPEG4/ISO/AVC',
  vp8: 'V_VP8',
  vp9: 'V_VP9',
  av1: 'V_AV1',
  gray: 'V_UNCOMPRESSED',
};

const trackNumbers: Record<MediaKind, number> = { video: 1, audio: 2 };
const trackTypes: Record<MediaKind, number> = { video: 1, audio: 2 };
/** A block's time is a signed 16-bit offset from its cluster's time. */
const clusterMs = 5000;
const maxOffsetMs = 0x7fff;

/** Writes a live Matroska stream: unknown sizes, no index, times in ms. */
export class MatroskaMuxer {
  private clusterStart: number | undefined;

  constructor(
    private readonly video: VideoTrack | undefined,
    private readonly audio?: AudioTrack,
  ) {}

  header(): Buffer {
    const tracks = [...(this.video ? [videoEntry(this.video)] : []), ...(this.audio ? [audioEntry(this.audio)] : [])];
    return Buffer.concat([
      element(ids.ebml, [
        text(ids.docType, 'matroska'),
        unsigned(ids.docTypeVersion, 4),
        unsigned(ids.docTypeReadVersion, 2),
      ]),
      openElement(ids.segment),
      element(ids.info, [
        unsigned(ids.timestampScale, 1_000_000),
        text(ids.muxingApp, 'rtms'),
        text(ids.writingApp, 'rtms'),
      ]),
      element(ids.tracks, tracks),
    ]);
  }

  block(block: MatroskaBlock): Buffer {
    const timeMs = Math.max(0, Math.round(block.timeMs));
    const parts: Buffer[] = [];
    let { clusterStart } = this;
    if (clusterStart === undefined || this.needsCluster(timeMs, clusterStart)) {
      this.clusterStart = clusterStart = timeMs;
      parts.push(openElement(ids.cluster), unsigned(ids.timestamp, timeMs));
    }
    const head = Buffer.alloc(4);
    head[0] = 0x80 | trackNumbers[block.kind];
    head.writeInt16BE(timeMs - clusterStart, 1);
    head[3] = block.keyframe ? 0x80 : 0;
    parts.push(element(ids.simpleBlock, [head, block.data]));
    return Buffer.concat(parts);
  }

  /** The next block begins a cluster. Call it when a block was lost: a reader does not know the cluster that the block began. */
  breakCluster(): void {
    this.clusterStart = undefined;
  }

  private needsCluster(timeMs: number, clusterStart: number): boolean {
    const offset = timeMs - clusterStart;
    return offset >= clusterMs || offset < -maxOffsetMs;
  }
}

function trackEntry(kind: MediaKind, codecID: string, codecPrivate: Buffer | undefined, settings: Buffer): Buffer {
  const number = trackNumbers[kind];
  return element(ids.trackEntry, [
    unsigned(ids.trackNumber, number),
    unsigned(ids.trackUid, number),
    unsigned(ids.trackType, trackTypes[kind]),
    unsigned(ids.flagLacing, 0),
    text(ids.codecID, codecID),
    ...(codecPrivate ? [element(ids.codecPrivate, codecPrivate)] : []),
    settings,
  ]);
}

function videoEntry({ codec, size, codecPrivate }: VideoTrack): Buffer {
  const settings = element(ids.video, [
    ...[unsigned(ids.pixelWidth, size.width), unsigned(ids.pixelHeight, size.height)],
    ...(codec === 'gray' ? [text(ids.uncompressedFourCC, 'Y800')] : []),
  ]);
  return trackEntry('video', codecIDs[codec], codecPrivate, settings);
}

function audioEntry({ channels, aacSetup }: AudioTrack): Buffer {
  const settings = element(ids.audio, [float(ids.samplingFrequency, 48_000), unsigned(ids.channels, channels)]);
  return aacSetup
    ? trackEntry('audio', 'A_AAC', aacSetup, settings)
    : trackEntry('audio', 'A_OPUS', opusHead(channels), settings);
}

/** RFC 7845, 5.1. The pre-skip is 0, because we join the stream in its middle. */
function opusHead(channels: number): Buffer {
  const head = Buffer.alloc(19);
  head.write('OpusHead', 0, 'latin1');
  head[8] = 1;
  head[9] = channels;
  head.writeUInt32LE(48_000, 12);
  return head;
}

/** EBML (RFC 8794): an id, a size of one to eight bytes, then the data. */

export function element(id: number, data: Buffer | Buffer[]): Buffer {
  const content = Array.isArray(data) ? Buffer.concat(data) : data;
  return Buffer.concat([elementID(id), sizeOf(content.length), content]);
}

export function unsigned(id: number, value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; rest > 0 || bytes.length === 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return element(id, Buffer.from(bytes));
}

function text(id: number, value: string): Buffer {
  return element(id, Buffer.from(value));
}

function float(id: number, value: number): Buffer {
  const data = Buffer.alloc(8);
  data.writeDoubleBE(value);
  return element(id, data);
}

/** Starts an element of unknown size, which ends at the next element of its level. */
export function openElement(id: number): Buffer {
  return Buffer.concat([elementID(id), Buffer.of(0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)]);
}

/** Element ids contain their length marker. */
function elementID(id: number): Buffer {
  const length = id > 0xffffff ? 4 : id > 0xffff ? 3 : id > 0xff ? 2 : 1;
  const bytes = Buffer.alloc(length);
  bytes.writeUIntBE(id, 0, length);
  return bytes;
}

/** Uses the shortest form. A value of all ones would mean "unknown size". */
function sizeOf(size: number): Buffer {
  let length = 1;
  while (size >= 2 ** (7 * length) - 1) length += 1;
  const bytes = Buffer.alloc(length);
  if (length <= 6) bytes.writeUIntBE(size + 2 ** (7 * length), 0, length);
  else throw new RangeError('a Matroska element must be smaller than 4 TiB');
  return bytes;
}
