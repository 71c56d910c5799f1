import { clockBlocks, encodeTime } from './clock-code.mjs';

/** Size of the drawn clock in pixels. FFmpeg scales it to the width of the picture. */
export const clockSize = { width: 2 * clockBlocks, height: 14 };
/** These rows hold the code, the rest the time of day. At 16:9 they cover `clockShare` of the picture. */
const codeRows = 7;
const digitsAt = { x: 8, y: 8 };
const white = 255;

/** Rows of each character, three bits a row. @type {Readonly<Record<string, readonly number[]>>} */
const font = {
  0: [7, 5, 5, 5, 7],
  1: [2, 6, 2, 2, 7],
  2: [7, 1, 7, 4, 7],
  3: [7, 1, 7, 1, 7],
  4: [5, 5, 7, 1, 1],
  5: [7, 4, 7, 1, 7],
  6: [7, 4, 7, 5, 7],
  7: [7, 1, 1, 1, 1],
  8: [7, 5, 7, 5, 7],
  9: [7, 5, 7, 1, 7],
  ':': [0, 2, 0, 2, 0],
  '.': [0, 0, 0, 0, 2],
};

/** One frame of 8-bit grey: the code of the time, and the time of day to the millisecond. @param {Date} time */
export function drawClock(time) {
  const { width, height } = clockSize;
  const frame = Buffer.alloc(width * height);
  for (const [block, isWhite] of encodeTime(time.getTime()).entries()) {
    if (!isWhite) continue;
    for (let row = 0; row < codeRows; row++) frame.fill(white, row * width + 2 * block, row * width + 2 * block + 2);
  }
  for (const [index, character] of [...timeOfDay(time)].entries()) {
    const start = digitsAt.y * width + digitsAt.x + 4 * index;
    for (const [pixel, isSet] of (font[character] ?? []).flatMap(bits => [4, 2, 1].map(bit => bits & bit)).entries()) {
      if (isSet) frame[start + Math.floor(pixel / 3) * width + (pixel % 3)] = white;
    }
  }
  return frame;
}

/** `14:03:59.123`, in this machine's time zone. @param {Date} time */
function timeOfDay(time) {
  const parts = [time.getHours(), time.getMinutes(), time.getSeconds()].map(part => String(part).padStart(2, '0'));
  return `${parts.join(':')}.${String(time.getMilliseconds()).padStart(3, '0')}`;
}

/** Frames that an encoder may be behind, before the clock leaves frames out. */
const greatestBacklog = 30;

/**
 * Writes a frame of the clock for each frame of the picture, until the returned function is called.
 * @param {import('node:stream').Writable} encoder its standard input
 * @param {number} frameRate
 */
export function runClock(encoder, frameRate) {
  // The encoder can end while a frame is being written. Its exit is reported elsewhere.
  encoder.on('error', () => undefined);
  let since = performance.now();
  let written = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - since) * frameRate) / 1000);
    const isStuck = encoder.writableLength > greatestBacklog * clockSize.width * clockSize.height;
    if (isStuck) since += ((due - written) * 1000) / frameRate;
    else for (; written < due; written++) encoder.write(drawClock(new Date()));
  }, 500 / frameRate);
  return () => clearInterval(timer);
}
