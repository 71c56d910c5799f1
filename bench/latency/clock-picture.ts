/** Milliseconds that 24 bits hold: 4.6 hours. */
const range = 2 ** 24;
const dataBits = 24;
const checkBits = 8;
const blocks = dataBits + checkBits;
/** The upper part of the picture has the code, over its whole width. */
const codeShare = 0.2;
/** The code as it is read: a few pixels of each block, whatever the picture's size. */
const blockPixels = 8;

/** Draws the time of the page's clock as a row of black and white blocks, with a check sum behind it. */
export function drawClock(context: CanvasRenderingContext2D, now: number): void {
  const { width, height } = context.canvas;
  const word = encode(now);
  for (let index = 0; index < blocks; index++) {
    context.fillStyle = word[index] ? '#fff' : '#000';
    context.fillRect((index * width) / blocks, 0, Math.ceil(width / blocks), height * codeShare);
  }
}

const reader = Object.assign(document.createElement('canvas'), { width: blocks * blockPixels, height: 4 });
const readerContext = reader.getContext('2d', { willReadFrequently: true });

/** How old the picture that an element shows is, in ms; undefined when its code cannot be read. */
export function ageOfPicture(video: HTMLVideoElement, now: number): number | undefined {
  if (!readerContext || video.videoWidth === 0) return undefined;
  // From the middle of the row: the encoder may blur its edges.
  const [top, lines] = [video.videoHeight * codeShare * 0.35, video.videoHeight * codeShare * 0.3];
  readerContext.drawImage(video, 0, top, video.videoWidth, lines, 0, 0, reader.width, reader.height);
  const { data } = readerContext.getImageData(0, reader.height / 2, reader.width, 1);
  const bits = Array.from({ length: blocks }, (_, index) => (data[(index + 0.5) * blockPixels * 4] ?? 0) > 127);
  const time = decode(bits);
  return time === undefined ? undefined : (((Math.round(now) - time) % range) + range) % range;
}

function encode(now: number): boolean[] {
  const time = Math.round(now) % range;
  return [...toBits(time, dataBits), ...toBits(checkSum(time), checkBits)];
}

function decode(bits: readonly boolean[]): number | undefined {
  const time = fromBits(bits.slice(0, dataBits));
  return fromBits(bits.slice(dataBits)) === checkSum(time) ? time : undefined;
}

/** Never the same as the data of a picture that is all black or all white. */
function checkSum(time: number): number {
  return ((time & 0xff) + ((time >> 8) & 0xff) * 3 + ((time >> 16) & 0xff) * 7 + 0xa5) & 0xff;
}

function toBits(value: number, count: number): boolean[] {
  return Array.from({ length: count }, (_, index) => ((value >> (count - 1 - index)) & 1) === 1);
}

function fromBits(bits: readonly boolean[]): number {
  return bits.reduce((value, bit) => value * 2 + Number(bit), 0);
}
