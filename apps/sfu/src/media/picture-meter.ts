import type { PictureSize } from '@rtms/bitstream';
import { pictureSizeIn } from './picture-size.js';

/** Size and rate of a stream's pictures; null: not known. */
export interface Picture {
  width: number | null;
  height: number | null;
  frameRate: number | null;
}

export const unknownPicture: Picture = { width: null, height: null, frameRate: null };

/** Looks at the packets of one stream for a while. */
export class PictureMeter {
  private readonly timestamps = new Set<number>();
  private size: PictureSize | undefined;
  private since: number | undefined;

  constructor(private readonly mimeType: string) {}

  add(packet: Buffer, at: number): void {
    if (packet.length < 12) return;
    this.since ??= at;
    // Packets of one picture share their timestamp.
    this.timestamps.add(packet.readUInt32BE(4));
    this.size = pictureSizeIn(this.mimeType, packet) ?? this.size;
  }

  /** `former` gives the size where this look saw none: a stream shows its size only now and then. */
  picture(until: number, former: Picture = unknownPicture): Picture {
    const seconds = (until - (this.since ?? until)) / 1000;
    // The first picture began with the look, the others came within it.
    const frameRate = seconds > 0 ? Math.round(((this.timestamps.size - 1) / seconds) * 10) / 10 : null;
    const { width, height } = this.size ?? former;
    return { width, height, frameRate };
  }
}
