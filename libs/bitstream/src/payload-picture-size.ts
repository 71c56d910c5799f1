import { parseAv1Payload, sequenceHeaderOf } from './av1.js';
import { nalTypes, nalUnitStarts, nalUnitType, parseH264Payload, parseSpsSize } from './h264.js';
import type { PictureSize } from './picture-size.js';
import { parseVp8Payload, vp8KeyframeSize } from './vp8.js';
import { parseVp9Payload, vp9KeyframeSize } from './vp9.js';

/** Readers by MIME type in lower case. */
const sizeReaders: Readonly<Record<string, (payload: Buffer) => PictureSize | undefined>> = {
  'video/h264': h264Size,
  'video/vp8': vp8Size,
  'video/vp9': vp9Size,
  'video/av1': av1Size,
};

/**
 * Reads the picture size, in pixels, from an RTP payload. `mimeType` is e.g. `video/VP8`, in any case. Undefined if the payload
 * does not contain the size, and for unknown codecs.
 */
export function pictureSizeOfPayload(mimeType: string, payload: Buffer): PictureSize | undefined {
  return sizeReaders[mimeType.toLowerCase()]?.(payload);
}

/** Reads the size from a sequence parameter set. */
function h264Size(payload: Buffer): PictureSize | undefined {
  const part = parseH264Payload(payload);
  const sps = part && nalUnitStarts(part).find(unit => nalUnitType(unit) === nalTypes.sps);
  return sps && parseSpsSize(sps);
}

function vp8Size(payload: Buffer): PictureSize | undefined {
  const part = parseVp8Payload(payload);
  return part?.start ? vp8KeyframeSize(part.data) : undefined;
}

/** The size of the largest spatial layer. Only the lowest layer has a keyframe; the scalability structure lists the others. */
function vp9Size(payload: Buffer): PictureSize | undefined {
  const part = parseVp9Payload(payload);
  if (!part) return undefined;
  const keyframe = part.start ? vp9KeyframeSize(part.data) : undefined;
  const sizes = keyframe ? [keyframe, ...part.layerSizes] : part.layerSizes;
  return sizes.sort((a, b) => b.width * b.height - a.width * a.height)[0];
}

/** The largest size of the sequence, over all spatial layers. */
function av1Size(payload: Buffer): PictureSize | undefined {
  const part = parseAv1Payload(payload);
  const sequence = part && sequenceHeaderOf(part);
  return sequence && { width: sequence.width, height: sequence.height };
}
