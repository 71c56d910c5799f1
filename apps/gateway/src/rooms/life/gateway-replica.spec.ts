import { ManualClock } from '@rtms/testing';
import type { DataSource } from 'typeorm';
import type { MediaSettings } from '../../platform/runtime/media-settings.js';
import { GatewayReplica } from './gateway-replica.js';

describe('GatewayReplica', () => {
  const clock = new ManualClock();
  const seenAt = new Map<string, Date>();
  /** Whether the process of the replica `other` runs. */
  let otherLives = true;
  const deletion = {
    delete: () => deletion,
    from: () => deletion,
    where: () => deletion,
    andWhere: () => deletion,
    execute: () => undefined,
  };
  const manager = {
    upsert: (_: unknown, { id, seenAt: at }: { id: string; seenAt: Date }) => void seenAt.set(id, at),
    createQueryBuilder: () => deletion,
    find: () => {
      if (otherLives) seenAt.set('other', new Date(clock.now()));
      return [...seenAt].map(([id, at]) => ({ id, seenAt: at }));
    },
  };
  const replica = new GatewayReplica(
    { manager } as unknown as DataSource,
    { sweepIntervalMs: 1_000 } as MediaSettings,
    clock,
  );

  beforeAll(() => replica.onApplicationBootstrap());
  afterAll(() => replica.onApplicationShutdown());

  it('is steady once it has written heartbeats for longer than the silence of a dead replica', async () => {
    await clock.advance(5_000);
    expect(replica.isSteady()).toBe(false);
    await clock.advance(1);
    expect(replica.isSteady()).toBe(true);
    expect(replica.listSilent()).toEqual([]);
  });

  it('is not steady after a pause of its process, when all heartbeats seem old', async () => {
    clock.stall(6_000);
    expect(replica.listSilent()).toContain('other');
    expect(replica.isSteady()).toBe(false);
    await clock.advance(1_000);
    expect(replica.listSilent()).toEqual([]);
    expect(replica.isSteady()).toBe(false);
    await clock.advance(5_001);
    expect(replica.isSteady()).toBe(true);
  });

  it('lists a replica that has written no heartbeat for this time', async () => {
    otherLives = false;
    await clock.advance(4_000);
    expect(replica.listSilent()).toEqual([]);
    await clock.advance(1_500);
    expect([replica.isSteady(), replica.listSilent()]).toEqual([true, ['other']]);
  });
});
