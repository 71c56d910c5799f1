import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { parseRtpPacket, type RtpPacket } from '@rtms/bitstream';
import type { MediaKind } from '@rtms/contracts';
import { EventLog, ManualClock } from '@rtms/testing';
import type { Keyframe, TimedFrame } from '../../rtp/source-feed.js';
import { RepairedStream } from './repaired-stream.js';

const ssrcs: Record<MediaKind, number> = { audio: 71, video: 72 };
const start = 1_000_000;
const delayMs = 120;

describe('a repaired stream', () => {
  let clock: ManualClock;
  let stream: RepairedStream;
  let receiver: Socket;
  let arrived: EventLog<{ packet: RtpPacket; at: number }>;
  let markers: EventLog<true>;

  beforeEach(async () => {
    clock = new ManualClock(start);
    stream = await RepairedStream.open('127.0.0.1', clock);
    receiver = createSocket('udp4');
    receiver.bind(0, '127.0.0.1');
    await once(receiver, 'listening');
    arrived = new EventLog();
    markers = new EventLog();
    receiver.on('message', datagram => {
      const packet = parseRtpPacket(datagram);
      if (packet) arrived.add({ packet, at: clock.now() });
      else markers.add(true);
    });
    const { port } = receiver.address();
    const input = (kind: MediaKind, payloadType: number) => {
      return { kind, ip: '127.0.0.1', port, payloadType, ssrc: ssrcs[kind] };
    };
    stream.sendTo([input('audio', 111), input('video', 102)]);
    stream.beginVideo({ timeMs: start, rtpTimestamp: 0xffff_ff00 } as Keyframe);
  });
  afterEach(async () => {
    await stream.close();
    receiver.close();
  });

  const of = (kind: MediaKind) => arrived.all.filter(({ packet }) => packet.ssrc === ssrcs[kind]);
  const sendPicture = (index: number, lostBefore = 0): void => {
    const [timestamp, payload] = [7 + index * 3_000, Buffer.of(index)];
    const packet = { payloadType: 96, sequenceNumber: index, timestamp, ssrc: 1, marker: true, payload };
    stream.onVideo({ packet, lostBefore });
  };
  const sendSound = (index: number): void =>
    stream.onAudio({ timeMs: start + index * 20, rtpTimestamp: index * 960, data: Buffer.of(index) } as TimedFrame);

  /** Resolves when everything that was sent has arrived, so that the clock does not run ahead of a busy machine. */
  async function settle(): Promise<void> {
    const arrives = markers.next();
    receiver.send(Buffer.of(0), receiver.address().port, '127.0.0.1');
    await arrives;
  }

  /** 30 pictures a second, each `latenessOf` it after its time, and 50 packets of sound a second. */
  async function play(ms: number, latenessOf: (picture: number) => number = () => delayMs): Promise<void> {
    let [pictures, sounds] = [0, 0];
    for (let now = 0; now <= ms; now += 1, await clock.advance(1)) {
      if (now >= sounds * 20) sendSound(sounds++);
      if (now >= Math.ceil((pictures * 100) / 3) + latenessOf(pictures)) sendPicture(pictures++);
      await settle();
    }
  }

  it('sends each packet of sound as late as the pictures', async () => {
    await play(1_000);
    await arrived.atLeast(26 + 44);
    for (const { packet, at } of of('audio').slice(10)) {
      const late = at - (start + packet.timestamp / 48);
      expect(Math.abs(late - delayMs)).toBeLessThanOrEqual(3);
    }
    expect(Math.round(stream.delayMs ?? 0)).toBe(delayMs);
  });

  it('sends pictures as late as the sound, although the encoder makes some sooner', async () => {
    await play(4_000, picture => delayMs + (picture % 3) * 20);
    const lates = (kind: MediaKind, rate: number, from: number) =>
      of(kind)
        .filter(({ at }) => at > start + 3_000)
        .map(({ packet, at }) => at - (start + ((packet.timestamp - from) >>> 0) / rate));
    const all = [...lates('audio', 48, 0), ...lates('video', 90, 0xffff_ff00)];
    expect(all.length).toBeGreaterThan(60);
    expect(Math.max(...all) - Math.min(...all)).toBeLessThanOrEqual(3);
  });

  it('keeps the RTP timestamps of the publisher, and gaps between packets', async () => {
    sendPicture(0);
    sendPicture(1, 2);
    await arrived.atLeast(2);
    const [first, second] = of('video').map(({ packet }) => packet);
    // 32 bits wrap.
    expect([first?.timestamp, second?.timestamp]).toEqual([0xffff_ff00, (0xffff_ff00 + 3_000) % 2 ** 32]);
    expect(((second?.sequenceNumber ?? 0) - (first?.sequenceNumber ?? 0)) & 0xffff).toBe(3);
  });

  it('sends no sound before the first pictures, and keeps four seconds of it at most', async () => {
    for (let index = 0; index < 300; index += 1) sendSound(index);
    await clock.advance(6_000);
    for (let index = 0; index < 5; index += 1) sendPicture(index);
    await clock.advance(2_000);
    await arrived.atLeast(205);
    expect(of('audio')[0]?.packet.timestamp).toBe(100 * 960);
    await stream.close();
    sendSound(300);
    expect(of('audio')).toHaveLength(200);
  });
});
