import { createRtms, RtmsConflictError, RtmsNotFoundError, RtmsUnauthorizedError, type Rtms } from '@rtms/server';
import { MediaTestBed } from '../../testing/media-test-bed.js';

describe('the SDK for servers', () => {
  let bed: MediaTestBed;
  let rtms: Rtms;
  let meetingID: string;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
    rtms = connect(bed.account.authorization.replace('Bearer ', ''));
    meetingID = (await rtms.rooms.create({ userName: 'Ada', metadata: { course: 'algebra-1' } })).room.meetingID;
  });
  afterAll(() => bed?.close());

  const connect = (key: string) => createRtms({ url: bed.gateway.url, key });
  const openSession = async () => {
    const ingest = { protocol: 'whip' as const, tracks: ['video' as const, 'audio' as const] };
    return (await rtms.externalSessions.create(meetingID, { displayName: 'Stage camera', ingest })).externalSession;
  };

  it('creates, reads and changes a room', async () => {
    const { join } = await rtms.rooms.join({ meetingID, userName: 'Grace' });
    expect(join.token).toBeTruthy();
    expect((await rtms.rooms.update({ meetingID, capacity: 7 })).room.capacity).toBe(7);
    expect((await rtms.rooms.get(meetingID)).room.metadata).toEqual({ course: 'algebra-1' });
  });

  it('reads all pages of a list', async () => {
    const names: (string | null)[] = [];
    for await (const room of rtms.rooms.list({ state: 'active', pageSize: 1 })) names.push(room.meetingID);
    expect(names).toEqual([meetingID, bed.meetingID]);
    expect((await rtms.logs.listRoomLogs({ meetingID }).page()).total).toBe(1);
  });

  it('answers one room for one Idempotency-Key', async () => {
    const create = () => rtms.rooms.create({ userName: 'Ada' }, { idempotencyKey: 'order-42' });
    const [first, second] = [await create(), await create()];
    expect(second.room.meetingID).toBe(first.room.meetingID);
    await rtms.rooms.end({ meetingID: first.room.meetingID });
  });

  it('waits for an external session and for its broadcast', async () => {
    const { sessionID, ingest } = await openSession();
    expect(ingest.token).toBeTruthy();
    await bed.sfu.activate(sessionID, ['video', 'audio']);
    expect((await rtms.externalSessions.waitUntilActive(meetingID, sessionID)).state).toBe('active');
    const { broadcast } = await rtms.broadcasts.create(meetingID, { sourceSessionID: sessionID });
    await bed.transcoder.activate(broadcast.broadcastID);
    const active = await rtms.broadcasts.waitUntilActive(meetingID, broadcast.broadcastID);
    expect(active.playbackUrl).toContain('/hls/');
    await expect(rtms.externalSessions.delete(meetingID, sessionID)).rejects.toMatchObject({
      reason: 'has_dependents',
    });
    await rtms.broadcasts.delete(meetingID, broadcast.broadcastID, { reason: 'The show is over.' });
    await expect(rtms.broadcasts.waitUntilActive(meetingID, broadcast.broadcastID)).rejects.toMatchObject({
      ...{ code: 'not_active', reason: 'requested' },
    });
  });

  it('has a class for each code, with the reason', async () => {
    await expect(rtms.rooms.get('room_unknown')).rejects.toBeInstanceOf(RtmsNotFoundError);
    await expect(connect('nobody:nothing').balance.get()).rejects.toBeInstanceOf(RtmsUnauthorizedError);
    const { room } = await rtms.rooms.create({ userName: 'Ada' });
    await rtms.rooms.end({ meetingID: room.meetingID });
    const failure = rtms.rooms.join({ meetingID: room.meetingID, userName: 'Grace' });
    await expect(failure).rejects.toBeInstanceOf(RtmsConflictError);
    await expect(failure).rejects.toMatchObject({ reason: 'room_ended', status: 409, retryable: false });
  });
});
