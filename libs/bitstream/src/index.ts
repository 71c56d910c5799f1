export {
  obuHeaderLength,
  obuPayload,
  obuType,
  obuTypes,
  parseAv1Payload,
  sequenceHeaderOf,
  type Av1Payload,
} from './av1-payload.js';
export { parseSequenceHeader, type SequenceHeader } from './av1-sequence-header.js';
export { parseSpsSize } from './h264-sps.js';
export { readLeb128, writeLeb128 } from './leb128.js';
export type { PictureSize } from './picture-size.js';
export { parseVp9Payload, vp9KeyframeSize, type Vp9Payload } from './vp9.js';
