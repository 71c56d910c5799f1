import type { PictureSize } from './picture-size.js';

/** An RTP payload of VP8 (RFC 7741). */
export interface Vp8Payload {
  /** Part of a frame, without the payload descriptor. Not empty. */
  data: Buffer;
  /** Whether a frame starts here, with its first partition. */
  start: boolean;
}

/** Reads a VP8 RTP payload. Undefined if it is truncated. */
export function parseVp8Payload(payload: Buffer): Vp8Payload | undefined {
  const data = payload.subarray(descriptorLength(payload));
  if (data.length === 0) return undefined;
  // X R N S R PID: S is set and PID is 0. Receivers ignore both reserved bits (RFC 7741, 4.2).
  return { data, start: (payload[0]! & 0x17) === 0x10 };
}

/** Length of the payload descriptor in bytes (RFC 7741, 4.2). */
function descriptorLength(payload: Buffer): number {
  const [first = 0, extensions = 0, pictureID = 0] = payload;
  if ((first & 0x80) === 0) return 1;
  let length = 2;
  if ((extensions & 0x80) !== 0) length += (pictureID & 0x80) !== 0 ? 2 : 1;
  if ((extensions & 0x40) !== 0) length += 1; // TL0PICIDX
  if ((extensions & 0x30) !== 0) length += 1; // TID and KEYIDX share a byte.
  return length;
}

/** Whether a frame is a keyframe, by its first byte (RFC 6386, 9.1). False for an empty buffer. */
export function isVp8Keyframe(frame: Buffer): boolean {
  return frame.length > 0 && (frame[0]! & 1) === 0;
}

const startCode = 0x9d012a;

/**
 * Reads the picture size, in pixels, from a keyframe's header (RFC 6386, 9.1): 14 bits each. Undefined for other frames, for
 * truncated frames, and for a size of 0, which the RFC's decoder refuses (20.4).
 */
export function vp8KeyframeSize(frame: Buffer): PictureSize | undefined {
  if (!isVp8Keyframe(frame) || frame.length < 10 || frame.readUIntBE(3, 3) !== startCode) return undefined;
  const size = { width: frame.readUInt16LE(6) & 0x3fff, height: frame.readUInt16LE(8) & 0x3fff };
  return size.width > 0 && size.height > 0 ? size : undefined;
}
