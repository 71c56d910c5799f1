import { waitFor } from '@rtms/testing';
import { FakeSfu } from '../testing/fake-sfu.js';
import { FakeTranscoder } from '../testing/fake-transcoder.js';
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
  async function administer(change: 'drain' | 'undrain', nodeID = 'sfu-1'): Promise<void> {
    const authorization = `Bearer ${bed.gateway.config.adminToken}`;
    await bed.gateway.http.post(`/admin/v1/nodes/${nodeID}/${change}`).set('Authorization', authorization).expect(200);
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

  it('hands its broadcasts over to another transcoder, which goes on with their numbers', async () => {
    const broadcastID = await bed.openActiveBroadcast(await bed.openActiveSession());
    const taker = await new FakeTranscoder(bed.nodeBuses.transcoder, 'transcoder-2').start();
    await bed.waitForNodes(3);
    await administer('drain', 'transcoder-1');
    await waitFor(() => taker.jobs.has(broadcastID));
    expect(bed.transcoder.received('broadcast.hand-over')).toEqual([{ broadcastID }]);
    expect(bed.transcoder.received('broadcast.stop')).toEqual([]);
    expect(taker.received('broadcast.start')[0]).toMatchObject({
      continues: { ageSeconds: expect.any(Number) as number, formerUrl: 'http://transcoder-1.test' },
    });
    await bed.transcoder.report(broadcastID, { type: 'broadcast.ended', reason: 'node_drained' });
    await taker.activate(broadcastID);
    await bed.waitForState('broadcasts', broadcastID, 'active');
    await taker.die();
  });

  it('keeps its broadcasts while no other transcoder takes them, until it has to end them', async () => {
    const broadcastID = await bed.openActiveBroadcast(await bed.openActiveSession());
    await administer('drain', 'transcoder-1');
    await waitFor(() => bed.transcoder.received('node.inventory').length > 1);
    expect(bed.transcoder.received('broadcast.hand-over')).toEqual([]);
    expect(await bed.get('broadcasts', broadcastID)).toMatchObject({ state: 'active' });
    await bed.transcoder.report(broadcastID, { type: 'broadcast.ended', reason: 'node_drained' });
    const ended = await bed.waitForState('broadcasts', broadcastID, 'ended');
    expect(ended).toMatchObject({ endReason: 'node_drained' });
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
