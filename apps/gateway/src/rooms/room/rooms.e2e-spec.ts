import { systemClock } from '@rtms/clock';
import { TokenVerifier, type PublicKeySet } from '@rtms/tokens';
import { jwksKey, keyBucket } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { startTestGateway, type TestAccount, type TestGateway } from '../../testing/start-test-gateway.js';

const opaqueID = /^room_[A-Za-z0-9]{16,}$/;
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('rooms over HTTP', () => {
  let gateway: TestGateway;
  let owner: TestAccount;

  beforeAll(async () => {
    gateway = await startTestGateway();
    owner = await gateway.makeAccount();
  });
  afterAll(() => gateway.close());

  const post = (body: object, account = owner) =>
    gateway.http.post('/v1/rooms').set('Authorization', account.authorization).send(body);
  const get = (query: object, account = owner) =>
    gateway.http.get('/v1/rooms').set('Authorization', account.authorization).query(query);
  const create = async (fields: object = {}, account = owner): Promise<Record<string, unknown>> => {
    const { body } = await post({ action: 'create', userName: 'Ada', ...fields }, account).expect(201);
    return body.room as Record<string, unknown>;
  };

  describe('create', () => {
    it('returns a room with defaults and a ticket for the socket', async () => {
      const { body } = await post({ action: 'create', userName: 'Ada' }).expect(201);
      expect(body).toEqual({
        success: true,
        room: {
          meetingID: expect.stringMatching(opaqueID),
          roomName: null,
          eventType: 'conference',
          state: 'active',
          keyType: 'sandbox',
          hostName: 'Ada',
          duration: 60,
          capacity: 20,
          participantCount: 0,
          reservedCount: 1,
          externalSessionCount: 0,
          settings: expect.objectContaining({ type: 'conference', audioSetting: 'allow', targetResolution: 'hd' }),
          metadata: {},
          createdAt: expect.stringMatching(rfc3339),
          expiresAt: expect.stringMatching(rfc3339),
          endedAt: null,
          endReason: null,
        },
        join: {
          url: 'ws://gateway.test/v1/socket',
          token: expect.any(String),
          expiresAt: expect.stringMatching(rfc3339),
        },
      });
    });

    it('accepts every field', async () => {
      const fields = {
        duration: 1440,
        capacity: 100_000,
        eventType: 'webinar',
        roomName: 'All hands',
        recordOnStart: true,
      };
      const room = await create({
        ...fields,
        secureCode: 'open sesame',
        metadata: { toString: 1, deep: { list: [1] } },
      });
      expect(room).toMatchObject({ duration: 1440, capacity: 100_000, eventType: 'webinar', roomName: 'All hands' });
      expect(room['metadata']).toEqual({ toString: 1, deep: { list: [1] } });
      expect(Date.parse(room['expiresAt'] as string) - Date.parse(room['createdAt'] as string)).toBe(1440 * 60_000);
    });

    it('issues a join token that the published keys verify', async () => {
      const { body } = await post({ action: 'create', userName: 'Ada' }).expect(201);
      const bucket = await gateway.bus.keyValue<PublicKeySet>(keyBucket);
      const verifier = new TokenVerifier(systemClock);
      verifier.setKeys((await bucket.get(jwksKey)) ?? { keys: [] });
      await expect(verifier.verify(body.join.token as string, 'join')).resolves.toMatchObject({
        purpose: 'join',
        meetingID: body.room.meetingID as string,
        role: 'host',
      });
    });

    it('never returns or stores a secure code', async () => {
      const room = await create({ secureCode: 'open sesame' });
      const rows = await gateway.app
        .get(DataSource)
        .query<object[]>('SELECT * FROM rooms WHERE id = $1', [room['meetingID']]);
      expect(JSON.stringify([room, rows])).not.toMatch(/sesame|secureCode/i);
    });

    const durationMessage = 'duration must be a whole number of minutes from 1 to 1440.';
    it.each<[string, object, string]>([
      ['no name', { userName: undefined }, 'userName must be text of 1 to 64 characters.'],
      ['an empty name', { userName: '' }, 'userName must be text of 1 to 64 characters.'],
      ['a blank name', { userName: '  ' }, 'userName must be text of 1 to 64 characters.'],
      ['a long name', { userName: 'x'.repeat(65) }, 'userName must be text of 1 to 64 characters.'],
      ['a name that is a list', { userName: ['Ada'] }, 'userName must be text of 1 to 64 characters.'],
      ['no minutes', { duration: 0 }, durationMessage],
      ['too many minutes', { duration: 1441 }, durationMessage],
      ['half a minute', { duration: 1.5 }, durationMessage],
      ['minutes as text', { duration: '60' }, durationMessage],
      ['one participant', { capacity: 1 }, 'capacity must be a whole number of participants from 2 to 100000.'],
      [
        'too many participants',
        { capacity: 100_001 },
        'capacity must be a whole number of participants from 2 to 100000.',
      ],
      ['an unknown type', { eventType: 'party' }, 'eventType must be one of: conference, webinar, broadcast, chat.'],
      ['a short code', { secureCode: '1234' }, 'secureCode must be text of 5 to 64 characters.'],
      ['metadata that is a list', { metadata: [] }, 'metadata must be an object of at most 4 KiB.'],
      ['much metadata', { metadata: { x: 'é'.repeat(2048) } }, 'metadata must be an object of at most 4 KiB.'],
      ['recording as text', { recordOnStart: 'yes' }, 'recordOnStart must be true or false.'],
    ])('refuses %s', async (_, fields, error) => {
      const { body } = await post({ action: 'create', userName: 'Ada', ...fields }).expect(400);
      expect(body).toEqual({ success: false, error, code: 'BAD_REQUEST', reason: 'invalid_request' });
    });

    it('names unknown fields', async () => {
      const { body } = await post({ action: 'create', userName: 'Ada', colour: 'red' }).expect(400);
      expect(body).toMatchObject({ code: 'BAD_REQUEST', reason: 'unknown_field', error: 'Unknown field: colour.' });
    });

    it('uses a name once among the active rooms of an account', async () => {
      const { meetingID } = await create({ roomName: 'Standup' });
      const { body } = await post({ action: 'create', userName: 'Ada', roomName: 'Standup' }).expect(409);
      expect(body).toMatchObject({ code: 'CONFLICT', reason: 'name_taken' });
      await create({ roomName: 'Standup' }, await gateway.makeAccount());
      await post({ action: 'end', meetingID }).expect(200);
      await create({ roomName: 'Standup' });
    });

    it('gives a name to one of many concurrent requests', async () => {
      const asked = Array.from({ length: 8 }, () => post({ action: 'create', userName: 'Ada', roomName: 'Race' }));
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      expect(statuses.sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
    });
  });

  describe('get', () => {
    it('returns a room by its ID', async () => {
      const room = await create();
      const { body } = await get({ action: 'get', meetingID: room['meetingID'] }).expect(200);
      expect(body).toEqual({ success: true, room });
    });

    it('lists newest first, with pages and a total', async () => {
      const account = await gateway.makeAccount();
      const made: unknown[] = [];
      for (let index = 0; index < 3; index += 1) made.unshift((await create({}, account))['meetingID']);
      const { body } = await get({ startIndex: 1, pageSize: 1 }, account).expect(200);
      expect(body).toMatchObject({ success: true, total: 3, startIndex: 1, pageSize: 1 });
      expect(body.rooms.map((room: { meetingID: string }) => room.meetingID)).toEqual([made[1]]);
    });

    it('filters by state, type and name', async () => {
      const account = await gateway.makeAccount();
      const chat = await create({ eventType: 'chat', roomName: 'Talk' }, account);
      const ended = await create({}, account);
      await post({ action: 'end', meetingID: ended['meetingID'] }, account).expect(200);
      const idsFor = async (query: object) => {
        const { body } = await get(query, account).expect(200);
        return (body.rooms as { meetingID: string }[]).map(room => room.meetingID);
      };
      expect(await idsFor({ state: 'active' })).toEqual([chat['meetingID']]);
      expect(await idsFor({ state: 'ended' })).toEqual([ended['meetingID']]);
      expect(await idsFor({ eventType: 'chat' })).toEqual([chat['meetingID']]);
      expect(await idsFor({ roomName: 'Talk' })).toEqual([chat['meetingID']]);
      expect(await idsFor({ roomName: 'Nobody' })).toEqual([]);
    });

    it.each([{ pageSize: 101 }, { pageSize: 0 }, { startIndex: -1 }, { state: 'paused' }, { eventType: 'x' }])(
      'refuses %j',
      async query => {
        const { body } = await get(query).expect(400);
        expect(body).toMatchObject({ success: false, code: 'BAD_REQUEST', reason: 'invalid_request' });
      },
    );
  });

  describe('end', () => {
    it.each(['end', 'delete'])('%s ends a room, idempotently', async action => {
      const { meetingID } = await create();
      const { body: first } = await post({ action, meetingID }).expect(200);
      expect(first.room).toMatchObject({ meetingID, state: 'ended', endReason: 'requested' });
      expect(first.room.endedAt).toMatch(rfc3339);
      const { body: second } = await post({ action, meetingID }).expect(200);
      expect(second).toEqual(first);
    });

    it('requires a room', async () => {
      const { body } = await post({ action: 'end' }).expect(400);
      expect(body.error).toBe('meetingID must be the identifier of a room.');
    });
  });

  describe('tenancy', () => {
    it('answers the same for a room of another account as for an unknown room', async () => {
      const stranger = await gateway.makeAccount();
      const { meetingID } = await create();
      const unknown = `room_${'0'.repeat(22)}`;
      const foreignRead = await get({ meetingID }, stranger).expect(404);
      const unknownRead = await get({ meetingID: unknown }, stranger).expect(404);
      expect(foreignRead.body).toEqual(unknownRead.body);
      const foreignEnd = await post({ action: 'end', meetingID }, stranger).expect(404);
      expect(foreignEnd.body).toEqual(unknownRead.body);
      await get({ meetingID }).expect(200);
    });

    it('lists no room of another account', async () => {
      await create();
      const { body } = await get({}, await gateway.makeAccount()).expect(200);
      expect(body).toMatchObject({ rooms: [], total: 0 });
    });
  });
});
