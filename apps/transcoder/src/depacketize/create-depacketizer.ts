import type { CodecName } from '@rtms/contracts';
import { Av1Depacketizer } from './av1.js';
import type { Depacketizer } from './frame.js';
import { H264Depacketizer } from './h264.js';
import { OpusDepacketizer } from './opus.js';
import { Vp8Depacketizer } from './vp8.js';
import { Vp9Depacketizer } from './vp9.js';

/** `parameters` are the codec's `a=fmtp`. */
export function createDepacketizer(codec: CodecName, parameters: Record<string, string | number>): Depacketizer {
  switch (codec) {
    case 'opus':
      return new OpusDepacketizer();
    case 'h264':
      return new H264Depacketizer(String(parameters['sprop-parameter-sets'] ?? ''));
    case 'vp8':
      return new Vp8Depacketizer();
    case 'vp9':
      return new Vp9Depacketizer();
    case 'av1':
      return new Av1Depacketizer();
  }
}
