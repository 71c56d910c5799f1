import type { PictureSize } from '@rtms/bitstream';
import { payloadOf } from './rtp-payload.js';

/** Length of the payload descriptor (RFC 7741 section 4.2); undefined where no frame begins. */
function descriptorLength(payload: Buffer): number | undefined {
  const [first = 0, extension = 0, pictureID = 0] = payload;
  const beginsFrame = (first & 0x10) !== 0 && (first & 0x07) === 0;
  if (!beginsFrame) return undefined;
  return (first & 0x80) === 0 ? 1 : 2 + extensionLength(extension, pictureID);
}

/** Picture id of one or two bytes, index of the base layer, temporal layer. */
function extensionLength(extension: number, pictureID: number): number {
  const ofPictureID = (extension & 0x80) === 0 ? 0 : 1 + (pictureID >> 7);
  return ofPictureID + ((extension & 0x40) >> 6) + Number((extension & 0x30) !== 0);
}

/** Width times height of the keyframe that begins in an RTP packet; undefined for any other. */
export function vp8Pixels(packet: Buffer): number | undefined {
  const payload = payloadOf(packet);
  const size = payload && vp8Size(payload);
  return size && size.width * size.height;
}

/** Of the keyframe that begins in an RTP payload (RFC 6386 section 9.1). */
export function vp8Size(payload: Buffer): PictureSize | undefined {
  const offset = descriptorLength(payload);
  const frame = offset === undefined ? undefined : payload.subarray(offset);
  const isKeyframe = frame && frame.length >= 10 && (frame.readUInt8(0) & 1) === 0;
  if (!isKeyframe || frame.readUIntBE(3, 3) !== 0x9d012a) return undefined;
  return { width: frame.readUInt16LE(6) & 0x3fff, height: frame.readUInt16LE(8) & 0x3fff };
}
