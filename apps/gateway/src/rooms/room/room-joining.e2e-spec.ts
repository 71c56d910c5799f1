/** @seconds 9 */
import { jwksKey, keyBucket } from '@rtms/contracts';
import { TokenVerifier, type PublicKeySet } from '@rtms/tokens';
import { DataSource } from 'typeorm';
import { BalancesRepository } from '../../accounts/balance/balances.repository.js';
import { MediaTestBed } from '../../testing/media-test-bed.js';

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('joining a room', () => {
  let bed: MediaTestBed;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
  });
  afterAll(() => bed?.close());

  const post = (body: object, account = bed.account) => bed.request('post', '/v1/rooms', body, account);
  const join = (fields: object, account = bed.account) =>
    post({ action: 'join', userName: 'Grace', ...fields }, account);
  const getRoom = async (meetingID: string) => {
    const { body } = await bed.request('get', `/v1/rooms?meetingID=${meetingID}`);
    return body['room'] as Record<string, unknown>;
  };
  const query = <Rows>(sql: string, parameters: unknown[]) =>
    bed.gateway.app.get(DataSource).query<Rows>(sql, parameters);
  const participantsOf = (meetingID: string) =>
    query<Record<string, unknown>[]>(
      'SELECT state, leave_reason, left_at FROM participants WHERE meeting_id = $1 ORDER BY id',
      [meetingID],
    );

  it('returns a participant and a ticket for the socket', async () => {
    const meetingID = await bed.createRoom();
    const { status, body } = await join({ meetingID });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        success: true,
        participant: {
          participantID: expect.stringMatching(/^part_[A-Za-z0-9]{16,}$/),
          meetingID,
          userName: 'Grace',
          role: 'participant',
          state: 'joined',
          joinedAt: expect.stringMatching(rfc3339),
          leftAt: null,
          leaveReason: null,
        },
        join: {
          url: 'ws://gateway.test/v1/socket',
          token: expect.any(String),
          expiresAt: expect.stringMatching(rfc3339),
        },
      },
    });
    const counts = { participantCount: 0, reservedCount: 2, externalSessionCount: 0 };
    expect(await getRoom(meetingID)).toMatchObject(counts);
  });

  it('issues a token only for this participant and role', async () => {
    const meetingID = await bed.createRoom();
    const { body } = await join({ meetingID, role: 'viewer' });
    const { participant, join: ticket } = body as unknown as {
      participant: { participantID: string };
      join: { token: string };
    };
    const bucket = await bed.gateway.bus.keyValue<PublicKeySet>(keyBucket);
    const verifier = new TokenVerifier(bed.clock);
    verifier.setKeys((await bucket.get(jwksKey)) ?? { keys: [] });
    await expect(verifier.verify(ticket.token, 'join')).resolves.toMatchObject({
      purpose: 'join',
      meetingID,
      resourceID: participant.participantID,
      role: 'viewer',
    });
  });

  it.each([
    [{ userName: '' }, 'userName must be text of 1 to 64 characters.'],
    [{ userName: undefined }, 'userName must be text of 1 to 64 characters.'],
    [{ userName: 'x'.repeat(65) }, 'userName must be text of 1 to 64 characters.'],
    [{ role: 'owner' }, 'role must be one of: host, cohost, participant, viewer.'],
    [{ secureCode: '1234' }, 'secureCode must be text of 5 to 64 characters.'],
    [{ meetingID: undefined }, 'meetingID must be the identifier of a room.'],
    [{ meetingID: 7 }, 'meetingID must be the identifier of a room.'],
  ])('refuses %j', async (fields, error) => {
    const { status, body } = await join({ meetingID: bed.meetingID, ...fields });
    expect({ status, body }).toEqual({
      status: 400,
      body: { success: false, error, code: 'BAD_REQUEST', reason: 'invalid_request' },
    });
  });

  describe('with a role', () => {
    it.each(['host', 'participant', 'viewer'])('admits a %s', async role => {
      const { status, body } = await join({ meetingID: bed.meetingID, role });
      expect({ status, body }).toMatchObject({ status: 201, body: { participant: { role } } });
    });

    it('admits a co-host only when the event settings allow it', async () => {
      const account = await bed.gateway.makeAccount();
      const create = { action: 'create', userName: 'Ada' };
      const makeRoom = async () => ((await post(create, account)).body['room'] as { meetingID: string }).meetingID;
      const before = await makeRoom();
      await bed.request('post', '/v1/eventssettings', { action: 'create', addCoHost: true }, account);
      const refused = await join({ meetingID: before, role: 'cohost' }, account);
      expect(refused).toMatchObject({ status: 403, body: { code: 'FORBIDDEN', reason: 'role_not_allowed' } });
      expect(await join({ meetingID: await makeRoom(), role: 'cohost' }, account)).toMatchObject({
        status: 201,
        body: { participant: { role: 'cohost' } },
      });
    });
  });

  describe('with a secure code', () => {
    it('admits only callers with the code', async () => {
      const meetingID = await bed.createRoom({ secureCode: 'open sesame' });
      const refusal = { status: 403, body: { code: 'FORBIDDEN', reason: 'wrong_secure_code' } };
      expect(await join({ meetingID })).toMatchObject(refusal);
      expect(await join({ meetingID, secureCode: 'open Sesame' })).toMatchObject(refusal);
      expect(await join({ meetingID, secureCode: 'open sesame', role: 'host' })).toMatchObject({ status: 201 });
      expect(await getRoom(meetingID)).toMatchObject({ reservedCount: 2 });
    });

    it('ignores the code in a room without one', async () => {
      expect(await join({ meetingID: bed.meetingID, secureCode: 'whatever' })).toMatchObject({ status: 201 });
    });
  });

  describe('when the room is full', () => {
    const full = { status: 409, body: { code: 'CONFLICT', reason: 'capacity_reached' } };

    it('refuses joins after the last place, one of which is the creator’s', async () => {
      const meetingID = await bed.createRoom({ capacity: 3 });
      expect(await join({ meetingID })).toMatchObject({ status: 201 });
      expect(await join({ meetingID })).toMatchObject({ status: 201 });
      expect(await join({ meetingID })).toMatchObject(full);
      expect(await getRoom(meetingID)).toMatchObject({ participantCount: 0, reservedCount: 3 });
    });

    it('frees the place of a ticket that is unused for a minute', async () => {
      const meetingID = await bed.createRoom({ capacity: 2 });
      await join({ meetingID });
      await bed.clock.advance(59_000);
      expect(await join({ meetingID })).toMatchObject(full);
      await bed.clock.advance(3_000);
      expect(await join({ meetingID })).toMatchObject({ status: 201 });
    });

    it('gives the last place to one of many concurrent joins', async () => {
      const meetingID = await bed.createRoom({ capacity: 3 });
      await join({ meetingID });
      const answers = await Promise.all(Array.from({ length: 10 }, () => join({ meetingID })));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
      expect(await getRoom(meetingID)).toMatchObject({ reservedCount: 3 });
    });

    it('counts external sessions until they end', async () => {
      bed.meetingID = await bed.createRoom({ capacity: 3 });
      const sessionID = await bed.openActiveSession();
      expect(await join({ meetingID: bed.meetingID })).toMatchObject({ status: 201 });
      expect(await getRoom(bed.meetingID)).toMatchObject({
        participantCount: 1,
        reservedCount: 2,
        externalSessionCount: 1,
      });
      expect(await join({ meetingID: bed.meetingID })).toMatchObject(full);
      await bed.remove('external-sessions', sessionID);
      expect(await getRoom(bed.meetingID)).toMatchObject({
        participantCount: 0,
        reservedCount: 2,
        externalSessionCount: 0,
      });
      expect(await join({ meetingID: bed.meetingID })).toMatchObject({ status: 201 });
    });

    it('refuses external sessions too, and stores no row of them', async () => {
      bed.meetingID = await bed.createRoom({ capacity: 3 });
      await join({ meetingID: bed.meetingID });
      const session = { displayName: 'Camera', ingest: { protocol: 'whip', tracks: ['video'] } };
      const answers = await Promise.all(Array.from({ length: 5 }, () => bed.post('external-sessions', session)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
      expect(answers.find(({ status }) => status === 409)).toMatchObject(full);
      const rows = await query<object[]>('SELECT id FROM external_sessions WHERE meeting_id = $1', [bed.meetingID]);
      expect(rows).toHaveLength(1);
    });
  });

  describe('with the ticket of a participant', () => {
    interface Ticket {
      participant: { participantID: string };
      join: { token: string };
    }
    const ticketOf = async (fields: object) => (await join(fields)).body as unknown as Ticket;

    it('returns the same place in a full room', async () => {
      const meetingID = await bed.createRoom({ capacity: 2 });
      const { participant, join: former } = await ticketOf({ meetingID, role: 'viewer' });
      const { participantID } = participant;
      const { status, body } = await join({ meetingID, participantID, ticket: former.token });
      expect({ status, body }).toMatchObject({ status: 201, body: { participant } });
      expect(await getRoom(meetingID)).toMatchObject({ reservedCount: 2 });
    });

    it('returns a lost place while one is free', async () => {
      const meetingID = await bed.createRoom({ capacity: 2 });
      const { participant, join: former } = await ticketOf({ meetingID });
      const back = { meetingID, participantID: participant.participantID, ticket: former.token };
      await bed.clock.advance(62_000);
      expect(await participantsOf(meetingID)).toMatchObject([{ state: 'left', leave_reason: 'participant_lost' }]);
      expect(await join(back)).toMatchObject({ status: 201, body: { participant: { state: 'joined', leftAt: null } } });
      await bed.clock.advance(62_000);
      expect(await join({ meetingID })).toMatchObject({ status: 201 });
      expect(await join(back)).toMatchObject({ status: 409, body: { reason: 'capacity_reached' } });
    });

    it('is refused without the ticket, with another participant’s ticket, and for a session', async () => {
      const meetingID = await bed.createRoom();
      const [one, other] = [await ticketOf({ meetingID }), await ticketOf({ meetingID })];
      const { participantID } = one.participant;
      const refused = { status: 400, body: { reason: 'invalid_request' } };
      expect(await join({ meetingID, participantID })).toMatchObject(refused);
      expect(await join({ meetingID, ticket: one.join.token })).toMatchObject(refused);
      expect(await join({ meetingID, participantID, ticket: other.join.token })).toMatchObject(refused);
      expect(await join({ meetingID, participantID, ticket: 'x' })).toMatchObject({ status: 401 });
      const publisher = { displayName: 'Camera', ingest: { protocol: 'service-webrtc', tracks: ['video'] } };
      bed.meetingID = meetingID;
      const { body } = await bed.post('external-sessions', publisher);
      const session = body['externalSession'] as { sessionID: string; ingest: { join: { token: string } } };
      const asMember = { participantID: session.sessionID, ticket: session.ingest.join.token };
      expect(await join({ meetingID, ...asMember })).toMatchObject({ status: 404, body: { reason: 'not_found' } });
    });
  });

  describe('after the end', () => {
    it('is refused', async () => {
      const meetingID = await bed.createRoom();
      await join({ meetingID });
      await post({ action: 'end', meetingID });
      const ended = { status: 409, body: { code: 'CONFLICT', reason: 'room_ended' } };
      expect(await join({ meetingID })).toMatchObject(ended);
      expect(await post({ action: 'update', meetingID, capacity: 3 })).toMatchObject(ended);
    });

    it('makes everybody leave', async () => {
      const meetingID = await bed.createRoom();
      await Promise.all([join({ meetingID }), join({ meetingID })]);
      const { body } = await post({ action: 'end', meetingID });
      expect(body['room']).toMatchObject({ state: 'ended', participantCount: 0 });
      const left = { state: 'left', leave_reason: 'room_ended', left_at: expect.any(Date) as Date };
      expect(await participantsOf(meetingID)).toEqual([left, left]);
    });

    it('refuses joins while the room ends', async () => {
      const meetingID = await bed.createRoom({ capacity: 100 });
      const joins = Array.from({ length: 10 }, () => join({ meetingID }));
      await Promise.all([...joins, post({ action: 'end', meetingID })]);
      const rows = await participantsOf(meetingID);
      expect(rows.filter(({ state }) => state !== 'left')).toEqual([]);
      expect(await getRoom(meetingID)).toMatchObject({ state: 'ended', participantCount: 0 });
    });
  });

  it('is refused when the minutes are used up, and so is a new room', async () => {
    const account = await bed.gateway.makeAccount();
    const create = { action: 'create', userName: 'Ada' };
    const { body } = await post(create, account);
    const { meetingID } = body['room'] as { meetingID: string };
    const balances = bed.gateway.app.get(BalancesRepository, { strict: false });
    // Time stands still, so metering does not end the room first.
    await balances.set(account.accountID, 'sandbox', { meetingMinutes: 0 });
    const answers = [await post(create, account), await join({ meetingID }, account)];
    const exhausted = { status: 403, body: { code: 'FORBIDDEN', reason: 'balance_exhausted' } };
    expect(answers).toMatchObject([exhausted, exhausted]);
  });

  it('answers the same for a room of another account as for an unknown room', async () => {
    const stranger = await bed.gateway.makeAccount();
    const foreign = await join({ meetingID: bed.meetingID }, stranger);
    const unknown = await join({ meetingID: `room_${'0'.repeat(22)}` }, stranger);
    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual(unknown.body);
    const update = await post({ action: 'update', meetingID: bed.meetingID, capacity: 3 }, stranger);
    expect(update.body).toEqual(unknown.body);
  });
});
