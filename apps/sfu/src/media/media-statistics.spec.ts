import { ManualClock } from '@rtms/testing';
import { MediaStatistics, ReadingRounds, StreamMeter, type StreamReading } from './media-statistics.js';

const reading = (counters: Partial<StreamReading>): StreamReading => ({
  ...{ ssrc: 1, bytes: 0, packets: 0, packetsLost: 0, packetsRetransmitted: 0, nacks: 0, keyframeRequests: 0 },
  lossRatio: 0,
  ...counters,
});

describe('StreamMeter', () => {
  let statistics: MediaStatistics;
  let meter: StreamMeter;
  beforeEach(() => {
    statistics = new MediaStatistics();
    meter = new StreamMeter(statistics, 'sent', 'video');
  });

  it('adds the growth of each stream to the direction and kind', () => {
    meter.add([reading({ bytes: 100, packets: 2 }), reading({ ssrc: 2, bytes: 1_000, packets: 9 })]);
    meter.add([reading({ bytes: 150, packets: 3, nacks: 4 }), reading({ ssrc: 2, bytes: 1_000, packets: 9 })]);
    expect(statistics.streams.sent.video).toMatchObject({ bytes: 1_150, packets: 12, nacks: 4 });
    expect(statistics.streams.sent.audio.bytes + statistics.streams.received.video.bytes).toBe(0);
  });

  it('never lowers a total when lost packets arrive late', () => {
    const totals = [5, 3, 6, -2].map(packetsLost => {
      meter.add([reading({ packetsLost })]);
      return statistics.streams.sent.video.packetsLost;
    });
    expect(totals).toEqual([5, 5, 6, 6]);
  });

  it('keeps the total of a stream that has ended', () => {
    meter.add([reading({ bytes: 100 })]);
    meter.add([reading({ ssrc: 2, bytes: 30 })]);
    expect(statistics.streams.sent.video.bytes).toBe(130);
  });

  it('reports each reading', () => {
    const heard: unknown[] = [];
    statistics.onReading.add((direction, { lossRatio, roundTripSeconds }) =>
      heard.push([direction, lossRatio, roundTripSeconds]),
    );
    meter.add([reading({ lossRatio: 0.25, roundTripSeconds: 0.02 })]);
    expect(heard).toEqual([['sent', 0.25, 0.02]]);
  });
});

describe('ReadingRounds', () => {
  let clock: ManualClock;
  let rounds: ReadingRounds;
  beforeEach(() => {
    clock = new ManualClock();
    rounds = new ReadingRounds(clock);
  });
  afterEach(() => rounds.close());

  /** Adds tracks. Returns how often each was read. */
  function tracks(count: number): { reads: number[]; readers: (() => Promise<void>)[] } {
    const reads = Array<number>(count).fill(0);
    const readers = reads.map((_, at) => async () => void (reads[at]! += 1));
    readers.forEach(reader => rounds.add(reader));
    return { reads, readers };
  }

  const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0);

  it('reads a few tracks within 10 s, and again 12 s later', async () => {
    const { reads } = tracks(20);
    await clock.advance(1_000);
    expect(sum(reads)).toBe(2);
    await clock.advance(9_000);
    expect(reads).toEqual(Array(20).fill(1));
    await clock.advance(2_000);
    expect(sum(reads)).toBe(20);
    await clock.advance(10_000);
    expect(reads).toEqual(Array(20).fill(2));
  });

  it('skips tracks that samples read every 10 s, until the samples end', async () => {
    const { reads, readers } = tracks(2);
    for (let sample = 0; sample < 5; sample += 1) {
      rounds.postpone(readers[0]!);
      await clock.advance(10_000);
    }
    expect(reads[0]).toBe(0);
    expect(reads[1]).toBeGreaterThan(3);
    await clock.advance(3_000);
    expect(reads[0]).toBe(1);
  });

  it('does not follow a track again that has ended before its sample', async () => {
    const { reads, readers } = tracks(1);
    rounds.remove(readers[0]!);
    rounds.postpone(readers[0]!);
    await clock.advance(30_000);
    expect([...reads, rounds.size]).toEqual([0, 0]);
  });

  it('reads 10,000 tracks once in 50 s, at most 200 a second', async () => {
    const { reads } = tracks(10_000);
    for (let second = 1; second <= 50; second += 1) {
      await clock.advance(1_000);
      expect(sum(reads)).toBe(200 * second);
    }
    expect(reads.every(count => count === 1)).toBe(true);
  });

  it('skips its turn while a media worker does not answer', async () => {
    const { reads } = tracks(4);
    let answer = (): void => undefined;
    rounds.add(() => new Promise<void>(resolve => (answer = resolve)));
    await clock.advance(5_000);
    const before = sum(reads);
    await clock.advance(10_000);
    expect(sum(reads)).toBe(before);
    answer();
    await clock.advance(1_000);
    expect(sum(reads)).toBe(before + 1);
  });

  it('goes on after a reading that failed', async () => {
    rounds.add(() => Promise.reject(new Error('closed')));
    const { reads } = tracks(1);
    await clock.advance(3_000);
    expect(sum(reads)).toBeGreaterThan(0);
  });

  it('reads a closing track once more, then never again', async () => {
    const { reads, readers } = tracks(1);
    rounds.readLast(readers[0]!);
    rounds.readLast(readers[0]!);
    await clock.advance(10_000);
    expect([...reads, rounds.size]).toEqual([1, 0]);
  });

  it('has at most 500 last readings under way', async () => {
    let asked = 0;
    const answers: (() => void)[] = [];
    const closing = Array.from({ length: 600 }, () => () => {
      asked += 1;
      return new Promise<void>(resolve => answers.push(resolve));
    });
    closing.forEach(reader => rounds.add(reader));
    closing.forEach(reader => rounds.readLast(reader));
    expect([asked, rounds.size]).toEqual([500, 0]);
    answers.forEach(answer => answer());
    await clock.advance(0);
    const { reads, readers } = tracks(1);
    rounds.readLast(readers[0]!);
    expect(reads).toEqual([1]);
  });

  it('ends with close', async () => {
    const { reads } = tracks(5);
    rounds.close();
    await clock.advance(5_000);
    expect([sum(reads), clock.pending]).toEqual([0, 0]);
  });
});
