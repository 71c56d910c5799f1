import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { cutToFragments, endOfFragments, parseMovieHeader, readBoxes, secondsOfFragments } from './mp4-file.js';

function box(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

const fragment = Buffer.concat([box('moof', Buffer.alloc(10)), box('mdat', Buffer.alloc(50))]);
const begin = Buffer.concat([box('ftyp', Buffer.alloc(8)), box('moov', Buffer.alloc(20))]);

describe('an unfinished file', () => {
  let directory: string;
  let path: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'rtms-mp4-'));
    path = join(directory, 'part.mp4');
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it.each([
    ['whole fragments', Buffer.concat([begin, fragment, fragment]), 2],
    ['half a sample', Buffer.concat([begin, fragment, fragment.subarray(0, 60)]), 1],
    ['a header of a fragment alone', Buffer.concat([begin, fragment, fragment.subarray(0, 18)]), 1],
    ['half a box header', Buffer.concat([begin, fragment, fragment.subarray(0, 5)]), 1],
  ])('is cut after its last whole fragment: %s', async (_case, bytes, fragments) => {
    await writeFile(path, bytes);
    expect(await cutToFragments(path)).toBe(true);
    expect(await readFile(path)).toEqual(bytes.subarray(0, begin.length + fragments * fragment.length));
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a header alone', begin],
    ['a fragment without a header', fragment],
    ['half a header', begin.subarray(0, 20)],
  ])('has no fragment: %s', async (_case, bytes) => {
    await writeFile(path, bytes);
    expect(await cutToFragments(path)).toBe(false);
  });

  it('has a length: that of its longest track', async () => {
    const words = (...numbers: number[]) => {
      const bytes = Buffer.alloc(numbers.length * 4);
      numbers.forEach((number, i) => bytes.writeUInt32BE(number, i * 4));
      return bytes;
    };
    const track = (id: number, timescale: number) => {
      const header = box('tkhd', words(0, 0, 0, id));
      return box('trak', Buffer.concat([header, box('mdia', box('mdhd', words(0, 0, 0, timescale)))]));
    };
    const usual = box('mvex', box('trex', words(0, 2, 1, 960)));
    const moov = box('moov', Buffer.concat([track(1, 90_000), track(2, 48_000), usual]));
    // Of each track: a run with a duration for each sample, and a run without.
    const video = (from: number) =>
      box(
        'traf',
        Buffer.concat([
          ...[box('tfhd', words(0x28, 1, 4_500, 0)), box('tfdt', words(0, from))],
          ...[box('trun', words(0x305, 2, 0, 0, 3_000, 9, 6_000, 9)), box('trun', words(0, 1))],
        ]),
      );
    const audio = (from: number) =>
      box('traf', Buffer.concat([box('tfhd', words(0, 2)), box('tfdt', words(0, from)), box('trun', words(0, 50))]));
    const moof = (...tracks: Buffer[]) => Buffer.concat([box('moof', Buffer.concat(tracks)), box('mdat', words(1))]);
    await writeFile(path, Buffer.concat([moov, moof(video(0), audio(0)), moof(audio(48_000)), moof(video(90_000))]));
    expect(await secondsOfFragments(path)).toBe(2);
    await writeFile(path, Buffer.concat([moov, moof(audio(0)), moof(video(90_000))]));
    expect(await secondsOfFragments(path)).toBe(1.15);
  });

  it('never exceeds the file, whatever is in it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async bytes => {
        await writeFile(path, Buffer.concat([begin, bytes]));
        const file = await open(path, 'r');
        const boxes = await readBoxes(file);
        await file.close();
        expect(endOfFragments(boxes) ?? 0).toBeLessThanOrEqual(begin.length + bytes.length);
      }),
      { numRuns: 50 },
    );
  });
});

describe('parseMovieHeader', () => {
  const mvhd0 = Buffer.alloc(100);
  mvhd0.writeUInt32BE(1000, 12);
  mvhd0.writeUInt32BE(12_500, 16);
  const mvhd1 = Buffer.alloc(112);
  mvhd1.writeUInt8(1, 0);
  mvhd1.writeUInt32BE(90_000, 20);
  mvhd1.writeBigUInt64BE(90_000n * 7200n, 24);
  const track = (width: number, height: number) => {
    const tkhd = Buffer.alloc(84);
    tkhd.writeUInt32BE(width * 65_536, 76);
    tkhd.writeUInt32BE(height * 65_536, 80);
    return box('trak', box('tkhd', tkhd));
  };

  it.each([
    ['12.5 s and a picture', [box('mvhd', mvhd0), track(0, 0), track(1280, 720)], 12.5, { width: 1280, height: 720 }],
    ['times of 64 bits and no picture', [box('mvhd', mvhd1), track(0, 0)], 7200, undefined],
  ])('reads %s', (_case, boxes, durationSeconds, size) => {
    expect(parseMovieHeader(Buffer.concat(boxes))).toEqual({ durationSeconds, ...(size && { size }) });
  });

  it('throws without a header', () => {
    expect(() => parseMovieHeader(track(1, 1))).toThrow('mvhd');
  });
});
