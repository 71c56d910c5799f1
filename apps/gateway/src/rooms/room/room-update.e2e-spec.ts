import { ManualClock } from '@rtms/testing';
import { DataSource } from 'typeorm';
import { RoomEndingService } from '../ending/room-ending.service.js';
import { startTestGateway, type TestAccount, type TestGateway } from '../../testing/start-test-gateway.js';

const minuteMs = 60_000;

describe('updating a room', () => {
  let clock: ManualClock;
  let gateway: TestGateway;
  let owner: TestAccount;

  beforeAll(async () => {
    clock = new ManualClock(Date.now());
    gateway = await startTestGateway({ clock });
    owner = await gateway.makeAccount();
  });
  afterAll(() => gateway?.close());

  interface RoomAnswer {
    meetingID: string;
    createdAt: string;
    expiresAt: string;
    [field: string]: unknown;
  }

  const post = (body: object) => gateway.http.post('/v1/rooms').set('Authorization', owner.authorization).send(body);
  const create = async (fields: object = {}): Promise<RoomAnswer> => {
    const { body } = await post({ action: 'create', userName: 'Ada', ...fields }).expect(201);
    return body.room as RoomAnswer;
  };
  const get = async (meetingID: string): Promise<RoomAnswer> => {
    const { body } = await gateway.http
      .get('/v1/rooms')
      .set('Authorization', owner.authorization)
      .query({ meetingID })
      .expect(200);
    return body.room as RoomAnswer;
  };
  const update = async (meetingID: string, fields: object): Promise<RoomAnswer> => {
    const { body } = await post({ action: 'update', meetingID, ...fields }).expect(200);
    return body.room as RoomAnswer;
  };
  const query = (sql: string, parameters: unknown[]) => gateway.app.get(DataSource).query(sql, parameters);
  /** Moves the creation of the room into the past. */
  const age = (meetingID: string, minutes: number) =>
    query(
      `UPDATE rooms SET created_at = created_at - make_interval(mins => $2),
         expires_at = expires_at - make_interval(mins => $2) WHERE id = $1`,
      [meetingID, minutes],
    );

  it('changes only the given fields', async () => {
    const room = await create({ roomName: 'Standup', metadata: { team: 1 } });
    const changed = await update(room.meetingID, { capacity: 100, metadata: { team: 2, toString: 'x' } });
    expect(changed).toEqual({ ...room, capacity: 100, metadata: { team: 2, toString: 'x' } });
    expect(await get(room.meetingID)).toEqual(changed);
    expect(await update(room.meetingID, {})).toEqual(changed);
    expect(await update(room.meetingID, { capacity: null, metadata: null })).toEqual(changed);
  });

  it('moves the expiry with the duration, counted from the creation', async () => {
    const { meetingID, createdAt } = await create({ duration: 60 });
    for (const duration of [1440, 5]) {
      const { expiresAt, ...room } = await update(meetingID, { duration });
      expect(room).toMatchObject({ duration });
      expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(duration * minuteMs);
    }
  });

  it('refuses a duration that is already over', async () => {
    const { meetingID } = await create({ duration: 60 });
    await age(meetingID, 10);
    const { body } = await post({ action: 'update', meetingID, duration: 10 }).expect(400);
    expect(body).toEqual({
      success: false,
      error: 'duration is already over: it counts from the creation of the room.',
      code: 'BAD_REQUEST',
      reason: 'invalid_request',
    });
    expect(await get(meetingID)).toMatchObject({ state: 'active', duration: 60 });
  });

  it('ends the room at its new expiry', async () => {
    const { meetingID } = await create({ duration: 60 });
    await age(meetingID, 9);
    await update(meetingID, { duration: 10 });
    await clock.advance(minuteMs - 1);
    expect(await get(meetingID)).toMatchObject({ state: 'active' });
    await clock.advance(1_000);
    expect(await get(meetingID)).toMatchObject({ state: 'ended', endReason: 'expired' });
  });

  it('is refused after the expiry, even before the room is ended', async () => {
    const { meetingID } = await create();
    await query(`UPDATE rooms SET expires_at = $2 WHERE id = $1`, [meetingID, new Date(clock.now())]);
    const { body } = await post({ action: 'update', meetingID, duration: 1440 }).expect(409);
    expect(body).toMatchObject({ code: 'CONFLICT', reason: 'room_ended' });
  });

  it('keeps a room that is extended at the moment of its expiry', async () => {
    const { meetingID } = await create({ duration: 60 });
    const ending = gateway.app.get(RoomEndingService, { strict: false });
    await ending.end({ id: meetingID }, 'expired');
    expect(await get(meetingID)).toMatchObject({ state: 'active' });
    await ending.end({ id: meetingID }, 'balance_exhausted');
    expect(await get(meetingID)).toMatchObject({ state: 'ended', endReason: 'balance_exhausted' });
  });

  it('leaves a place for everybody who is in the room or may come', async () => {
    const { meetingID } = await create({ capacity: 5 });
    for (let index = 0; index < 3; index += 1) await post({ action: 'join', meetingID, userName: 'Grace' }).expect(201);
    const { body } = await post({ action: 'update', meetingID, capacity: 2 }).expect(409);
    expect(body).toMatchObject({
      error: 'capacity must be at least 4, the number of taken or reserved places.',
      code: 'CONFLICT',
      reason: 'capacity_reached',
    });
    expect(await update(meetingID, { capacity: 4 })).toMatchObject({ capacity: 4, reservedCount: 4 });
    await post({ action: 'join', meetingID, userName: 'Late' }).expect(409);
  });

  it('never leaves more participants than places with concurrent joins', async () => {
    const { meetingID } = await create({ capacity: 20 });
    const joins = Array.from({ length: 10 }, () => post({ action: 'join', meetingID, userName: 'Grace' }));
    await Promise.all([...joins, post({ action: 'update', meetingID, capacity: 4 })]);
    const { capacity, participantCount, reservedCount } = await get(meetingID);
    expect(Number(participantCount) + Number(reservedCount)).toBeLessThanOrEqual(capacity as number);
  });

  it.each([
    [{ duration: 0 }, 'duration must be a whole number of minutes from 1 to 1440.'],
    [{ duration: '5' }, 'duration must be a whole number of minutes from 1 to 1440.'],
    [{ capacity: 1 }, 'capacity must be a whole number of participants from 2 to 100000.'],
    [{ metadata: [] }, 'metadata must be an object of at most 4 KiB.'],
    [{ metadata: { x: 'é'.repeat(2048) } }, 'metadata must be an object of at most 4 KiB.'],
  ])('refuses %j', async (fields, error) => {
    const { meetingID } = await create();
    const { body } = await post({ action: 'update', meetingID, ...fields }).expect(400);
    expect(body).toEqual({ success: false, error, code: 'BAD_REQUEST', reason: 'invalid_request' });
  });

  it('names fields that cannot change', async () => {
    const { meetingID } = await create();
    const { body } = await post({ action: 'update', meetingID, userName: 'Grace' }).expect(400);
    expect(body).toMatchObject({ reason: 'unknown_field', error: 'Unknown field: userName.' });
  });
});
