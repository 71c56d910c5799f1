import { parseRtpPacket, type RtpPacket } from '@rtms/bitstream';
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
  it('aligns audio with video by the sender reports', () => {
    const timeline = new Timeline();
    timeline.addTrack('video', 90_000);
    timeline.addTrack('audio', 48_000);
    timeline.timeOf('video', 0, 1_000_100);
    timeline.timeOf('audio', 0, 1_000_000);
    timeline.onSenderReport('video', { ssrc: 1, ntpTimeMs: 5_000, rtpTimestamp: 0 });
    timeline.onSenderReport('audio', { ssrc: 2, ntpTimeMs: 5_000, rtpTimestamp: 0 });
    let last = 0;
    for (let i = 1; i <= 60; i += 1) last = timeline.timeOf('audio', i * 48_000, 1_000_000 + i * 1000);
    expect(last).toBeCloseTo(1_000_100 + 60_000, 3);
    expect(timeline.timeOf('video', 90_000, 1_001_100)).toBeCloseTo(1_001_100, 3);
    expect(timeline.senderTimeOf(1_000_100)).toBeCloseTo(5_000, 3);
  });

  it('aligns audio that begins late within a second of its first report, although single reports are late', () => {
    const timeline = new Timeline();
    timeline.addTrack('video', 90_000);
    timeline.addTrack('audio', 48_000);
    timeline.timeOf('video', 0, 1_000_000);
    timeline.timeOf('audio', 0, 1_000_080);
    let audio = 0;
    for (let i = 0; i <= 100; i += 1) {
      const lateMs = i === 50 ? 60 : 0;
      if (i % 50 === 0)
        timeline.onSenderReport('video', { ssrc: 1, ntpTimeMs: 5_000 + i * 20, rtpTimestamp: i * 1_800 });
      if (i % 50 === 0)
        timeline.onSenderReport('audio', { ssrc: 2, ntpTimeMs: 5_000 + i * 20 + lateMs, rtpTimestamp: i * 960 });
      audio = timeline.timeOf('audio', i * 960, 1_000_080 + i * 20);
    }
    expect(audio).toBeCloseTo(1_000_000 + 2_000, 3);
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
