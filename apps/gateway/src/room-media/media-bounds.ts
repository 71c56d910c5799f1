import type { TargetResolution } from '@rtms/contracts';

/** What a member may send. */
export interface MediaBounds {
  /** Lines of video. */
  maxHeight: number;
  /** Bits a second that all its tracks may have together. */
  maxBitrate: number;
}

/** Lines, and bits a second of a camera with its simulcast layers. */
const videoBounds: Readonly<Record<TargetResolution, { maxHeight: number; cameraBitrate: number }>> = {
  QnHD: { maxHeight: 180, cameraBitrate: 300_000 },
  sd: { maxHeight: 480, cameraBitrate: 1_200_000 },
  hd: { maxHeight: 720, cameraBitrate: 3_000_000 },
  fhd: { maxHeight: 1080, cameraBitrate: 6_000_000 },
  qhd: { maxHeight: 1440, cameraBitrate: 10_000_000 },
};
/** A screen and its text want sharpness, whatever cameras may send. */
const screenBitrate = 2_500_000;
const audioBitrate = 320_000;

/**
 * An SFU does not look into video: what holds is the bitrate, so that nobody gains by sending more lines than they
 * were told.
 */
export function mediaBounds(resolution: TargetResolution): MediaBounds {
  const { maxHeight, cameraBitrate } = videoBounds[resolution];
  return { maxHeight, maxBitrate: cameraBitrate + screenBitrate + audioBitrate };
}
