import { ageOf, clockBlocks, encodeTime } from './clock-code.mjs';
import { clockSize, drawClock } from './clock-picture.mjs';

/** Reads the code as a player's page does: from one row, in the middle of each block. */
function blocksIn(frame: Buffer): boolean[] {
  const row = 3 * clockSize.width;
  return Array.from({ length: clockBlocks }, (_, block) => (frame[row + 2 * block] ?? 0) > 127);
}

describe('the clock in the test picture', () => {
  const time = new Date(2026, 10, 23, 14, 3, 59, 123);

  it('tells its age', () => {
    expect(ageOf(blocksIn(drawClock(time)), time.getTime() + 240)).toBe(240);
  });

  it('tells its age after its counter began again', () => {
    const last = 2 ** 24 - 1;
    expect(ageOf(encodeTime(last), last + 40)).toBe(40);
  });

  it.each([true, false])('is not read from a picture of one colour (white: %s)', white => {
    expect(ageOf(Array<boolean>(clockBlocks).fill(white), 0)).toBeUndefined();
  });

  it('is not read when a block is wrong', () => {
    for (let wrong = 0; wrong < clockBlocks; wrong++) {
      const blocks = encodeTime(1_234_567).map((white, index) => (index === wrong ? !white : white));
      expect(ageOf(blocks, 1_234_567)).toBeUndefined();
    }
  });

  it('shows the time of day below the code', () => {
    const frame = drawClock(time);
    const rows = [8, 9, 10, 11, 12].map(row =>
      Array.from({ length: 48 }, (_, at) => (frame[row * clockSize.width + 8 + at] ? '#' : ' ')).join(''),
    );
    expect(rows.map(row => row.trimEnd())).toEqual([
      ' #  # #     ### ###     ### ###      #  ### ###',
      '##  # #  #  # #   #  #  #   # #     ##    #   #',
      ' #  ###     # # ###     ### ###      #  ### ###',
      ' #    #  #  # #   #  #    #   #      #  #     #',
      '###   #     ### ###     ### ###  #  ### ### ###',
    ]);
  });
});
