/**
 * A time as a row of black and white blocks, for a camera or a program to read: 24 bits of the time in ms, which hold 4.6
 * hours, then 8 bits of a check sum.
 */
const timeBits = 24;
const checkBits = 8;
export const clockBlocks = timeBits + checkBits;
const range = 2 ** timeBits;

/** The code covers this part of the picture's height, from the top, over the whole width. */
export const clockShare = 0.2;

/** The colours of the blocks from left to right; true is white. @param {number} ms @returns {boolean[]} */
export function encodeTime(ms) {
  const time = Math.round(ms) % range;
  return [...toBits(time, timeBits), ...toBits(checkSum(time), checkBits)];
}

/**
 * The milliseconds since the time that the blocks show, as long as they are less than 4.6 hours. Undefined when the check
 * sum is wrong: the picture has no clock, or the encoder blurred it.
 * @param {readonly boolean[]} blocks
 * @param {number} now in ms, by the clock that was encoded
 */
export function ageOf(blocks, now) {
  const time = fromBits(blocks.slice(0, timeBits));
  if (blocks.length !== clockBlocks || fromBits(blocks.slice(timeBits)) !== checkSum(time)) return undefined;
  return (((Math.round(now) - time) % range) + range) % range;
}

/** Never that of a picture that is all black or all white. @param {number} time */
function checkSum(time) {
  return ((time & 0xff) + ((time >> 8) & 0xff) * 3 + ((time >> 16) & 0xff) * 7 + 0xa5) & 0xff;
}

/** @param {number} value @param {number} count */
function toBits(value, count) {
  return Array.from({ length: count }, (_, index) => ((value >> (count - 1 - index)) & 1) === 1);
}

/** @param {readonly boolean[]} bits */
function fromBits(bits) {
  return bits.reduce((value, bit) => value * 2 + Number(bit), 0);
}
