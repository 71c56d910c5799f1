import { ServiceError } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { inBackground, poolsOf } from '../../platform/database/connection-pools.js';
import { MediaTestBed } from '../../testing/media-test-bed.js';
import type { RoomChange } from './room-change.js';
import { RoomChangesService } from './room-changes.service.js';
import { RoomEventsRepository } from './room-events.repository.js';

/** More than the connections of a gateway's pool. */
const manyChanges = 40;

describe('changes of a room', () => {
  let bed: MediaTestBed;
  let changes: RoomChangesService;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
    changes = bed.gateway.app.get(RoomChangesService, { strict: false });
  });
  afterAll(() => bed?.close());

  const eventsAfter = async (sequence: number) =>
    (await bed.gateway.app.get(RoomEventsRepository, { strict: false }).readAfter(bed.meetingID, sequence)).events;
  const lastSequence = async () => (await eventsAfter(0)).at(-1)?.sequence ?? 0;

  /** Changes that wait for `begin`, each with a numbered event. */
  function startChanges(name: string, count: number, begin: Promise<void>, fails = (_: number): boolean => false) {
    return Array.from({ length: count }, (_, number) =>
      changes.runShared(bed.meetingID, async change => {
        await begin;
        const { id } = change.room;
        await change.manager.query('UPDATE rooms SET metadata = metadata || $2::jsonb WHERE id = $1', [
          id,
          JSON.stringify({ [`${name}${number}`]: true }),
        ]);
        change.emit('participant.left', { participantID: `part_${number}`, reason: 'participant_left' });
        if (fails(number)) throw new ServiceError('not_permitted', 'This one fails.');
        return number;
      }),
    );
  }

  it('leave connections to other work while they wait', async () => {
    let begin: () => void = () => undefined;
    const begun = new Promise<void>(resolve => (begin = resolve));
    const all = startChanges('first', manyChanges, begun);
    const dataSource = bed.gateway.app.get(DataSource, { strict: false });
    // If each change held a connection, this request would time out.
    expect(await dataSource.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    begin();
    expect(await Promise.all(all)).toEqual(Array.from({ length: manyChanges }, (_, number) => number));
  });

  it('are rolled back one by one, and the others keep their order', async () => {
    const before = await lastSequence();
    const outcomes = await Promise.allSettled(
      startChanges('second', 30, Promise.resolve(), number => number % 3 === 1),
    );
    const kept = Array.from({ length: 30 }, (_, number) => number).filter(number => number % 3 !== 1);
    expect(outcomes.flatMap(each => (each.status === 'fulfilled' ? each.value : []))).toEqual(kept);
    for (const each of outcomes)
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ reason: 'not_permitted' });
    const events = await eventsAfter(before);
    expect(events.map(({ body }) => (body as { participantID: string }).participantID)).toEqual(
      kept.map(number => `part_${number}`),
    );
    expect(events.map(({ sequence }) => sequence - before)).toEqual(kept.map((_, index) => index + 1));
    const { metadata } = (await bed.request('get', `/v1/rooms?meetingID=${bed.meetingID}`)).body['room'] as {
      metadata: object;
    };
    expect(metadata).toHaveProperty('second0');
    expect(metadata).not.toHaveProperty('second28');
  });

  it('use the connection pool of their callers', async () => {
    const pools = Object.entries(poolsOf(bed.gateway.app.get(DataSource, { strict: false })));
    const poolOfClient = new Map<unknown, string>();
    const notes = pools.map(([name, pool]) => ({
      pool,
      note: (client: unknown) => void poolOfClient.set(client, name),
    }));
    for (const { pool, note } of notes) pool.on('acquire', note);
    let begin: () => void = () => undefined;
    const begun = new Promise<void>(resolve => (begin = resolve));
    const poolOf = async ({ manager }: RoomChange): Promise<unknown> => {
      await begun;
      return poolOfClient.get(await manager.queryRunner?.connect());
    };
    const all = [
      inBackground(() => changes.run(bed.meetingID, poolOf)),
      changes.run(bed.meetingID, poolOf),
      inBackground(() => changes.runShared(bed.meetingID, poolOf)),
      changes.runShared(bed.meetingID, poolOf),
      changes.runShared(bed.meetingID, poolOf),
    ];
    begin();
    const used = await Promise.all(all);
    for (const { pool, note } of notes) pool.off('acquire', note);
    expect(used).toEqual(['background', 'requests', 'background', 'requests', 'requests']);
  });

  it('of requests run while background changes of many rooms wait', async () => {
    const rooms = await Promise.all(Array.from({ length: 12 }, () => bed.createRoom()));
    let begin: () => void = () => undefined;
    const begun = new Promise<void>(resolve => (begin = resolve));
    const waiting = rooms.map(meetingID => inBackground(() => changes.run(meetingID, () => begun)));
    // Behind the background changes this request would time out.
    expect(await changes.run(bed.meetingID, () => Promise.resolve('done'))).toBe('done');
    begin();
    await Promise.all(waiting);
  });

  it('all fail when their room has ended', async () => {
    await bed.request('post', '/v1/rooms', { action: 'end', meetingID: bed.meetingID });
    const outcomes = await Promise.allSettled(startChanges('third', 3, Promise.resolve()));
    for (const each of outcomes) expect(each).toMatchObject({ status: 'rejected', reason: { reason: 'room_ended' } });
  });

  it('are forgotten ten minutes after the end of the room', async () => {
    const events = bed.gateway.app.get(RoomEventsRepository, { strict: false });
    await bed.endRoom();
    await events.forgetEnded(bed.date(600_000));
    expect(await eventsAfter(0)).not.toEqual([]);
    await events.forgetEnded(bed.date(600_001));
    expect(await eventsAfter(0)).toEqual([]);
  });
});
