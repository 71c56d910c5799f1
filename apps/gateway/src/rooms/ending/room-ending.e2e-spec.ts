import { DataSource } from 'typeorm';
import { MediaTestBed, reconcileMs, sweepMs } from '../../testing/media-test-bed.js';

describe('the end of a room', () => {
  let bed: MediaTestBed;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
  });
  afterAll(() => bed?.close());
  beforeEach(async () => {
    bed.meetingID = await bed.createRoom();
  });

  const isEmpty = () => bed.sfu.sessions.size + bed.sfu.playbacks.size + bed.transcoder.jobs.size === 0;
  const query = (sql: string, parameters: unknown[]) => bed.gateway.app.get(DataSource).query(sql, parameters);

  const room = async () => (await bed.request('get', `/v1/rooms?meetingID=${bed.meetingID}`)).body['room'];

  const fill = async () => {
    const sessionID = await bed.openActiveSession();
    const playbackID = await bed.openPlayback(sessionID);
    return { sessionID, playbackID, broadcastID: await bed.openActiveBroadcast(sessionID) };
  };

  const expectEnded = async (ids: Awaited<ReturnType<typeof fill>>) => {
    const ended = { state: 'ended', endReason: 'room_ended' };
    expect(await bed.get('external-sessions', ids.sessionID)).toMatchObject(ended);
    expect(await bed.get('playbacks', ids.playbackID)).toMatchObject(ended);
    expect(await bed.get('broadcasts', ids.broadcastID)).toMatchObject(ended);
  };

  it('ends all its media, also on the nodes, and is idempotent', async () => {
    const ids = await fill();
    expect((await bed.endRoom()).body).toMatchObject({ room: { state: 'ended', endReason: 'requested' } });
    await expectEnded(ids);
    expect(isEmpty()).toBe(true);
    const first = (await bed.endRoom()).body['room'];
    expect((await bed.endRoom()).body['room']).toEqual(first);
    expect((await bed.remove('external-sessions', ids.sessionID)).status).toBe(200);
  });

  it('reaches nodes of a room without sessions', async () => {
    const sessionID = await bed.openActiveSession();
    await bed.remove('external-sessions', sessionID);
    await bed.endRoom();
    expect(bed.sfu.received('room.close')).toContainEqual({ meetingID: bed.meetingID });
  });

  it('comes at the expiry', async () => {
    const ids = await fill();
    await query(`UPDATE rooms SET expires_at = $2 WHERE id = $1`, [bed.meetingID, bed.date(2 * sweepMs)]);
    await bed.advance(2 * sweepMs - 1);
    expect(await room()).toMatchObject({ state: 'active' });
    await bed.advance(1);
    expect(await room()).toMatchObject({ state: 'ended', endReason: 'expired' });
    await expectEnded(ids);
    expect(isEmpty()).toBe(true);
  });

  it('ends a resource that was opened at the last moment', async () => {
    const ids = await fill();
    await query(`UPDATE rooms SET state = 'ended', ended_at = $2, end_reason = 'requested' WHERE id = $1`, [
      bed.meetingID,
      bed.date(),
    ]);
    await bed.advance(sweepMs);
    await expectEnded(ids);
    expect(isEmpty()).toBe(true);
  });

  it('is repaired on nodes that missed it', async () => {
    const ids = await fill();
    for (const name of ['room.close', 'session.close', 'playback.close']) bed.sfu.refusals.set(name, new Error('busy'));
    bed.transcoder.refusals.set('broadcast.stop', new Error('busy'));
    expect((await bed.endRoom()).status).toBe(200);
    await expectEnded(ids);
    expect(isEmpty()).toBe(false);
    bed.sfu.refusals.clear();
    bed.transcoder.refusals.clear();
    await bed.advance(reconcileMs);
    expect(isEmpty()).toBe(true);
  });
});
