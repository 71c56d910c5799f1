import { ManualClock } from '@rtms/testing';
import type { MediaKind } from '@rtms/contracts';
import { kindOf } from '@rtms/whip-publisher';
import { RtpPacer } from './rtp-pacer.js';

const ticks: Record<MediaKind, number> = { audio: 48, video: 90 };

function packetOf(kind: MediaKind, mediaMs: number): Buffer {
  const packet = Buffer.alloc(12);
  packet.writeUInt32BE((mediaMs * ticks[kind]) >>> 0, 4);
  return packet;
}

describe('the pacer of RTP packets', () => {
  let clock: ManualClock;
  let pacer: RtpPacer;
  let sent: { kind: MediaKind; mediaMs: number; at: number }[];
  const begun = 1_000_000;

  beforeEach(() => {
    clock = new ManualClock(begun);
    sent = [];
    pacer = new RtpPacer(clock, (stream, packet) => {
      const kind = kindOf(stream);
      sent.push({ kind, mediaMs: packet.readUInt32BE(4) / ticks[kind], at: clock.now() - begun });
    });
    for (const kind of ['audio', 'video'] as const) pacer.report(kind, { ntpMs: 0, rtpTimestamp: 0 });
  });
  afterEach(() => pacer.close());

  const add = (kind: MediaKind, mediaMs: number) => pacer.add(kind, packetOf(kind, mediaMs));

  it('sends audio and video of one moment together, although audio arrives later and in bursts', async () => {
    pacer.start();
    for (let now = 0; now < 4_000; now += 20) {
      add('video', now);
      if (now % 200 === 180) for (let media = now - 180; media <= now; media += 20) add('audio', media);
      await clock.advance(20);
    }
    const settled = sent.filter(({ mediaMs }) => mediaMs >= 1_000 && mediaMs < 3_000);
    for (const { mediaMs, at } of settled.filter(({ kind }) => kind === 'audio')) {
      const video = settled.find(each => each.kind === 'video' && each.mediaMs === mediaMs);
      expect(Math.abs(at - (video?.at ?? Infinity))).toBeLessThanOrEqual(2);
    }
  });

  it('sends B-frames after the picture that they need, and holds up no audio for them', async () => {
    pacer.start();
    for (let now = 0; now < 4_000; now += 20) {
      // Two B-frames between P-frames: the P-frame of 120 ms later, then both B-frames.
      const picture = { 0: 120, 40: 40, 80: 80 }[now % 120];
      if (picture !== undefined) add('video', now - (now % 120) + picture);
      add('audio', now);
      await clock.advance(20);
    }
    const settled = sent.filter(({ mediaMs }) => mediaMs >= 1_000 && mediaMs < 3_000);
    const delays = settled.filter(({ kind }) => kind === 'audio').map(({ mediaMs, at }) => at - mediaMs);
    expect(Math.max(...delays) - Math.min(...delays)).toBeLessThanOrEqual(2);
    const pictures = settled.filter(({ kind }) => kind === 'video');
    expect(pictures.slice(0, 4).map(({ mediaMs }) => mediaMs % 120)).toEqual([0, 40, 80, 0]);
    for (const { mediaMs, at } of pictures.filter(each => each.mediaMs % 120 === 0))
      expect(at - mediaMs).toBeLessThanOrEqual(Math.max(...delays));
  });

  it('drops an old beginning, and adds no delay for it', async () => {
    for (let media = 0; media < 1_500; media += 20) add('video', media);
    for (let now = 1_500; now < 2_500; now += 20) {
      await clock.advance(20);
      add('video', now);
    }
    expect(sent).toEqual([]);
    pacer.start();
    add('video', 2_500);
    await clock.advance(40);
    expect(sent).toHaveLength(1);
  });

  it('sends a late packet at once, and shrinks the delay later', async () => {
    pacer.start();
    const send = async (from: number, to: number, lateMs: number) => {
      for (let now = from; now < to; now += 20) {
        await clock.advance(begun + now + lateMs - clock.now());
        add('video', now);
      }
    };
    await send(0, 1_000, 0);
    await send(1_000, 1_020, 500);
    await clock.advance(15);
    const late = sent.find(({ mediaMs }) => mediaMs === 1_000);
    expect(late?.at).toBeLessThanOrEqual(1_515);
    await send(1_520, 20_000, 0);
    const last = sent.at(-1);
    expect((last?.at ?? 0) - (last?.mediaMs ?? 0)).toBeLessThanOrEqual(20);
  });

  it('continues when a timestamp passes its highest value', async () => {
    pacer.close();
    pacer = new RtpPacer(clock, (_, packet) => sent.push({ kind: 'video', mediaMs: packet.readUInt32BE(4), at: 0 }));
    pacer.report('video', { ntpMs: 0, rtpTimestamp: 0xffffff00 });
    pacer.start();
    for (const timestamp of [0xffffff00, 0x00000100]) {
      const packet = Buffer.alloc(12);
      packet.writeUInt32BE(timestamp, 4);
      pacer.add('video', packet);
    }
    await clock.advance(30);
    expect(sent).toHaveLength(2);
  });

  it('continues for days, because the latest report says what a timestamp means', async () => {
    pacer.start();
    const day = 24 * 3_600_000;
    for (const mediaMs of [0, day / 4, day / 2, day, 3 * day]) {
      await clock.advance(begun + mediaMs - clock.now());
      for (const kind of ['audio', 'video'] as const) {
        const rtpTimestamp = (mediaMs * ticks[kind]) >>> 0;
        pacer.report(kind, { ntpMs: mediaMs, rtpTimestamp });
        add(kind, mediaMs);
      }
      await clock.advance(30);
    }
    expect(sent.map(({ at }) => at)).toEqual(
      [0, day / 4, day / 2, day, 3 * day].flatMap(at => [expect.closeTo(at, -2), expect.closeTo(at, -2)]),
    );
  });

  it.each([
    ['forward', 60_000],
    ['back', -60_000],
  ])('holds no packet for longer than a moment after the times jumped %s', async (_, jumpMs) => {
    pacer.start();
    for (let now = 0; now < 10_000; now += 20) {
      for (const kind of ['audio', 'video'] as const) add(kind, 100_000 + now + (now < 5_000 ? 0 : jumpMs));
      await clock.advance(20);
    }
    const settled = sent.filter(({ mediaMs }) => mediaMs >= 106_000 + jumpMs && mediaMs < 109_000 + jumpMs);
    expect(settled).toHaveLength(2 * 150);
    expect(Math.max(...settled.map(({ mediaMs, at }) => at - (mediaMs - 100_000 - jumpMs)))).toBeLessThanOrEqual(20);
  });

  it('tells for each stream the timestamp that is due now, at one time', async () => {
    pacer.report('half', { ntpMs: 0, rtpTimestamp: 7_000 });
    pacer.start();
    add('video', 5_000);
    await clock.advance(1_000);
    const [video, half, audio] = (['video', 'half', 'audio'] as const).map(name => pacer.timesNow().get(name));
    expect(video!.ntpMs).toBe(5_990);
    expect([half!.ntpMs, audio!.ntpMs]).toEqual([5_990, 5_990]);
    expect(video!.rtpTimestamp).toBe(5_990 * 90);
    expect([half!.rtpTimestamp, audio!.rtpTimestamp]).toEqual([5_990 * 90 + 7_000, 5_990 * 48]);
  });

  it('keeps a bounded number of packets', () => {
    pacer.start();
    add('video', 0);
    for (let count = 0; count < 20_000; count += 1) add('video', 2_000);
    expect(sent.length).toBeGreaterThan(8_000);
  });
});
