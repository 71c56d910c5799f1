import { kindOfSource, type TrackSource } from '@rtms/contracts';
import type { types } from 'mediasoup-client';

export interface EncodingRequest {
  source: TrackSource;
  /** Of the track as it is; undefined when it is not known yet. */
  size?: { width: number; height: number } | undefined;
  simulcast: boolean;
  /** Lines (the shorter side) that may be sent. */
  maxHeight: number;
  /** Bits a second of all tracks together. */
  maxBitrate: number;
}

/** What a picture of so many lines needs at 30 frames a second, in bits a second. */
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

/** How a track is sent, within what its member may send; the lowest layer first, as mediasoup-client wants it. */
export function chooseEncodings(request: EncodingRequest): types.RtpEncodingParameters[] {
  const { source, maxBitrate } = request;
  if (kindOfSource(source) === 'video') return videoEncodings(request);
  return [{ maxBitrate: Math.min(source === 'microphone' ? voiceBitrate : stereoBitrate, maxBitrate) }];
}

/** Voice may fall silent on the wire; what is shared with a screen is music as likely as not. */
export function chooseCodecOptions(source: TrackSource): types.ProducerCodecOptions {
  switch (source) {
    case 'microphone':
      return { opusDtx: true, opusFec: true };
    case 'screenAudio':
      return { opusStereo: true, opusFec: true };
    case 'camera':
    case 'screen':
      // A call that starts blurred for seconds is thought to be broken.
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

/** A layer is for those who show it small: below 90 lines nobody looks. */
function layersOf(lines: number): number[] {
  if (lines >= 540) return [4, 2, 1];
  return lines >= 270 ? [2, 1] : [1];
}

function bitrateOf(lines: number): number {
  return bitrates.find(step => lines <= step.lines)?.bitrate ?? greatestBitrate;
}

/** Shares out what may be sent in proportion when all layers want more. */
function within<Layer extends { maxBitrate: number }>(layers: Layer[], budget: number): Layer[] {
  const wanted = layers.reduce((sum, layer) => sum + layer.maxBitrate, 0);
  const share = Math.min(1, budget / wanted);
  return layers.map(layer => ({ ...layer, maxBitrate: Math.floor(layer.maxBitrate * share) }));
}
