export type MediaKind = 'audio' | 'video';

/** Codec names as they stand in `a=rtpmap` (RFC 8866), in lower case. */
export const codecNames = ['opus', 'h264', 'vp8', 'vp9', 'av1'] as const;
export type CodecName = (typeof codecNames)[number];

/** One codec with the number that a WHEP answer gives it. */
export interface PayloadProfileCodec {
  kind: MediaKind;
  /** As in `a=rtpmap`, e.g. `video/H264`. */
  mimeType: string;
  payloadType: number;
  /** Hz. */
  clockRate: number;
  channels?: number;
  /** `a=fmtp` parameters. */
  parameters: Record<string, string | number>;
  /** The payload type of this codec's retransmissions (RFC 4588). */
  rtxPayloadType?: number;
}

/** The RTP numbers that a WHEP endpoint sends with; a player aligns its offer with them. */
export interface PayloadProfile {
  codecs: PayloadProfileCodec[];
}

/** The largest source that an account may have encoded. */
export interface SourceBounds {
  /** Of one picture, width times height. */
  pixels: number;
  /** Width times height times frames a second. */
  pixelsPerSecond: number;
}

/** Whether one picture, or all in a second, are above the bounds. `framesPerSecond` 0: only the size is judged. */
export function exceedsBounds(
  { pixels, pixelsPerSecond }: SourceBounds,
  { width, height }: { width: number; height: number },
  framesPerSecond = 0,
): boolean {
  const picture = width * height;
  return picture > pixels || picture * framesPerSecond > pixelsPerSecond;
}
