import { writeLeb128 } from '@rtms/bitstream';
import fc from 'fast-check';
import { packetizeAv1, packetizeH264, packetizeVp8 } from '../../test/packetize.js';
import type { CodecName } from '@rtms/contracts';
import { createDepacketizer, opusDurationMs } from './depacketizer.js';
import type { DepacketizerOutput } from './frame-assembler.js';

/** Sends frames of payloads through a depacketizer. `lose` names lost packets. */
function through(codec: CodecName, frames: Buffer[][], lose: number[] = []): DepacketizerOutput[] {
  const depacketizer = createDepacketizer(codec, {});
  let index = 0;
  let lostBefore = 0;
  return frames.flatMap((payloads, frame) =>
    payloads.flatMap((payload, i) => {
      if (lose.includes(index++)) {
        lostBefore += 1;
        return [];
      }
      const fields = { payloadType: 96, sequenceNumber: index, ssrc: 1, timestamp: frame * 3000 };
      const packet = { ...fields, marker: i === payloads.length - 1, payload };
      const output = depacketizer.push({ packet, lostBefore, receivedAt: frame * 33 });
      lostBefore = 0;
      return [output];
    }),
  );
}

const framesOf = (outputs: DepacketizerOutput[]) => outputs.flatMap(({ frames }) => frames);

/** 640x360 High by x264, and 1920x1080 Main with cropping. */
const sps = Buffer.from('6764001eacd940a02ff9610000030001000003003c8f162d96', 'hex');
const pps = Buffer.from('68ebecb22c', 'hex');
const idr = (length: number) => Buffer.concat([Buffer.of(0x65, 0x88), Buffer.alloc(length, 0x11)]);
const slice = (length: number) => Buffer.concat([Buffer.of(0x41, 0x9a), Buffer.alloc(length, 0x22)]);
const prefixed = (units: Buffer[]) =>
  Buffer.concat(units.flatMap(unit => [Buffer.from(unit.length.toString(16).padStart(8, '0'), 'hex'), unit]));

describe('H.264', () => {
  it('joins aggregated, whole and fragmented NAL units together', () => {
    const frames = framesOf(through('h264', [packetizeH264([sps, pps, idr(5000)], 2), packetizeH264([slice(3000)])]));
    expect(frames.map(({ keyframe, size }) => [keyframe, size])).toEqual([
      [true, { width: 640, height: 360 }],
      [false, undefined],
    ]);
    expect(frames[0]!.data).toEqual(prefixed([sps, pps, idr(5000)]));
    expect(frames[1]!.data).toEqual(prefixed([slice(3000)]));
    expect(frames[0]!.codecPrivate!.subarray(0, 6)).toEqual(Buffer.of(1, 0x64, 0, 0x1e, 0xff, 0xe1));
  });

  it('uses the parameter sets of the session description if the stream has none', () => {
    const sprop = `${sps.toString('base64')},${pps.toString('base64')}`;
    const depacketizer = createDepacketizer('h264', { 'sprop-parameter-sets': sprop });
    const packet = { payloadType: 96, sequenceNumber: 1, ssrc: 1, timestamp: 0, marker: true, payload: idr(10) };
    expect(depacketizer.push({ packet, lostBefore: 0, receivedAt: 0 }).frames[0]!.size).toEqual({
      width: 640,
      height: 360,
    });
  });

  it('drops a frame with a missing packet, says so, and goes on', () => {
    const frames = [packetizeH264([sps, pps, idr(5000)]), packetizeH264([slice(3000)]), packetizeH264([slice(10)])];
    const lost = frames[0]!.length + 1;
    const outputs = through('h264', frames, [lost]);
    expect(framesOf(outputs).map(({ data }) => data.length)).toHaveLength(2);
    expect(outputs.some(({ damaged }) => damaged)).toBe(true);
  });
});

describe('VP8', () => {
  const key = Buffer.concat([
    Buffer.from('d00300', 'hex'),
    Buffer.from('9d012a80026801', 'hex'),
    Buffer.alloc(3000, 1),
  ]);
  const delta = Buffer.concat([Buffer.of(0x01), Buffer.alloc(2500, 2)]);

  it('joins frames and reads the size at keyframes', () => {
    const frames = framesOf(through('vp8', [packetizeVp8(key), packetizeVp8(delta, 1)]));
    expect(frames.map(({ data, keyframe, size }) => [data.length, keyframe, size])).toEqual([
      [key.length, true, { width: 640, height: 360 }],
      [delta.length, false, undefined],
    ]);
  });

  it('continues with the first whole frame after packet loss', () => {
    const outputs = through('vp8', [packetizeVp8(key), packetizeVp8(delta, 1), packetizeVp8(delta, 2)], [5]);
    expect(framesOf(outputs)).toHaveLength(2);
  });
});

describe('AV1', () => {
  it('restores the packetized temporal unit, delimiters left out', () => {
    const obu = (type: number, payload: Uint8Array) =>
      Buffer.concat([Buffer.of((type << 3) | 2), writeLeb128(payload.length), payload]);
    const payloads = fc.array(fc.uint8Array({ minLength: 1, maxLength: 4000 }), { minLength: 1, maxLength: 4 });
    const reached = { fragments: 0, units: 0, longLengths: 0 };
    fc.assert(
      fc.property(payloads, bodies => {
        const unit = Buffer.concat(bodies.map(body => obu(6, body)));
        const delimiter = Buffer.of(0x12, 0);
        const packets = packetizeAv1(Buffer.concat([delimiter, unit]));
        reached.fragments = Math.max(reached.fragments, packets.filter(packet => packet[0]! & 0x80).length);
        reached.units = Math.max(reached.units, bodies.length);
        if (bodies.slice(0, -1).some(({ length }) => length > 127)) reached.longLengths += 1;
        const frames = framesOf(through('av1', [packets]));
        expect(frames.map(({ data }) => data)).toEqual([unit]);
      }),
      { numRuns: 50 },
    );
    // 4,000 bytes make four packets. Three of them continue the OBU of the packet before.
    expect(reached.fragments).toBe(3);
    expect(reached.units).toBe(4);
    expect(reached.longLengths).toBeGreaterThan(5);
  });
});

describe('Opus', () => {
  it.each([
    ['20 ms CELT', 'fcfffe', 20],
    ['60 ms SILK', '1800', 60],
    ['two of 10 ms', 'f100', 20],
    ['three of 20 ms', 'fb03', 60],
    ['nothing', '', 0],
  ])('has the duration of its first byte: %s', (_name, hex, durationMs) => {
    expect(opusDurationMs(Buffer.from(hex, 'hex'))).toBe(durationMs);
  });
});

describe('every depacketizer', () => {
  it.each(['h264', 'vp8', 'vp9', 'av1', 'opus'] as const)('survives any payload: %s', codec => {
    const payload = fc.uint8Array({ maxLength: 60 }).map(bytes => Buffer.from(bytes));
    const frames = fc.array(fc.array(payload, { minLength: 1, maxLength: 4 }), { maxLength: 6 });
    fc.assert(
      fc.property(frames, fc.array(fc.nat({ max: 20 })), (sent, lose) => void through(codec, sent, lose)),
      {
        numRuns: 500,
      },
    );
  });
});
