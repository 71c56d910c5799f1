import { MediaTestBed } from '../../testing/media-test-bed.js';
import { testAdminToken } from '../../testing/start-test-gateway.js';

describe('a disabled account', () => {
  let bed: MediaTestBed;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
  });
  afterAll(() => bed?.close());

  const tell = async (what: 'disable' | 'enable') => {
    const path = `/admin/v1/accounts/${bed.account.accountID}/${what}`;
    const { status, body } = await bed.gateway.http.post(path).set('Authorization', `Bearer ${testAdminToken}`);
    expect([status, body.account.state]).toEqual([200, what === 'disable' ? 'disabled' : 'active']);
  };
  const roomOf = async (meetingID: string, account = bed.account) =>
    (await bed.request('get', `/v1/rooms?meetingID=${meetingID}`, undefined, account)).body['room'];

  it('loses its running resources and all its keys, while other accounts continue', async () => {
    const other = await bed.gateway.makeAccount();
    const create = { action: 'create', userName: 'Eve' };
    const { body } = await bed.request('post', '/v1/rooms', create, other);
    const othersRoom = (body['room'] as { meetingID: string }).meetingID;
    const empty = await bed.createRoom();
    const sessionID = await bed.openActiveSession();
    const playbackID = await bed.openPlayback(sessionID);
    const broadcastID = await bed.openActiveBroadcast(sessionID);

    await tell('disable');
    expect([bed.sfu.sessions.size, bed.sfu.playbacks.size, bed.transcoder.jobs.size]).toEqual([0, 0, 0]);
    const refused = await bed.request('get', '/v1/rooms');
    expect([refused.status, refused.body.reason]).toEqual([403, 'account_disabled']);
    expect(await roomOf(othersRoom, other)).toMatchObject({ state: 'active' });

    await tell('disable');
    await tell('enable');
    for (const meetingID of [bed.meetingID, empty]) {
      expect(await roomOf(meetingID)).toMatchObject({ state: 'ended', endReason: 'requested' });
    }
    const ended = { state: 'ended', endReason: 'room_ended' };
    expect(await bed.get('external-sessions', sessionID)).toMatchObject(ended);
    expect(await bed.get('playbacks', playbackID)).toMatchObject(ended);
    expect(await bed.get('broadcasts', broadcastID)).toMatchObject(ended);
  });
});
