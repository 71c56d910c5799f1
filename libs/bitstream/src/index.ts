export {
  obuHeaderLength,
  obuPayload,
  obuType,
  obuTypes,
  parseAv1Payload,
  parseSequenceHeader,
  type Av1Payload,
  type SequenceHeader,
} from './av1.js';
export { readLeb128, writeLeb128 } from './bit-reader.js';
export {
  nalTypes,
  nalUnitStarts,
  nalUnitType,
  parseH264Payload,
  parseSliceStart,
  parseSpsSize,
  startsPicture,
  type H264Fragment,
  type H264Payload,
} from './h264.js';
export { pictureSizeOfPayload } from './payload-picture-size.js';
export type { PictureSize } from './picture-size.js';
export { isRtcp, parseRtpPacket, type RtpPacket } from './rtp-packet.js';
export { isVp8Keyframe, parseVp8Payload, vp8KeyframeSize, type Vp8Payload } from './vp8.js';
export { parseVp9Payload, vp9KeyframeSize, type Vp9Payload } from './vp9.js';
