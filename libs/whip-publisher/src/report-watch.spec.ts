import { ManualClock } from '@rtms/testing';
import { ReportWatch, silentAfterMs } from './report-watch.js';

describe('ReportWatch', () => {
  let clock: ManualClock;
  let alarms: number;
  let watch: ReportWatch;
  beforeEach(() => {
    clock = new ManualClock();
    alarms = 0;
    watch = new ReportWatch(clock, silentAfterMs.video, () => alarms++);
  });

  it('reports once that no RTCP has come for three seconds', async () => {
    await clock.advance(1_000);
    watch.hear();
    await clock.advance(3_000);
    expect(alarms).toBe(0);
    await clock.advance(250);
    expect(alarms).toBe(1);
    await clock.advance(60_000);
    expect([alarms, clock.pending]).toEqual([1, 0]);
  });

  it('reports nothing while every second report is lost', async () => {
    for (let report = 0; report < 20; report++) {
      watch.hear();
      await clock.advance(3_000);
    }
    expect(alarms).toBe(0);
  });

  it('waits for the first report', async () => {
    await clock.advance(60_000);
    expect(alarms).toBe(0);
  });

  it('does not count the time in which its process was blocked', async () => {
    watch.hear();
    await clock.advance(1_000);
    clock.stall(20_000);
    await clock.advance(0);
    expect(alarms).toBe(0);
    await clock.advance(3_000);
    expect(alarms).toBe(0);
    await clock.advance(250);
    expect(alarms).toBe(1);
  });

  it('reports nothing once it is closed', async () => {
    watch.hear();
    watch.close();
    watch.close();
    await clock.advance(60_000);
    expect([alarms, clock.pending]).toEqual([0, 0]);
  });
});
