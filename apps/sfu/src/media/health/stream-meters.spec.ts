import fc from 'fast-check';
import { ClockMeter, PictureMeter, SilenceMeter, StallMeter, unknownPicture } from './stream-meters.js';

/** Two samples a second; `bytes` and `packets` arrive between two samples. */
function listen(
  meter: SilenceMeter,
  from: number,
  seconds: number,
  packets: number,
  bytes: number,
  start = [0, 0],
): void {
  const [packetCount = 0, byteCount = 0] = start;
  for (let look = 0; look <= seconds * 2; look++)
    meter.add({
      at: from + look * 500,
      packetCount: packetCount + look * packets,
      byteCount: byteCount + look * bytes,
    });
}

describe('silence of an audio track', () => {
  it.each([
    ['packets of silence', false, 25, 25 * 15, true],
    ['packets of silence with header extensions', true, 25, 25 * 30, true],
    ['no packets', false, 0, 0, true],
    ['sound', false, 25, 25 * 90, false],
    ['sound with header extensions', true, 25, 25 * 100, false],
  ])('is found by %s', (_case, hasExtensions, packets, bytes, silent) => {
    const meter = new SilenceMeter(hasExtensions);
    listen(meter, 0, 10, packets, bytes);
    expect(meter.isSilent()).toBe(silent);
  });

  it('is reported after ten seconds, and ends with the first sound', () => {
    const meter = new SilenceMeter(false);
    listen(meter, 0, 9, 25, 25 * 15);
    expect(meter.isSilent()).toBe(false);
    listen(meter, 9_500, 1, 25, 25 * 15, [475, 7125]);
    expect(meter.isSilent()).toBe(true);
    meter.add({ at: 11_000, packetCount: 550, byteCount: 15_000 });
    expect(meter.isSilent()).toBe(false);
  });
});

describe('silence of an audio track whose publisher sends levels', () => {
  const hear = (dBov: (second: number) => number | undefined, bytes: number): boolean => {
    const meter = new SilenceMeter(true);
    for (let second = 0; second <= 12; second++) {
      const level = dBov(second);
      if (level !== undefined) meter.addLevel(second * 1000, level);
      meter.add({ at: second * 1000, packetCount: second * 50, byteCount: second * 50 * bytes });
    }
    return meter.isSilent();
  };

  it.each([
    ['full packets of silence', () => -127, 160, true],
    ['a quiet room', () => -80, 160, false],
    ['small packets of something to hear', () => -60, 25, false],
    ['one sound within ten seconds', (second: number) => (second === 5 ? -30 : -127), 160, false],
    ['one sound more than ten seconds ago', (second: number) => (second === 1 ? -30 : -127), 160, true],
    ['levels that are not sent any more, and sound', (second: number) => (second === 0 ? -127 : undefined), 160, false],
  ])('is judged by them: %s', (_case, dBov, bytes, silent) => {
    expect(hear(dBov, bytes)).toBe(silent);
  });
});

describe('drift of a stream’s clock', () => {
  it.each([
    ['the right speed', 90_000, false],
    ['a little off', 90_500, false],
    ['half the speed', 45_000, true],
    ['a tenth too fast', 99_000, true],
    ['standing still', 0, true],
  ])('is judged for %s', (_case, speed, drifts) => {
    const meter = new ClockMeter(90_000);
    for (let second = 0; second <= 6; second++) meter.add(second * 1000, (4_294_967_000 + second * speed) % 2 ** 32);
    expect(meter.isDrifting()).toBe(drifts);
  });

  it('is not reported for one pause of the timestamps', () => {
    const meter = new ClockMeter(1000);
    for (let second = 0; second <= 4; second++) meter.add(second * 1000, second * 1000);
    for (let second = 7; second <= 9; second++) meter.add(second * 1000, second * 1000 - 3000);
    expect(meter.isDrifting()).toBe(false);
  });

  it('is cleared once the clock has been right for a while', () => {
    const meter = new ClockMeter(1000);
    for (let second = 0; second <= 10; second++) meter.add(second * 1000, second * 500);
    expect(meter.isDrifting()).toBe(true);
    for (let second = 11; second <= 21; second++) meter.add(second * 1000, 5000 + (second - 10) * 1000);
    expect(meter.isDrifting()).toBe(false);
  });
});

const packetOf = (timestamp: number, payload = [0x00, 0x01]): Buffer => {
  const header = Buffer.from([0x80, 0x60, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2]);
  header.writeUInt32BE(timestamp, 4);
  return Buffer.concat([header, Buffer.from(payload)]);
};
const keyframe = [0x10, 0x00, 0, 0, 0x9d, 0x01, 0x2a, 0x80, 0x02, 0x68, 0x01];

describe('the measured pictures of a video stream', () => {
  it('have a rate in pictures, not in packets', () => {
    const meter = new PictureMeter('video/VP9');
    for (let picture = 0; picture < 25; picture++) {
      for (let part = 0; part < 3; part++) meter.add(packetOf(picture * 3600), 1_000 + picture * 40);
    }
    expect(meter.picture(1_960)).toEqual({ width: null, height: null, frameRate: 25 });
  });

  it('have the size of the newest keyframe', () => {
    const meter = new PictureMeter('video/VP8');
    meter.add(packetOf(0, keyframe), 0);
    meter.add(packetOf(3000), 33);
    expect(meter.picture(1000)).toMatchObject({ width: 640, height: 360 });
  });

  it('have the size of the largest VP9 layer', () => {
    const meter = new PictureMeter('video/VP9');
    const structure = [0x30, 0x02, 0x80, 0x01, 0x68, 0x05, 0x00, 0x02, 0xd0];
    const frame = [0x82, 0x49, 0x83, 0x42, 0x00, 0x27, 0xf0, 0x16, 0x70, 0x00];
    meter.add(packetOf(0, [0x0a, ...structure, ...frame]), 0);
    meter.add(packetOf(0, [0x48, 0x86, 0x00]), 0);
    expect(meter.picture(1000)).toMatchObject({ width: 1280, height: 720 });
  });

  it('keep the former size without a keyframe', () => {
    const meter = new PictureMeter('video/VP8');
    meter.add(packetOf(0), 0);
    const former = { width: 320, height: 180, frameRate: 30 };
    expect(meter.picture(1000, former)).toEqual({ width: 320, height: 180, frameRate: 0 });
  });

  it('are unknown for a stream without packets', () => {
    expect(new PictureMeter('video/VP8').picture(1000)).toEqual(unknownPicture);
  });

  it.each(['video/H264', 'video/VP8', 'video/VP9', 'video/AV1', 'video/none'])('survives any packet: %s', codec => {
    const starts = fc.constantFrom([], [0x80, 0x60], [...packetOf(0, [0x10])]);
    fc.assert(
      fc.property(starts, fc.uint8Array({ maxLength: 40 }), (start, any) =>
        new PictureMeter(codec).add(Buffer.from([...start, ...any]), 0),
      ),
      { numRuns: 500 },
    );
  });
});

describe('the gaps of a stream', () => {
  it('count from 2 s on, also while one lasts, and never before the first packet', () => {
    const stalls = new StallMeter();
    expect(stalls.totalUntil(9_000)).toBe(0);
    for (const at of [10_000, 11_000, 12_900]) stalls.note(at);
    expect(stalls.totalUntil(14_800)).toBe(0);
    expect(stalls.totalUntil(14_900)).toBe(2_000);
    stalls.note(15_500);
    expect(stalls.totalUntil(17_000)).toBe(2_600);
  });

  it('do not count for a still screen, whose pictures come once a second, with a sweep each half', () => {
    const stalls = new StallMeter();
    for (let at = 0; at < 30_000; at += 1_520) stalls.note(at);
    expect(stalls.totalUntil(30_000)).toBe(0);
  });

  it('do not count while the track is paused', () => {
    const stalls = new StallMeter();
    stalls.note(1_000);
    stalls.forgive(9_000);
    expect(stalls.totalUntil(10_000)).toBe(0);
  });
});
