import fc from 'fast-check';
import { inspectH264, isProfileMismatch, KeyframeMeter, LossMeter, type H264Findings } from './stream-health.js';
import { h264Payload, RtpSource } from '../testing/rtp-source.js';

const none: H264Findings = { bFrames: false, pictures: 0 };
const source = (): RtpSource => new RtpSource({ payloadType: 106, ssrc: 1, clockRate: 90_000, packetsPerSecond: 30 });

function negotiated(profile: string) {
  const parameters = { 'profile-level-id': profile };
  return { mimeType: 'video/H264', payloadType: 106, clockRate: 90_000, parameters, rtcpFeedback: [] };
}

describe('an H264 bitstream', () => {
  it('shows its profile in the parameter set, aggregated with the keyframe', () => {
    const findings = inspectH264(source().next(h264Payload('key', '64001f')), none);
    expect(findings).toEqual({ profileLevelID: '64001f', bFrames: false, pictures: 1 });
  });

  it('shows B-frames by their slice type', () => {
    expect(inspectH264(source().next(h264Payload('p')), none).bFrames).toBe(false);
    expect(inspectH264(source().next(h264Payload('b')), none).bFrames).toBe(true);
  });

  it('shows the slice type of a fragmented picture in its first fragment only', () => {
    const fragment = (start: boolean): Buffer => Buffer.from([0x5c, (start ? 0x80 : 0) | 0x01, 0b1010_0000, 0, 0]);
    expect(inspectH264(source().next(fragment(true)), none)).toEqual({ bFrames: true, pictures: 1 });
    expect(inspectH264(source().next(fragment(false)), none)).toEqual(none);
  });

  it('counts a picture of several slices once', () => {
    const [first, second] = [Buffer.from([0x41, 0b1100_0000]), Buffer.from([0x41, 0b0101_1000])].map(slice =>
      source().next(slice),
    ) as [Buffer, Buffer];
    expect(inspectH264(second, inspectH264(first, none))).toEqual({ bFrames: false, pictures: 1 });
  });

  it('survives any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), bytes => inspectH264(Buffer.from(bytes), none).pictures >= 0),
    );
  });

  it.each([
    ['42e01f', '42c01f', false],
    ['42e01f', '42001f', true],
    ['42e01f', '4d001f', true],
    ['4d001f', '42e01f', false],
    ['4d001f', '64001f', true],
    ['64001f', '4d001f', false],
  ])('negotiated as %s and sent as %s: mismatch %s', (wanted, found, mismatch) => {
    expect(isProfileMismatch(negotiated(wanted), found)).toBe(mismatch);
  });
});

describe('keyframe intervals', () => {
  it('are measured between frames, not between packets of one frame', () => {
    const meter = new KeyframeMeter(false);
    meter.onKeyframe(1_000, 1);
    meter.onKeyframe(1_010, 1);
    meter.onKeyframe(3_000, 2);
    expect(meter.intervalSeconds).toBe(2);
    expect(meter.isTooLong(3_500)).toBe(false);
  });

  it('are too long over 4 s where no keyframe can be requested', () => {
    const meter = new KeyframeMeter(false);
    meter.onKeyframe(0, 1);
    expect(meter.isTooLong(4_000)).toBe(false);
    expect(meter.isTooLong(4_100)).toBe(true);
    expect(meter.shouldProbe(4_100)).toBe(false);
  });

  it('may be long where the publisher answers a request', () => {
    const meter = new KeyframeMeter(true);
    meter.onKeyframe(0, 1);
    expect(meter.shouldProbe(4_100)).toBe(true);
    meter.onRequest(4_100);
    expect(meter.isTooLong(4_200)).toBe(false);
    meter.onKeyframe(4_300, 2);
    expect(meter.isTooLong(60_000)).toBe(false);
    expect(meter.shouldProbe(60_000)).toBe(false);
  });

  it('are too long where the publisher leaves a request unanswered', () => {
    const meter = new KeyframeMeter(true);
    meter.onKeyframe(0, 1);
    meter.onRequest(4_100);
    expect(meter.isTooLong(6_200)).toBe(true);
  });
});

describe('loss', () => {
  const lose = (meter: LossMeter, lostEach: number): boolean => {
    for (let i = 0; i < 10; i++) meter.add({ packetCount: i * 100, packetsLost: i * lostEach });
    return meter.isHigh();
  };
  const after = (lostEach: number): boolean => lose(new LossMeter(10), lostEach);

  it('is judged over a full window only', () => {
    expect(lose(new LossMeter(11), 50)).toBe(false);
  });

  it('is high above 5 % of the sent packets', () => {
    expect([after(0), after(4), after(6)]).toEqual([false, false, true]);
  });
});
