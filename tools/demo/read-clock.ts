import { ageOf, clockBlocks, clockShare } from '../rtms/clock-code.mjs';

/** A few pixels of each block, whatever the picture's size. */
const blockPixels = 8;
const reader = Object.assign(document.createElement('canvas'), { width: clockBlocks * blockPixels, height: 4 });
const context = reader.getContext('2d', { willReadFrequently: true });

/** How old the picture that an element shows is, in ms; undefined when its clock cannot be read. */
export function ageOfPicture(video: HTMLVideoElement, now: number): number | undefined {
  if (!context || video.videoWidth === 0) return undefined;
  // From the middle of the row: the encoder may blur its edges.
  const [top, lines] = [video.videoHeight * clockShare * 0.35, video.videoHeight * clockShare * 0.3];
  context.drawImage(video, 0, top, video.videoWidth, lines, 0, 0, reader.width, reader.height);
  const { data } = context.getImageData(0, reader.height / 2, reader.width, 1);
  const blocks = Array.from({ length: clockBlocks }, (_, index) => (data[(index + 0.5) * blockPixels * 4] ?? 0) > 127);
  return ageOf(blocks, now);
}
