import { kindOfSource, type TrackSource } from '@rtms/contracts';
import type { types } from 'mediasoup-client';

export interface EncodingRequest {
  source: TrackSource;
  /** Current size of the track in pixels; undefined if unknown. */
  size?: { width: number; height: number } | undefined;
  simulcast: boolean;
  /** Limit of the shorter side, in pixels. */
  maxHeight: number;
  /** Limit of all tracks together, in bits per second. */
  maxBitrate: number;
}

/** Bits per second for a picture with this many lines at 30 frames per second. */
const bitrates: readonly { lines: number; bitrate: number }[] = [
  { lines: 90, bitrate: 100_000 },
  { lines: 180, bitrate: 200_000 },
  { lines: 270, bitrate: 400_000 },
  { lines: 360, bitrate: 700_000 },
  { lines: 480, bitrate: 1_000_000 },
  { lines: 720, bitrate: 2_000_000 },
  { lines: 1080, bitrate: 3_500_000 },
  { lines: 1440, bitrate: 6_000_000 },
];
const greatestBitrate = 10_000_000;
const voiceBitrate = 48_000;
const stereoBitrate = 128_000;
const screenFramesPerSecond = 15;

/** The encodings of a track within the member's limits, lowest layer first, as mediasoup-client requires. */
export function chooseEncodings(request: EncodingRequest): types.RtpEncodingParameters[] {
  const { source, maxBitrate } = request;
  if (kindOfSource(source) === 'video') return videoEncodings(request);
  return [{ maxBitrate: Math.min(source === 'microphone' ? voiceBitrate : stereoBitrate, maxBitrate) }];
}

/** Uses DTX (no packets in silence) for the microphone only, because screen audio is often music. */
export function chooseCodecOptions(source: TrackSource): types.ProducerCodecOptions {
  switch (source) {
    case 'microphone':
      return { opusDtx: true, opusFec: true };
    case 'screenAudio':
      return { opusStereo: true, opusFec: true };
    case 'camera':
    case 'screen':
      // Start with a high bit rate: users take a blurred start for a fault.
      return { videoGoogleStartBitrate: 1000 };
    default:
      return source satisfies never;
  }
}

function videoEncodings({ source, size, simulcast, maxHeight, maxBitrate }: EncodingRequest) {
  const lines = size ? Math.min(size.width, size.height) : maxHeight;
  const scale = Math.max(1, lines / maxHeight);
  const sent = lines / scale;
  const layers = (simulcast ? layersOf(sent) : [1]).map(divisor => ({
    scaleResolutionDownBy: scale * divisor,
    maxBitrate: bitrateOf(sent / divisor),
    ...(source === 'screen' && { maxFramerate: screenFramesPerSecond }),
  }));
  return within(layers, Math.max(maxBitrate - voiceBitrate, maxBitrate / 2)).map(layer => ({
    ...layer,
    ...(simulcast && { scalabilityMode: 'L1T3' }),
  }));
}

/** Omits layers below 90 lines, which nobody displays. */
function layersOf(lines: number): number[] {
  if (lines >= 540) return [4, 2, 1];
  return lines >= 270 ? [2, 1] : [1];
}

function bitrateOf(lines: number): number {
  return bitrates.find(step => lines <= step.lines)?.bitrate ?? greatestBitrate;
}

/** Reduces all layers in proportion if together they exceed the limit. */
function within<Layer extends { maxBitrate: number }>(layers: Layer[], budget: number): Layer[] {
  const wanted = layers.reduce((sum, layer) => sum + layer.maxBitrate, 0);
  const share = Math.min(1, budget / wanted);
  return layers.map(layer => ({ ...layer, maxBitrate: Math.floor(layer.maxBitrate * share) }));
}
