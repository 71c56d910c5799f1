import { clockBlocks, clockShare, encodeTime } from '../../tools/rtms/clock-code.mjs';

/** Draws the time of the page's clock as a row of black and white blocks. */
export function drawClock(context: CanvasRenderingContext2D, now: number): void {
  const { width, height } = context.canvas;
  for (const [index, isWhite] of encodeTime(now).entries()) {
    context.fillStyle = isWhite ? '#fff' : '#000';
    context.fillRect((index * width) / clockBlocks, 0, Math.ceil(width / clockBlocks), height * clockShare);
  }
}
