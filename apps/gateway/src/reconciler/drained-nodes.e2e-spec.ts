import { waitFor } from '@rtms/testing';
import { FakeSfu } from '../testing/fake-sfu.js';
import { MediaTestBed } from '../testing/media-test-bed.js';

describe('a media node that is drained', () => {
  let bed: MediaTestBed;
  let other: FakeSfu;

  beforeEach(async () => {
    bed = await MediaTestBed.start({ config: { reconcileSeconds: 60, graceSeconds: 30 } });
  });

  afterEach(async () => {
    await other?.die();
    await bed?.close();
  });

  async function startOther(): Promise<void> {
    other = await new FakeSfu(bed.nodeBuses.sfu, 'sfu-2').start();
    await bed.waitForNodes(3);
  }

  /** As an administrator does, by its name. */
  async function administer(change: 'drain' | 'undrain'): Promise<void> {
    const authorization = `Bearer ${bed.gateway.config.adminToken}`;
    await bed.gateway.http.post(`/admin/v1/nodes/sfu-1/${change}`).set('Authorization', authorization).expect(200);
  }

  it('hands over sessions that wait for their publishers, with their playbacks', async () => {
    const sessionID = await bed.openActiveSession();
    const playbackID = await bed.openPlayback(sessionID);
    await startOther();
    await administer('drain');
    await bed.sfu.loseSource(sessionID);
    await waitFor(() => other.sessions.has(sessionID) && other.playbacks.has(playbackID));
    expect(bed.sfu.received('room.close')).toEqual([{ meetingID: bed.meetingID }]);
    expect(bed.sfu.sessions.has(sessionID)).toBe(false);
    expect(await bed.get('external-sessions', sessionID)).toMatchObject({
      state: 'pending',
      ingest: { url: `http://sfu-2.test/whip/${sessionID}` },
    });
    await other.activate(sessionID);
    await bed.waitForState('external-sessions', sessionID, 'active');
  });

  it('keeps a room in which somebody publishes, and gets nothing more into it', async () => {
    const sessionID = await bed.openActiveSession();
    await startOther();
    await administer('drain');
    await waitFor(async () => {
      const { status } = await bed.post('external-sessions', {
        displayName: 'Second',
        ingest: { protocol: 'whip', tracks: ['video'] },
      });
      return status === 503;
    });
    expect(await bed.get('external-sessions', sessionID)).toMatchObject({ state: 'active' });
    expect(bed.sfu.received('room.close')).toEqual([]);
  });

  it('keeps everything while no other node takes it', async () => {
    const sessionID = await bed.openSession();
    await administer('drain');
    await waitFor(() => bed.sfu.received('node.inventory').length > 1);
    expect(bed.sfu.sessions.has(sessionID)).toBe(true);
    await administer('undrain');
    await waitFor(async () => {
      bed.meetingID = await bed.createRoom();
      const { status } = await bed.post('external-sessions', {
        displayName: 'Second',
        ingest: { protocol: 'whip', tracks: ['video'] },
      });
      return status === 201;
    });
  });

  it('loses rooms of members to another node when they open their media again', async () => {
    const { socket } = await bed.connectMember('Bob');
    await socket.send('media.open', {});
    expect(bed.sfu.received('member.open')).toHaveLength(1);
    await startOther();
    await administer('drain');
    await waitFor(async () => {
      await socket.send('media.open', {});
      return other.received('member.open').length > 0;
    });
    socket.drop();
  });
});
