import {
  measuredOrNull,
  packVerdict,
  toSmallint,
  unpackVerdict,
  type Verdict,
  type ViewerSamplesQuery,
} from './viewer-quality.js';

/** The playback of one HLS viewer in ten seconds, by the client data of its player (CTA-5004). null: the player did not say. */
export interface HlsViewerSample extends Verdict {
  /** ms since 1970. */
  at: number;
  /** The shortest buffer. */
  bufferMs: number | null;
  /** Times that the player ran out of media. */
  stalls: number;
  /** Bits per second that the player measured. */
  throughput: number | null;
  /** Bits per second of the rendition that the player requested. */
  bitrate: number | null;
}

/** The samples of an HLS viewer in one minute. */
export interface HlsViewerMinute {
  broadcastID: string;
  viewerID: string;
  /** Start of the minute, ms since 1970. */
  minute: number;
  /** Packed samples one behind the other, see `packHlsSample`. At most `longestHlsMinute` numbers. */
  samples: number[];
}

/** Like `ViewerSamplesQuery`, by broadcast. */
export interface HlsViewerSamplesQuery extends Omit<ViewerSamplesQuery, 'playbackID'> {
  broadcastID?: string;
}

export interface HlsViewerSamplesPage {
  minutes: HlsViewerMinute[];
  /** The place of the last minute, or `after` of an empty page. */
  next?: string;
  isLast: boolean;
}

/** Numbers of a packed sample. */
const width = 7;
/** A row with more was not sent by a node of ours. */
export const longestHlsMinute = 12 * width;

/** 16 bits hold 327 s of buffer and 327 Mbit/s. More is stored as that. */
const units = { time: 10, buffer: 10, bits: 10_000 } as const;

/** Returns numbers that fit 16 bits. */
export function packHlsSample(sample: HlsViewerSample, minute: number): number[] {
  const { at, bufferMs, stalls, throughput, bitrate } = sample;
  const inUnits = (value: number | null, unit: number): number => (value === null ? -1 : value / unit);
  const rates = [inUnits(throughput, units.bits), inUnits(bitrate, units.bits)];
  const numbers = [(at - minute) / units.time, inUnits(bufferMs, units.buffer), stalls, ...rates];
  return [...numbers, ...packVerdict(sample)].map(toSmallint);
}

type PackedSample = [number, number, number, number, number, number, number];

/** Reads packed samples. */
export function unpackHlsSamples({ minute, samples }: Pick<HlsViewerMinute, 'minute' | 'samples'>): HlsViewerSample[] {
  const times = (value: number, unit: number): number | null => (measuredOrNull(value) === null ? null : value * unit);
  return Array.from({ length: Math.floor(samples.length / width) }, (_, index) => {
    const values = samples.slice(index * width, (index + 1) * width) as PackedSample;
    const [at, buffer, stalls, throughput, bitrate, place, value] = values;
    return {
      at: minute + at * units.time,
      bufferMs: times(buffer, units.buffer),
      stalls,
      throughput: times(throughput, units.bits),
      bitrate: times(bitrate, units.bits),
      ...unpackVerdict(place, value),
    };
  });
}
