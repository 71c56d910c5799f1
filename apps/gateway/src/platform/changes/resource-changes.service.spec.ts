import { MemoryBroker, MemoryBus } from '@rtms/bus';
import { ManualClock } from '@rtms/testing';
import type { DataSource } from 'typeorm';
import { DomainEvents } from '../runtime/domain-events.js';
import { anyOf, anything, type ResourceChange } from './change-set.js';
import { changesSubject, ResourceChangesService } from './resource-changes.service.js';

const room = (number: number): ResourceChange => ({ kind: 'room', id: `room_${number}`, accountID: 'acc_1' });

describe('changes between replicas', () => {
  const clock = new ManualClock();
  const broker = new MemoryBroker(clock);
  const opened: { close(): Promise<void> }[] = [];

  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
  });

  async function startReplica() {
    const bus = new MemoryBus(broker);
    const events = new DomainEvents();
    const heard: [readonly ResourceChange[], string][] = [];
    events.on('resources.changed', (...heardNow) => heard.push(heardNow));
    const service = new ResourceChangesService({ driver: {} } as DataSource, events, bus, clock);
    service.onApplicationBootstrap();
    opened.push({ close: () => service.onApplicationShutdown() }, bus);
    await bus.settled();
    return { bus, events, heard, service };
  }

  async function startTwo() {
    return { one: await startReplica(), other: await startReplica() };
  }

  it('are heard once by each replica', async () => {
    const { one, other } = await startTwo();
    one.service.announce([room(1), room(2)]);
    await one.bus.settled();
    expect(one.heard).toEqual([[[room(1), room(2)], 'here']]);
    expect(other.heard).toEqual([[[room(1), room(2)], 'elsewhere']]);
  });

  it('are sent at once, and then together after each pause of 50 ms', async () => {
    const { one, other } = await startTwo();
    for (const number of [1, 2, 3, 2]) one.service.announce([room(number)]);
    await clock.advance(49);
    expect(other.heard).toEqual([[[room(1)], 'elsewhere']]);
    await clock.advance(1);
    expect(other.heard.slice(1)).toEqual([[[room(2), room(3)], 'elsewhere']]);
    await clock.advance(50);
    one.service.announce([room(4)]);
    await one.bus.settled();
    expect(other.heard.slice(2)).toEqual([[[room(4)], 'elsewhere']]);
    expect(one.heard).toHaveLength(5);
  });

  it('are one change without an ID when they are many', async () => {
    const { one, other } = await startTwo();
    for (let number = 0; number < 200; number += 1) one.service.announce([room(number)]);
    await clock.advance(50);
    expect(other.heard.slice(1)).toEqual([[[anyOf('room', 'acc_1')], 'elsewhere']]);
  });

  it('may be of anything after one side has lost the bus', async () => {
    const { one, other } = await startTwo();
    one.bus.disconnect();
    one.service.announce([room(1)]);
    other.service.announce([room(2)]);
    await other.bus.settled();
    one.bus.reconnect();
    await one.bus.settled();
    expect(one.heard).toEqual([
      [[room(1)], 'here'],
      [anything, 'elsewhere'],
    ]);
    expect(other.heard).toEqual([
      [[room(2)], 'here'],
      [anything, 'elsewhere'],
    ]);
  });

  it('are sent before the replica stops', async () => {
    const { one, other } = await startTwo();
    one.service.announce([room(1)]);
    one.service.announce([room(2)]);
    await one.service.onApplicationShutdown();
    await one.bus.settled();
    expect(other.heard).toEqual([
      [[room(1)], 'elsewhere'],
      [[room(2)], 'elsewhere'],
    ]);
  });

  it('ignore what is no message of a replica, and kinds of newer versions', async () => {
    const { one, other } = await startTwo();
    const newer = { kind: 'hologram', id: 'a', accountID: 'acc_1' };
    for (const payload of ['news', null, { changes: [] }, { replicaID: 'x', changes: [newer, room(1)] }])
      one.bus.announce(changesSubject, payload);
    await one.bus.settled();
    expect(other.heard).toEqual([[[room(1)], 'elsewhere']]);
  });

  it('reach the other replicas although a listener fails', async () => {
    const { one, other } = await startTwo();
    one.events.prependListener('resources.changed', () => {
      throw new Error('a fault of a listener');
    });
    one.service.announce([room(1)]);
    await one.bus.settled();
    expect(other.heard).toEqual([[[room(1)], 'elsewhere']]);
  });
});
