import { parseRtpPacket, type RtpPacket } from '@rtms/bitstream';
import type { MediaKind } from '@rtms/contracts';
import fc from 'fast-check';
import { rtpDatagram, senderReport } from '../../test/packetize.js';
import { ReorderingBuffer } from './reordering-buffer.js';
import { parseSenderReports, Timeline } from './timeline.js';
import { Unwrapper } from './unwrap.js';

function packet(sequenceNumber: number): RtpPacket {
  const fields = { payloadType: 96, sequenceNumber, timestamp: sequenceNumber * 10, ssrc: 7, marker: false };
  return parseRtpPacket(rtpDatagram(fields, Buffer.of(1)))!;
}

describe('parseSenderReports', () => {
  it('reads the time of each report in a compound packet', () => {
    const receiverReport = Buffer.from('80c9000100000007', 'hex');
    const compound = Buffer.concat([receiverReport, senderReport(7, 1_700_000_000_500, 90_000)]);
    expect(parseSenderReports(compound)).toEqual([{ ssrc: 7, ntpTimeMs: 1_700_000_000_500, rtpTimestamp: 90_000 }]);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), bytes => void parseSenderReports(Buffer.from(bytes))));
  });
});

describe('Unwrapper', () => {
  it('continues after the counter wraps, and back for what is late', () => {
    const unwrapper = new Unwrapper(16);
    expect([65_534, 65_535, 1, 0, 65_533].map(value => unwrapper.unwrap(value))).toEqual([
      65_534, 65_535, 65_537, 65_536, 65_533,
    ]);
  });
});

describe('ReorderingBuffer', () => {
  const numbers = (released: { packet: RtpPacket }[]) =>
    released.map(({ packet: { sequenceNumber } }) => sequenceNumber);

  it('returns packets in order, once', () => {
    const delays = fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 200 });
    const start = fc.oneof(fc.nat({ max: 65_535 }), fc.integer({ min: 65_400, max: 65_535 }));
    const reached = { packets: 0, wraps: 0, late: 0 };
    fc.assert(
      fc.property(delays, start, (jitter, first) => {
        const sent = jitter.map((delay, i) => ({ at: i + delay, sent: i, number: (first + i) & 0xffff }));
        const [head, ...rest] = sent;
        const arriving = [head!, ...rest.sort((a, b) => a.at - b.at), head!];
        const buffer = new ReorderingBuffer({ delayMs: 1000, packets: 1000 });
        reached.packets = Math.max(reached.packets, jitter.length);
        if (first + jitter.length > 65_536) reached.wraps += 1;
        reached.late += arriving.filter(({ sent }, i) => i > 0 && sent < arriving[i - 1]!.sent).length;
        const released = arriving.flatMap(({ number }) => buffer.push(packet(number), 0));
        expect(numbers(released)).toEqual(jitter.map((_, i) => (first + i) & 0xffff));
        expect(released.every(({ lostBefore }) => lostBefore === 0)).toBe(true);
      }),
    );
    expect(reached.packets).toBeGreaterThan(100);
    expect(reached.wraps).toBeGreaterThan(5);
    expect(reached.late).toBeGreaterThan(100);
  });

  it('skips a missing packet after the delay, and counts it', () => {
    const buffer = new ReorderingBuffer({ delayMs: 100, packets: 100 });
    expect(numbers(buffer.push(packet(1), 0))).toEqual([1]);
    expect(buffer.push(packet(4), 10)).toEqual([]);
    expect(buffer.hasWaiting).toBe(true);
    expect(buffer.release(109)).toEqual([]);
    expect(buffer.release(110)).toMatchObject([{ lostBefore: 2, receivedAt: 10 }]);
    expect(buffer.push(packet(2), 120)).toEqual([]);
    expect(numbers(buffer.push(packet(5), 130))).toEqual([5]);
  });

  it('holds at most its limit of packets', () => {
    const buffer = new ReorderingBuffer({ delayMs: 1e9, packets: 3 });
    buffer.push(packet(1), 0);
    expect(numbers([3, 4, 5, 6].flatMap(number => buffer.push(packet(number), 0)))).toEqual([3, 4, 5, 6]);
  });

  it('treats a far jump as a restart of the sender', () => {
    const buffer = new ReorderingBuffer({ delayMs: 100, packets: 100 });
    buffer.push(packet(50_000), 0);
    expect(buffer.push(packet(10_000), 1)).toMatchObject([{ lostBefore: 1 }]);
    expect(numbers(buffer.push(packet(10_001), 2))).toEqual([10_001]);
  });
});

describe('Timeline', () => {
  let timeline: Timeline;
  beforeEach(() => {
    timeline = new Timeline();
    timeline.addTrack('video', 90_000);
    timeline.addTrack('audio', 48_000);
  });

  /** The timestamps of each track begin anywhere. */
  const first = { audio: 7_000, video: 3_000 };

  /** Packets of a publisher by media time (ms). Audio has 50 a second. Returns how much later each audio packet is dated than its video. */
  const errorsOf = (pictures: (mediaMs: number) => boolean, lateMs: (kind: MediaKind, mediaMs: number) => number) => {
    const errors: { mediaMs: number; error: number }[] = [];
    let video: number | undefined;
    for (let mediaMs = 0; mediaMs < 12_000; mediaMs += 20) {
      const timeOf = (kind: MediaKind, clockRate: number) =>
        timeline.timeOf(
          kind,
          ((mediaMs + first[kind]) * clockRate) / 1000,
          1_000_000 + mediaMs + lateMs(kind, mediaMs),
        ) - mediaMs;
      if (pictures(mediaMs)) video = timeOf('video', 90_000);
      const audio = timeOf('audio', 48_000);
      if (video !== undefined) errors.push({ mediaMs, error: Math.abs(audio - video) });
    }
    return errors;
  };

  const report = (kind: MediaKind, mediaMs: number, delayMs: number): void => {
    const rtpTimestamp = (mediaMs + first[kind]) * (kind === 'audio' ? 48 : 90);
    timeline.onSenderReport(kind, { ssrc: 1, ntpTimeMs: 1_000_000 + mediaMs + delayMs, rtpTimestamp });
  };

  it('keeps audio with video when the publisher’s delay grows before and after the first picture', () => {
    const delay = (mediaMs: number): number => (mediaMs < 300 ? 0 : mediaMs < 1_400 ? 186 : 241);
    const errors = errorsOf(
      mediaMs => mediaMs >= 1_000 && (mediaMs % 1_000 < 200 ? mediaMs % 40 === 0 : mediaMs % 200 === 0),
      (kind, mediaMs) => {
        // An SFU reports the arrival of the latest packet. The audio's first report is from before the delay grew.
        if (mediaMs % 1_200 === 480) report(kind, mediaMs, delay(mediaMs));
        return delay(mediaMs);
      },
    );
    expect(Math.max(...errors.map(({ error }) => error))).toBeLessThan(10);
  });

  it('keeps audio with video on a busy machine, where most packets are late', () => {
    let seed = 7;
    const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    const delay = (mediaMs: number): number => 150 + 150 * Math.sin(mediaMs / 3_000);
    const errors = errorsOf(
      mediaMs => mediaMs % 100 === 0,
      (_, mediaMs) => delay(mediaMs) + random() * 80,
    );
    const settled = errors.filter(({ mediaMs }) => mediaMs > 3_000).map(({ error }) => error);
    expect(Math.max(...settled)).toBeLessThan(20);
  });

  it('aligns audio that begins late within a second', () => {
    const errors = errorsOf(
      mediaMs => mediaMs % 40 === 0,
      (kind, mediaMs) => (kind === 'audio' && mediaMs < 100 ? 80 : 0),
    );
    expect(errors[0]?.error).toBeCloseTo(80, 3);
    const later = errors.filter(({ mediaMs }) => mediaMs > 1_200).map(({ error }) => error);
    expect(Math.max(...later)).toBeLessThan(6);
  });

  it('aligns audio whose first packets were read a second late, within three seconds of them', () => {
    const errors = errorsOf(
      mediaMs => mediaMs % 40 === 0,
      (kind, mediaMs) => (kind === 'audio' && mediaMs < 1_000 ? 1_000 - mediaMs : 0),
    );
    const later = errors.filter(({ mediaMs }) => mediaMs > 4_000).map(({ error }) => error);
    expect(Math.max(...later)).toBeLessThan(6);
  });

  it('tells the sender’s time by the least late of the reports', () => {
    expect(timeline.timeOf('video', 0, 1_000_100)).toBe(1_000_100);
    expect(timeline.senderTimeOf(1_000_100)).toBe(1_000_100);
    timeline.onSenderReport('video', { ssrc: 1, ntpTimeMs: 5_060, rtpTimestamp: 0 });
    timeline.onSenderReport('video', { ssrc: 1, ntpTimeMs: 6_000, rtpTimestamp: 90_000 });
    expect(timeline.senderTimeOf(1_000_100)).toBeCloseTo(5_000, 3);
  });

  it('never moves audio backwards', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 80 }), { minLength: 2, maxLength: 100 }), jitter => {
        const clock = new Timeline();
        clock.addTrack('audio', 48_000);
        const times = jitter.map((delay, i) => clock.timeOf('audio', i * 960, i * 20 + delay));
        for (let i = 1; i < times.length; i += 1) expect(times[i]!).toBeGreaterThan(times[i - 1]!);
      }),
    );
  });
});
