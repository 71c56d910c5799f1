import { confirmMissing } from './confirm-missing.js';

describe('confirmMissing', () => {
  it('waits until something has been missing for as long as a command can take', () => {
    const first = confirmMissing(['a'], new Map(), { now: 1000, patienceMs: 5000 });
    expect([...first.confirmed]).toEqual([]);
    const second = confirmMissing(['a'], first.since, { now: 5999, patienceMs: 5000 });
    expect([...second.confirmed]).toEqual([]);
    const third = confirmMissing(['a'], second.since, { now: 6000, patienceMs: 5000 });
    expect([...third.confirmed]).toEqual(['a']);
  });

  it('forgets what was found in the meantime', () => {
    const first = confirmMissing(['a'], new Map(), { now: 0, patienceMs: 5000 });
    const found = confirmMissing([], first.since, { now: 3000, patienceMs: 5000 });
    expect([...confirmMissing(['a'], found.since, { now: 6000, patienceMs: 5000 }).confirmed]).toEqual([]);
  });

  it('goes on believing until it is found', () => {
    const first = confirmMissing(['a'], new Map(), { now: 0, patienceMs: 10 });
    const second = confirmMissing(['a'], first.since, { now: 10, patienceMs: 10 });
    expect([...confirmMissing(['a'], second.since, { now: 11, patienceMs: 10 }).confirmed]).toEqual(['a']);
  });
});
