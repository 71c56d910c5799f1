import type { TargetResolution } from '@rtms/contracts';

/** The limits of a member's media. */
export interface MediaBounds {
  /** The maximum number of video lines. */
  maxHeight: number;
  /** Bits per second of all tracks together. */
  maxBitrate: number;
}

/** Lines, and bits per second of a camera with all its simulcast layers. */
const videoBounds: Readonly<Record<TargetResolution, { maxHeight: number; cameraBitrate: number }>> = {
  QnHD: { maxHeight: 180, cameraBitrate: 300_000 },
  sd: { maxHeight: 480, cameraBitrate: 1_200_000 },
  hd: { maxHeight: 720, cameraBitrate: 3_000_000 },
  fhd: { maxHeight: 1080, cameraBitrate: 6_000_000 },
  qhd: { maxHeight: 1440, cameraBitrate: 10_000_000 },
};
/** Text on a shared screen must stay sharp, so this does not depend on the resolution. */
const screenBitrate = 2_500_000;
const audioBitrate = 320_000;

/** An SFU does not decode video, so it enforces only the bitrate. Sending more lines than allowed gains nothing. */
export function mediaBounds(resolution: TargetResolution): MediaBounds {
  const { maxHeight, cameraBitrate } = videoBounds[resolution];
  return { maxHeight, maxBitrate: cameraBitrate + screenBitrate + audioBitrate };
}
