import fc from 'fast-check';
import {
  type H264Payload,
  nalTypes,
  nalUnitStarts,
  nalUnitType,
  parseH264Payload,
  parseSliceStart,
  parseSpsSize,
  startsPicture,
} from './h264.js';

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
const sps = bytes('6764001eacd940a02ff9610000030001000003003c8f162d96');

describe('parseH264Payload', () => {
  it.each([
    ['a whole unit', '419a22', { units: [bytes('419a22')] }],
    ['units that share a payload, without empty ones', '780002419a0000000168', { units: [bytes('419a'), bytes('68')] }],
    ['a first fragment', '5c819a22', { fragment: bytes('9a22'), header: 0x41, first: true, last: false }],
    ['a last fragment', '5c419a22', { fragment: bytes('9a22'), header: 0x41, first: false, last: true }],
  ])('reads %s', (_case, hex, part) => {
    expect(parseH264Payload(bytes(hex))).toEqual(part);
  });

  it.each([
    ['nothing', ''],
    ['a reserved type', '609a22'],
    ['a structure of the interleaved mode', '7900000002419a'],
    ['an empty fragment', '5c81'],
    ['an aggregate whose last unit is cut short', '780002419a000368'],
    ['an aggregate whose last size is cut short', '780002419a00'],
  ])('refuses %s', (_case, hex) => {
    expect(parseH264Payload(bytes(hex))).toBeUndefined();
  });
});

describe('nalUnitStarts', () => {
  const starts = (hex: string): Buffer[] => nalUnitStarts(parseH264Payload(bytes(hex))!);

  it('has the header and the beginning of a fragmented unit, and no later part of it', () => {
    expect(starts('5c819a22')).toEqual([bytes('419a22')]);
    expect(starts('5c019a22')).toEqual([]);
  });
});

describe('a slice', () => {
  it.each([
    ['a P slice that begins a picture', '41c0', { beginsPicture: true, isB: false }],
    ['a B slice that begins a picture', '41a0', { beginsPicture: true, isB: true }],
    ['a later slice of a picture', '4158', { beginsPicture: false, isB: false }],
    ['a slice that ends before its type', '4180', { beginsPicture: true, isB: false }],
    ['a slice that is cut short', '41', { beginsPicture: false, isB: false }],
    ['no slice', '67c0', undefined],
  ])('is read: %s', (_case, hex, slice) => {
    expect(parseSliceStart(bytes(hex))).toEqual(slice);
  });

  it('begins a picture when its first macroblock is 0, as units before the first slice do', () => {
    const units = ['41c0', '4158', '6588', '6742', '68ce', '0605', '0910', '', '0c00'];
    const flags = [true, false, true, true, true, true, true, false, false];
    expect(units.map(unit => startsPicture(bytes(unit)))).toEqual(flags);
  });
});

describe('parseSpsSize', () => {
  it('reads the size of an SPS, and nothing from other bytes', () => {
    expect(parseSpsSize(sps)).toEqual({ width: 640, height: 360 });
    expect(parseSpsSize(bytes('67'))).toBeUndefined();
  });

  it('reads nothing from an SPS that ends before its size does', () => {
    const size = parseSpsSize(sps);
    const sizes = Array.from({ length: sps.length }, (_, length) => parseSpsSize(sps.subarray(0, length)));
    const complete = sizes.findIndex(found => found !== undefined);
    expect(complete).toBeGreaterThan(7);
    expect(sizes.slice(complete)).toEqual(sizes.slice(complete).map(() => size));
  });
});

describe('the readers of H.264', () => {
  it('survive any bytes', () => {
    const starts = fc.constantFrom('', '67640028', '7800056764001e', '7c876400', '41', '5c81').map(bytes);
    fc.assert(
      fc.property(starts, fc.uint8Array({ maxLength: 60 }), (start, tail) => {
        const any = Buffer.concat([start, tail]);
        const part: H264Payload = parseH264Payload(any) ?? { units: [any] };
        return nalUnitStarts(part).every(unit => {
          parseSliceStart(unit);
          startsPicture(unit);
          const size = nalUnitType(unit) === nalTypes.sps ? parseSpsSize(unit) : undefined;
          return size === undefined || (size.width > 0 && size.height > 0);
        });
      }),
      { numRuns: 1_000 },
    );
  });
});
