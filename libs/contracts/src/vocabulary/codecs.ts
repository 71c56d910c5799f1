export type MediaKind = 'audio' | 'video';

/** Codec names of `a=rtpmap` (RFC 8866), in lower case. */
export const codecNames = ['opus', 'h264', 'vp8', 'vp9', 'av1'] as const;
export type CodecName = (typeof codecNames)[number];

/** A codec with its payload type in WHEP answers. */
export interface PayloadProfileCodec {
  kind: MediaKind;
  /** For example `video/H264`. */
  mimeType: string;
  payloadType: number;
  /** Hz. */
  clockRate: number;
  channels?: number;
  /** `a=fmtp` parameters. */
  parameters: Record<string, string | number>;
  /** Payload type of RTX (RFC 4588). */
  rtxPayloadType?: number;
}

/** Payload types of a WHEP endpoint. A player uses the same ones in its offer. */
export interface PayloadProfile {
  codecs: PayloadProfileCodec[];
}

/** The largest source that an account may encode. */
export interface SourceBounds {
  /** Width times height of one picture. */
  pixels: number;
  /** Width times height times frames per second. */
  pixelsPerSecond: number;
}

/** Whether the size or the pixel rate exceeds the bounds. With `framesPerSecond` 0 it checks only the size. */
export function exceedsBounds(
  { pixels, pixelsPerSecond }: SourceBounds,
  { width, height }: { width: number; height: number },
  framesPerSecond = 0,
): boolean {
  const picture = width * height;
  return picture > pixels || picture * framesPerSecond > pixelsPerSecond;
}
