import { ManualClock } from '@rtms/testing';
import { isUnmeasured, LossLimit, type SentPackets } from './loss-limit.js';

describe('the layers of a viewer whose bandwidth the worker cannot measure', () => {
  let clock: ManualClock;
  let limit: LossLimit;
  let chosen: number[];
  let counted: number;
  /** Packets that the viewer lost, of 100 in each second. */
  let loss: (layer: number) => number;
  let total: SentPackets;

  beforeEach(async () => {
    clock = new ManualClock();
    [chosen, counted, loss, total] = [[], 0, () => 0, { sent: 0, lost: 0 }];
    const count = async () => (counted++, { ...total });
    const onChange = () => void chosen.push(limit.highest);
    limit = new LossLimit({ clock, top: 2, count, onChange });
    limit.arrive(2);
    await seconds(4);
  });

  afterEach(() => limit.close());

  /** Layers arrive at the end of the second in which they were chosen, as with a keyframe. */
  async function seconds(count: number): Promise<void> {
    for (let second = 0; second < count; second++) {
      await clock.advance(1_000);
      const lost = loss(limit.highest);
      total = { sent: total.sent + 100, lost: total.lost + lost };
      limit.arrive(limit.highest);
      limit.rate(lost > 0 ? 5 : 10);
      await clock.settled();
    }
  }

  it('are not measured without loss', async () => {
    const before = counted;
    await seconds(600);
    expect([counted, chosen]).toEqual([before, []]);
    expect(clock.pending).toBe(0);
  });

  it('stay with as much loss as is usual, and with single losses', async () => {
    loss = () => 10;
    await seconds(60);
    expect(chosen).toEqual([]);
  });

  it('fall to the one that arrives, within seconds', async () => {
    loss = layer => [0, 0, 70][layer] ?? 0;
    await seconds(5);
    expect(chosen).toEqual([1]);
    loss = layer => [0, 40, 70][layer] ?? 0;
    await seconds(7);
    expect(chosen).toEqual([1, 0]);
    loss = () => 50;
    await seconds(600);
    expect(chosen).toEqual([1, 0]);
  });

  it('fall even if reports are lost while the score is poor', async () => {
    limit.rate(5);
    await clock.advance(4_000);
    total = { sent: total.sent + 200, lost: total.lost + 140 };
    await clock.advance(2_000);
    expect(chosen).toEqual([1]);
  });

  it('do not fall for late reports about the one before', async () => {
    loss = layer => [0, 0, 70][layer] ?? 0;
    await seconds(3);
    expect(chosen).toEqual([1]);
    total = { sent: total.sent, lost: total.lost + 200 };
    await seconds(60);
    expect(chosen.slice(0, 2)).toEqual([1, 2]);
  });

  it('wait for the one that was chosen, which comes with a keyframe', async () => {
    limit.rate(5);
    for (let look = 0; look < 10; look++) {
      total = { sent: total.sent + 200, lost: total.lost + 140 };
      await clock.advance(2_000);
    }
    expect(chosen).toEqual([1]);
  });

  it('rise one by one once nothing is lost', async () => {
    loss = () => 50;
    await seconds(12);
    expect(chosen).toEqual([1, 0]);
    loss = () => 0;
    await seconds(30);
    expect(chosen).toEqual([1, 0, 1, 2]);
    await seconds(60);
    expect(chosen).toHaveLength(4);
    expect(clock.pending).toBe(0);
  });

  it('are tried ever more rarely while the higher one loses packets', async () => {
    loss = layer => (layer === 2 ? 70 : 0);
    const risen: number[] = [];
    for (let second = 0; risen.length < 6; second++) {
      const before = limit.highest;
      await seconds(1);
      if (limit.highest > before) risen.push(second);
    }
    const pauses = risen.slice(1).map((at, index) => at - (risen[index] ?? 0));
    expect(pauses.map(each => Math.floor(each / 15))).toEqual([2, 4, 8, 16, 16]);
  });

  it('are tried as soon as at first when the higher one arrived for 20 s', async () => {
    const until = async (done: () => boolean) => {
      for (let second = 0; ; second++) {
        if (done()) return second;
        await seconds(1);
      }
    };
    const rises = () => until(() => limit.highest === 2);
    const falls = () => until(() => limit.highest === 1);
    const [bad, good] = [(layer: number) => (layer === 2 ? 70 : 0), () => 0];
    const pauses: number[] = [];
    for (const _ of [1, 2]) {
      loss = bad;
      await falls();
      loss = good;
      pauses.push(await rises());
      await seconds(20);
    }
    expect(pauses).toEqual([15, 15]);
  });

  it('stay once the viewer has left', async () => {
    loss = () => 70;
    await seconds(5);
    limit.close();
    limit.close();
    const before = [...chosen];
    await seconds(60);
    expect(chosen).toEqual(before);
    expect(clock.pending).toBe(0);
  });
});

describe('a viewer', () => {
  const rtpParameters = (feedback: readonly string[]) => ({
    codecs: [
      {
        mimeType: 'video/H264' as const,
        payloadType: 102,
        clockRate: 90_000,
        rtcpFeedback: feedback.map(type => ({ type })),
      },
    ],
  });

  it.each([
    [true, 'simulcast', ['nack', 'ccm']],
    [false, 'simulcast', ['nack', 'transport-cc']],
    [false, 'simulcast', ['goog-remb']],
    [false, 'simple', ['nack']],
  ] as const)('is limited by loss: %s (%s with %j)', (expected, type, feedback) => {
    expect(isUnmeasured({ type, rtpParameters: rtpParameters(feedback) })).toBe(expected);
  });
});
