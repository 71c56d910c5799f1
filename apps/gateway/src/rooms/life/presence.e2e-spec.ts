import { waitFor } from '@rtms/testing';
import { DataSource } from 'typeorm';
import { RoomClient } from '../../testing/room-client.js';
import { RoomTestBed } from '../../testing/room-test-bed.js';

describe('presence in a room', () => {
  let bed: RoomTestBed;

  beforeAll(async () => {
    // Longer than any test. A test ends grace times itself.
    bed = await RoomTestBed.start({ graceSeconds: 600 });
  });
  afterAll(() => bed?.close());
  afterEach(() => bed.closeClients());

  const query = <Row>(sql: string, parameters: unknown[]): Promise<Row[]> =>
    bed.one.app.get(DataSource).query<Row[]>(sql, parameters);
  /** Returns whether the grace time had begun. */
  const endGrace = async (participantID: string): Promise<boolean> => {
    const statement =
      'UPDATE participants SET grace_until = now() WHERE id = $1 AND grace_until IS NOT NULL RETURNING id';
    const [updated] = await query<unknown[]>(statement, [participantID]);
    return (updated ?? []).length > 0;
  };
  const intervals = (participantID: string) =>
    query<{ ended_at: Date | null }>('SELECT ended_at FROM usage_intervals WHERE resource_id = $1', [participantID]);
  const count = async (meetingID: string) => (await bed.room(meetingID))['participantCount'];
  const reserved = async (meetingID: string) => (await bed.room(meetingID))['reservedCount'];

  it('waits for a lost participant, who reconnects through the other replica and misses no event', async () => {
    const { meetingID, host } = await bed.openRoom();
    const { token } = await bed.ticket(meetingID);
    const guest = await bed.connect(bed.one, token);
    await host.must('chat.send', { message: 'before' });
    await guest.next('chat.message');
    const after = guest.sequence;
    guest.drop();
    await host.next('participant.changed', ({ participant }) => !participant.isConnected);
    await host.must('chat.send', { message: 'meanwhile' });
    const back = await bed.connect(bed.other, token, after);
    expect(back.welcome).toMatchObject({ participantID: guest.id, sequence: after });
    expect(back.welcome.snapshot).toBeUndefined();
    await back.next('participant.changed', ({ participant }) => participant.isConnected);
    expect(back.events.map(event => event.type)).toEqual([
      'participant.changed',
      'chat.message',
      'participant.changed',
    ]);
    expect(await intervals(guest.id)).toEqual([{ ended_at: null }]);
  });

  it('ends for a participant who does not reconnect, and closes its media', async () => {
    const { meetingID, host } = await bed.openRoom();
    const guest = await bed.join(bed.other, meetingID);
    guest.drop();
    await host.next('participant.changed', ({ participant }) => !participant.isConnected);
    await endGrace(guest.id);
    const { reason } = await host.next('participant.left', ({ participantID }) => participantID === guest.id);
    expect(reason).toBe('participant_lost');
    expect(await intervals(guest.id)).toEqual([{ ended_at: expect.any(Date) }]);
    expect(await count(meetingID)).toBe(1);
  });

  it('ends for a participant who never connected, without an event', async () => {
    const { meetingID, host } = await bed.openRoom();
    await bed.ticket(meetingID);
    expect(await reserved(meetingID)).toBe(1);
    await query(`UPDATE participants SET grace_until = now() WHERE meeting_id = $1 AND connected_at IS NULL`, [
      meetingID,
    ]);
    await waitFor(async () => Number(await reserved(meetingID)) < 1, { what: 'it to be given up' });
    await host.quiet();
    expect(host.all('participant.left')).toEqual([]);
  });

  it('keeps the place of the creator, who may connect last and come back after being lost', async () => {
    const { meetingID, hostToken } = await bed.createRoom({ capacity: 2 });
    const guest = await bed.join(bed.other, meetingID);
    await expect(bed.ticket(meetingID)).rejects.toThrow('capacity_reached');
    const host = await bed.connect(bed.one, hostToken);
    host.drop();
    await guest.next('participant.changed', ({ participant }) => !participant.isConnected);
    await endGrace(host.id);
    await guest.next('participant.left', ({ participantID }) => participantID === host.id);
    expect(await bed.room(meetingID)).toMatchObject({ participantCount: 1, reservedCount: 1 });
    await expect(bed.ticket(meetingID)).rejects.toThrow('capacity_reached');
    const back = await bed.connect(bed.other, hostToken);
    expect(back.id).toBe(host.id);
    await guest.next('participant.joined', ({ participant }) => participant.isConnected && participant.role === 'host');
    expect(await bed.room(meetingID)).toMatchObject({ participantCount: 2, reservedCount: 0 });
  });

  it('frees the place of the creator who leaves', async () => {
    const { meetingID, host } = await bed.openRoom({ capacity: 2 });
    await bed.join(bed.other, meetingID);
    await host.must('leave', {});
    await host.farewell();
    await bed.ticket(meetingID);
    expect(await bed.room(meetingID)).toMatchObject({ participantCount: 1, reservedCount: 1 });
  });

  it('accepts only the last connection of a participant', async () => {
    const { meetingID, host } = await bed.openRoom();
    const bystander = await bed.join(bed.one, meetingID);
    const { token } = await bed.ticket(meetingID);
    const former = await bed.connect(bed.one, token);
    const latter = await bed.connect(bed.other, token);
    expect(await former.farewell()).toBe('replaced');
    await former.disconnected();
    expect(await latter.send('chat.send', { message: 'here' })).toMatchObject({ success: true });
    // The same replica handles the loss of the bystander after the end of the former connection.
    bystander.drop();
    await host.next('participant.changed', ({ participant }) => participant.participantID === bystander.id);
    const changed = host.all('participant.changed').map(({ participant }) => participant.participantID);
    expect(changed).toEqual([bystander.id]);
    expect(host.all('participant.joined')).toHaveLength(2);
  });

  it('refuses participants who left or were removed', async () => {
    const { meetingID, host } = await bed.openRoom();
    const comer = async () => {
      const ticket = await bed.ticket(meetingID);
      return { ticket: ticket.token, client: await bed.connect(bed.other, ticket.token) };
    };
    const [leaver, removed] = [await comer(), await comer()];
    await leaver.client.must('leave', {});
    expect(await leaver.client.farewell()).toBe('participant_left');
    await host.must('participant.remove', { participantID: removed.client.id });
    expect(await removed.client.farewell()).toBe('participant_removed');
    for (const { ticket, client } of [leaver, removed]) {
      const refusal = { code: 'CONFLICT', reason: 'participant_left' };
      expect(await RoomClient.refusal(bed.one.url, { token: ticket })).toMatchObject(refusal);
      const back = { action: 'join', meetingID, userName: 'Grace', participantID: client.id, ticket };
      await expect(bed.post('/v1/rooms', back)).rejects.toThrow('participant_left');
    }
    expect(await bed.room(meetingID)).toMatchObject({ participantCount: 1, reservedCount: 0 });
  });

  it('ends for everybody with the room', async () => {
    const { meetingID, host } = await bed.openRoom();
    const { token } = await bed.ticket(meetingID);
    const guest = await bed.connect(bed.other, token);
    await bed.post('/v1/rooms', { action: 'end', meetingID });
    expect(await Promise.all([host.farewell(), guest.farewell()])).toEqual(['requested', 'requested']);
    expect(host.all('room.ended')).toHaveLength(1);
    expect(await RoomClient.refusal(bed.one.url, { token })).toMatchObject({ reason: 'room_ended' });
  });

  it('takes the members of a dead gateway for lost', async () => {
    const { meetingID, host } = await bed.openRoom();
    const guest = await bed.join(bed.other, meetingID);
    guest.drop();
    await host.next('participant.changed', ({ participant }) => !participant.isConnected);
    await query(
      `UPDATE participants SET connection_id = 'gone', replica_id = 'gone', is_connected = true, grace_until = NULL
       WHERE id = $1 AND state = 'joined'`,
      [guest.id],
    );
    await waitFor(() => endGrace(guest.id), { what: 'its grace to begin' });
    const { reason } = await host.next('participant.left', ({ participantID }) => participantID === guest.id);
    expect(reason).toBe('participant_lost');
  });

  it('restores connections that it took for lost', async () => {
    const { meetingID, host } = await bed.openRoom();
    const guest = await bed.join(bed.other, meetingID);
    await query(`UPDATE participants SET connection_id = NULL, is_connected = false WHERE id = $1`, [guest.id]);
    await host.next('participant.changed', ({ participant }) => participant.isConnected);
    expect(await guest.send('chat.send', { message: 'still here' })).toMatchObject({ success: true });
  });

  it('shows an external session with its tracks from its activation to its end', async () => {
    const { meetingID, host } = await bed.openRoom();
    const sessionID = await bed.openSession(meetingID);
    await bed.sfu.activate(sessionID);
    const { participant } = await host.next(
      'participant.joined',
      event => event.participant.kind === 'externalSession',
    );
    expect(participant).toMatchObject({ userName: 'Camera', isConnected: true });
    expect(participant.tracks.map(({ source, state }) => [source, state])).toEqual([
      ['camera', 'live'],
      ['microphone', 'live'],
    ]);
    await bed.sfu.loseSource(sessionID);
    await host.next('participant.changed', event => !event.participant.isConnected);
    await query('UPDATE external_sessions SET grace_until = now() WHERE id = $1', [sessionID]);
    await host.next('participant.left', event => event.reason === 'publisher_lost');
    expect(await count(meetingID)).toBe(1);
  });
});
