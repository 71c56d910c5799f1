import type { SignallingResponse } from '@rtms/contracts';
import { ManualClock } from '@rtms/testing';
import { WaitingOffers } from './absent-resources.js';

const response = (status: number, reason: string): SignallingResponse => ({
  ...{ status, headers: {}, body: JSON.stringify({ reason }) },
});
const moving = response(503, 'controller_unavailable');

describe('offers whose room moves to another node', () => {
  let clock: ManualClock;
  let offers: WaitingOffers;
  /** Statuses of the answers, by tenant. */
  let answered: Record<string, number[]>;
  let pending: Promise<void>[];
  let current: SignallingResponse;

  beforeEach(() => {
    clock = new ManualClock(0);
    offers = new WaitingOffers(clock);
    [answered, pending, current] = [{}, [], moving];
  });

  /** Sends offers at once. Resolves when each of them has its answer or waits. */
  async function send(tenant: string, count: number): Promise<number> {
    const statuses = (answered[tenant] ??= []);
    const before = statuses.length;
    for (let sent = 0; sent < count; sent++) {
      const answer = offers.untilHeld(tenant, () => Promise.resolve(current));
      pending.push(answer.then(({ status }) => void statuses.push(status)));
    }
    await clock.advance(0);
    return statuses.length - before;
  }

  it('wait until a node holds the room', async () => {
    expect(await send('a', 3)).toBe(0);
    await clock.advance(1_000);
    current = response(201, '');
    await clock.advance(1_000);
    await Promise.all(pending);
    expect(answered).toEqual({ a: [201, 201, 201] });
  });

  it('get the last answer after six seconds', async () => {
    await send('a', 1);
    await clock.advance(4_000);
    expect(answered['a']).toEqual([]);
    await clock.advance(2_000);
    expect(answered['a']).toEqual([503]);
    expect(clock.pending).toBe(0);
  });

  it('do not wait for another answer', async () => {
    current = response(503, 'capacity_reached');
    expect(await send('a', 1)).toBe(1);
  });

  it('leave places to other tenants, however many one tenant sends at once', async () => {
    expect(await send('a', 10_000)).toBe(9_750);
    expect(await send('b', 10_000)).toBe(9_875);
    expect(await send('c', 1)).toBe(0);
  });

  it('free their places', async () => {
    await send('a', 10_000);
    await clock.advance(6_000);
    await Promise.all(pending);
    expect(await send('b', 300)).toBe(50);
  });
});
