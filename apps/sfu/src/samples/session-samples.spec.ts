import type { SessionStatistics, TrackStatistics } from '@rtms/contracts';
import { createLogger } from '@rtms/logging';
import { ManualClock } from '@rtms/testing';
import { sampleOf, SessionSamples } from './session-samples.js';

const start = Date.UTC(2026, 10, 21, 10, 0, 0);
const video: TrackStatistics = {
  ...{ trackID: 'trk_v', kind: 'video', codec: 'VP8', bitrate: 1_000_000, packetsReceived: 9, packetsLost: 1 },
  ...{ fractionLost: 0.02, jitterMs: 3, roundTripMs: 40, width: 1280, height: 720, frameRate: 30 },
};
const audio: TrackStatistics = {
  ...{ ...video, trackID: 'trk_a', kind: 'audio', codec: 'opus', bitrate: 32_000, fractionLost: 0.1, jitterMs: 1 },
  ...{ roundTripMs: null, width: null, height: null, frameRate: null },
};

class FakeSession {
  state: 'pending' | 'active' = 'active';
  measure: () => Promise<TrackStatistics[]> = () => Promise.resolve([video, audio]);

  constructor(readonly sessionID: string) {}

  async statistics(): Promise<SessionStatistics> {
    return { sessionID: this.sessionID, measuredAt: '', tracks: await this.measure() };
  }
}

describe('the samples of a node', () => {
  let clock: ManualClock;
  let sessions: FakeSession[];
  let samples: SessionSamples;

  beforeEach(() => {
    clock = new ManualClock(start);
    sessions = [new FakeSession('ext_1')];
    const node = { sessions: () => sessions.map(session => ({ session })) };
    samples = new SessionSamples(node, clock, createLogger({ service: 'test', level: 'silent' }));
  });
  afterEach(() => samples.close());

  const timesOf = (query = {}) =>
    samples
      .read(query)
      .minutes.map(({ sessionID, minute, samples: taken }) => [
        sessionID,
        (minute - start) / 1000,
        taken.map(({ at }) => (at - minute) / 1000),
      ]);

  it('are taken every ten seconds of active sessions', async () => {
    sessions.push(Object.assign(new FakeSession('ext_2'), { state: 'pending' }));
    await clock.advance(60_000);
    expect(timesOf({ sessionID: 'ext_1' })).toEqual([
      ['ext_1', 0, [10, 20, 30, 40, 50]],
      ['ext_1', 60, [0]],
    ]);
    expect(timesOf({ sessionID: 'ext_2' })).toEqual([]);
  });

  it('are given to the gateway by complete minutes, each once', async () => {
    await clock.advance(64_000);
    expect(timesOf()).toEqual([]);
    await clock.advance(61_000);
    const { next, isLast } = samples.read({});
    expect(isLast).toBe(true);
    expect(timesOf()).toHaveLength(2);
    await clock.advance(60_000);
    expect(timesOf({ after: next })).toEqual([['ext_1', 120, [0, 10, 20, 30, 40, 50]]]);
  });

  it('fill several pages in order', async () => {
    sessions = Array.from({ length: 610 }, (_, index) => new FakeSession(`ext_${index}`));
    await clock.advance(70_000);
    const first = samples.read({});
    const second = samples.read({ after: first.next ?? '' });
    expect([first.isLast, second.isLast]).toEqual([false, true]);
    const ids = [...first.minutes, ...second.minutes].map(({ sessionID }) => sessionID);
    expect(new Set(ids).size).toBe(610);
    expect(ids).toHaveLength(610);
  });

  it('are kept for ten minutes', async () => {
    await clock.advance(15 * 60_000);
    expect(timesOf({ sessionID: 'ext_1' })).toHaveLength(11);
  });

  it('go on when a session cannot be measured', async () => {
    sessions.unshift(
      Object.assign(new FakeSession('ext_0'), { measure: () => Promise.reject(new Error('no worker')) }),
    );
    await clock.advance(10_000);
    expect(timesOf({ sessionID: 'ext_1' })).toHaveLength(1);
  });
});

it('a sample has the sum of the bit rates and the worst of the rest', () => {
  expect(sampleOf([video, audio], 5)).toEqual({
    ...{ at: 5, bitrate: 1_032_000, fractionLost: 0.1, jitterMs: 3, roundTripMs: 40, frameRate: 30 },
  });
});
