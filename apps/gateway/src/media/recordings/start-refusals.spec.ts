import { ManualClock } from '@rtms/testing';
import { StartRefusals } from './start-refusals.js';

describe('StartRefusals', () => {
  it('doubles the time between attempts at transcoders, up to 30 s', async () => {
    const clock = new ManualClock(0);
    const refusals = new StartRefusals(clock);
    const waits: number[] = [];
    for (let attempt = 0; attempt < 7; attempt += 1) {
      refusals.note('room_1', 'capacity_reached', false);
      const refusedAt = clock.now();
      while (refusals.waiting('room_1') !== undefined) await clock.advance(500);
      waits.push(clock.now() - refusedAt);
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    refusals.forget('room_1');
    refusals.note('room_1', 'capacity_reached', false);
    await clock.advance(1_000);
    expect(refusals.waiting('room_1')).toBeUndefined();
  });

  it('lets attempts that store nothing go on', () => {
    const refusals = new StartRefusals(new ManualClock(0));
    refusals.note('room_1', 'balance_exhausted', true);
    expect(refusals.waiting('room_1')).toBeUndefined();
  });

  it('tells a new reason from a repeated one', () => {
    const refusals = new StartRefusals(new ManualClock(0));
    const notes = ['limit_reached', 'limit_reached', 'not_entitled'].map(reason =>
      refusals.note('room_1', reason, true),
    );
    expect(notes).toEqual([true, false, true]);
  });

  it('keeps a bounded number of sources', () => {
    const refusals = new StartRefusals(new ManualClock(0), 2);
    for (const room of ['room_1', 'room_2', 'room_3']) refusals.note(room, 'capacity_reached', false);
    expect(['room_1', 'room_2', 'room_3'].map(room => refusals.waiting(room))).toEqual([
      undefined,
      'capacity_reached',
      'capacity_reached',
    ]);
  });
});
