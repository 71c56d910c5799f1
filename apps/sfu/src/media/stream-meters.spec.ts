import { ClockMeter, SilenceMeter } from './stream-meters.js';

/** Looks twice a second; `bytes` and `packets` come between two. */
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

  it('takes ten seconds to be found, and is over with the first sound', () => {
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

  it('is not seen in one pause, in which the timestamps stood still', () => {
    const meter = new ClockMeter(1000);
    for (let second = 0; second <= 4; second++) meter.add(second * 1000, second * 1000);
    for (let second = 7; second <= 9; second++) meter.add(second * 1000, second * 1000 - 3000);
    expect(meter.isDrifting()).toBe(false);
  });

  it('is taken back once the clock has gone right for a while', () => {
    const meter = new ClockMeter(1000);
    for (let second = 0; second <= 10; second++) meter.add(second * 1000, second * 500);
    expect(meter.isDrifting()).toBe(true);
    for (let second = 11; second <= 21; second++) meter.add(second * 1000, 5000 + (second - 10) * 1000);
    expect(meter.isDrifting()).toBe(false);
  });
});
