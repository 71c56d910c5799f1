import {
  parseAv1Payload,
  parseSpsSize,
  parseVp9Payload,
  sequenceHeaderOf,
  vp9KeyframeSize,
  type PictureSize,
} from '@rtms/bitstream';
import { nalType, nalUnits } from './h264-bitstream.js';
import { payloadOf } from './rtp-payload.js';
import { vp8Size } from './vp8-bitstream.js';

/** By the codec's name in lower case; each reads an RTP payload that is not empty. */
const sizeReaders: Readonly<Record<string, (payload: Buffer) => PictureSize | undefined>> = {
  'video/h264': h264Size,
  'video/vp8': vp8Size,
  'video/vp9': vp9Size,
  'video/av1': av1Size,
};

/** The size of the pictures from here on; undefined where the RTP packet does not tell it. Never throws. */
export function pictureSizeIn(mimeType: string, packet: Buffer): PictureSize | undefined {
  const payload = payloadOf(packet);
  return payload && sizeReaders[mimeType.toLowerCase()]?.(payload);
}

/** Of a sequence parameter set. */
function h264Size(payload: Buffer): PictureSize | undefined {
  for (const unit of nalUnits(payload)) if ((unit.readUInt8(0) & 0x1f) === nalType.sps) return parseSpsSize(unit);
  return undefined;
}

/** Of the largest spatial layer: only the lowest has a keyframe of its own, the scalability structure names the others. */
function vp9Size(payload: Buffer): PictureSize | undefined {
  const part = parseVp9Payload(payload);
  if (!part) return undefined;
  const keyframe = part.start ? vp9KeyframeSize(part.data) : undefined;
  const sizes = keyframe ? [keyframe, ...part.layerSizes] : part.layerSizes;
  return sizes.sort((a, b) => b.width * b.height - a.width * a.height)[0];
}

/** The largest of the sequence, of all spatial layers. */
function av1Size(payload: Buffer): PictureSize | undefined {
  const part = parseAv1Payload(payload);
  const sequence = part && sequenceHeaderOf(part);
  return sequence && { width: sequence.width, height: sequence.height };
}
