import type { RtpCodec } from '../media/rtp-parameters.js';

/** As in `a=rtpmap`, e.g. `VP8`, `opus`. */
export function codecNameOf({ mimeType }: RtpCodec): string {
  return mimeType.slice(mimeType.indexOf('/') + 1);
}
