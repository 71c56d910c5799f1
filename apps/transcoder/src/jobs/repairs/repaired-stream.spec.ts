import { ManualClock } from '@rtms/testing';
import type { Keyframe } from '../../rtp/source-feed.js';
import { repairArguments } from '../../encoder/ffmpeg/ffmpeg-repairer.js';
import { RepairedStream, VideoDelay } from './repaired-stream.js';

describe('the delay of repaired video', () => {
  const after = (samples: readonly number[]): number | undefined => {
    const delay = new VideoDelay();
    for (const sample of samples) delay.note(sample);
    return delay.ms;
  };
  const steady = (count: number, ms: number): number[] => Array<number>(count).fill(ms);

  it.each<[string, number[], number | undefined]>([
    ['is unknown before five pictures', steady(4, 100), undefined],
    ['is the median of the first pictures', [240, 210, 180, 120, 118], 180],
    ['forgets a slow start within some seconds', [...steady(5, 300), ...steady(250, 120)], 120],
    ['ignores a large picture each second', steady(90, 120).map((ms, i) => (i % 30 === 0 ? 180 : ms)), 120],
    ['follows a change slowly', [...steady(31, 100), ...steady(25, 200)], 122],
    ['waits for most pictures', steady(200, 120).map((ms, i) => ms + (i % 3) * 20), 160],
    ['has an upper bound', steady(31, 5_000), 1_000],
  ])('%s', (_case, samples, expected) => {
    expect(after(samples)).toBe(expected);
  });
});

describe('a repaired stream', () => {
  it('knows the time of pictures after its RTP time has wrapped', async () => {
    const clock = new ManualClock();
    const stream = await RepairedStream.open('127.0.0.1', clock);
    try {
      stream.beginVideo({ timeMs: clock.now(), rtpTimestamp: 7 } as Keyframe);
      const stepTicks = 90_000 * 1_000;
      for (let i = 0; i < 100; i += 1) {
        const packet = { timestamp: (i * stepTicks) >>> 0, marker: true, payload: Buffer.of(1) };
        stream.onVideo({ packet, lostBefore: 0 } as Parameters<RepairedStream['onVideo']>[0]);
        await clock.advance(1_000_000);
      }
      expect(stream.delayMs).toBe(0);
    } finally {
      await stream.close();
    }
  });
});

describe('the arguments of a repair', () => {
  const plan = { bitrate: 2_500_000, maxPixels: 1000, rtpPort: 5_000, rtcpPort: 5_001, ssrc: 7 };
  const argumentsOf = (height: number, bitrate = plan.bitrate): string =>
    repairArguments({ ...plan, bitrate, size: { width: (height * 16) / 9, height } }).join(' ');

  it('encode without B-frames and send to this machine alone', () => {
    const text = argumentsOf(720);
    for (const part of ['-bf 0', '-profile:v baseline', '-tune zerolatency', '-b:v 2500000', '-max_pixels 1100'])
      expect(text).toContain(part);
    expect(text).toContain('-ssrc 7 -payload_type 96 -f rtp rtp://127.0.0.1:5000?rtcpport=5001&pkt_size=1200');
  });

  it('keep the bit rate within bounds, and use more threads for large pictures alone', () => {
    expect(argumentsOf(720, 1)).toContain('-b:v 300000 ');
    expect(argumentsOf(720, 1e9)).toContain('-b:v 8000000 ');
    expect(argumentsOf(1080)).toContain('-bf 0 -threads 1 ');
    expect(argumentsOf(2160)).toContain('-bf 0 -threads 4 ');
  });
});
