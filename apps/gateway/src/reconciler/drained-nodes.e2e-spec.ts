import { leaseRenewalMs } from '../testing/fake-node.js';
import { MediaTestBed } from '../testing/media-test-bed.js';

describe('a media node that is drained', () => {
  let bed: MediaTestBed;

  beforeEach(async () => {
    // The reconciler looks when something asks it to, and not while a test looks.
    bed = await MediaTestBed.start({ config: { reconcileSeconds: 3_600 } });
  });
  afterEach(() => bed?.close());

  /** Of another source. */
  async function openOther(): Promise<string> {
    return bed.openActiveBroadcast(await bed.openActiveSession());
  }

  /** As an administrator does, by its name; until the node's next lease says so. */
  async function administer(change: 'drain' | 'undrain', nodeID = 'sfu-1'): Promise<void> {
    const authorization = `Bearer ${bed.gateway.config.adminToken}`;
    await bed.gateway.http.post(`/admin/v1/nodes/${nodeID}/${change}`).set('Authorization', authorization).expect(200);
    await bed.advance(leaseRenewalMs);
  }

  const askForSession = () =>
    bed.post('external-sessions', { displayName: 'Second', ingest: { protocol: 'whip', tracks: ['video'] } });

  it('hands over sessions that wait for their publishers, with their playbacks', async () => {
    const sessionID = await bed.openActiveSession();
    const playbackID = await bed.openPlayback(sessionID);
    const other = await bed.startSfu('sfu-2');
    await administer('drain');
    expect(other.sessions.size).toBe(0);
    await bed.sfu.loseSource(sessionID);
    expect([...other.sessions.keys(), ...other.playbacks.keys()]).toEqual([sessionID, playbackID]);
    expect(bed.sfu.received('room.close')).toEqual([{ meetingID: bed.meetingID }]);
    expect(bed.sfu.sessions.has(sessionID)).toBe(false);
    expect(await bed.get('external-sessions', sessionID)).toMatchObject({
      state: 'pending',
      ingest: { url: `http://sfu-2.test/whip/${sessionID}` },
    });
    await other.activate(sessionID);
    await bed.expectState('external-sessions', sessionID, 'active');
  });

  it('keeps a room in which somebody publishes, and gets nothing more into it', async () => {
    const sessionID = await bed.openActiveSession();
    await bed.startSfu('sfu-2');
    await administer('drain');
    expect((await askForSession()).status).toBe(503);
    expect(await bed.get('external-sessions', sessionID)).toMatchObject({ state: 'active' });
    expect(bed.sfu.received('room.close')).toEqual([]);
  });

  it('keeps everything while no other node takes it', async () => {
    const sessionID = await bed.openSession();
    const before = bed.sfu.received('node.inventory').length;
    await administer('drain');
    expect(bed.sfu.received('node.inventory').length).toBeGreaterThan(before);
    expect(bed.sfu.sessions.has(sessionID)).toBe(true);
    await administer('undrain');
    bed.meetingID = await bed.createRoom();
    expect((await askForSession()).status).toBe(201);
  });

  it('hands its broadcasts over to another transcoder, which goes on with their numbers', async () => {
    const broadcastID = await bed.openActiveBroadcast(await bed.openActiveSession());
    const taker = await bed.startTranscoder('transcoder-2');
    await administer('drain', 'transcoder-1');
    expect([...taker.jobs.keys()]).toEqual([broadcastID]);
    expect(bed.transcoder.received('broadcast.hand-over')).toEqual([{ broadcastID }]);
    expect(bed.transcoder.received('broadcast.stop')).toEqual([]);
    expect(taker.received('broadcast.start')[0]).toMatchObject({
      continues: { ageSeconds: expect.any(Number) as number, renditions: 1, formerUrl: 'http://transcoder-1.test' },
    });
    await bed.transcoder.report(broadcastID, { type: 'broadcast.ended', reason: 'node_drained' });
    await taker.activate(broadcastID);
    await bed.expectState('broadcasts', broadcastID, 'active');
  });

  it('hands over a broadcast that is not active yet, which may have numbers already', async () => {
    const broadcastID = await bed.openBroadcast(await bed.openActiveSession());
    const taker = await bed.startTranscoder('transcoder-2');
    await administer('drain', 'transcoder-1');
    expect([...taker.jobs.keys()]).toEqual([broadcastID]);
    expect(taker.received('broadcast.start')[0]).toMatchObject({
      continues: { formerUrl: 'http://transcoder-1.test' },
    });
  });

  it('keeps a broadcast whose source is away', async () => {
    const sessionID = await bed.openActiveSession();
    const [broadcastID, other] = [await bed.openActiveBroadcast(sessionID), await openOther()];
    await bed.sfu.loseSource(sessionID);
    await bed.expectState('broadcasts', broadcastID, 'interrupted');
    const taker = await bed.startTranscoder('transcoder-2');
    await administer('drain', 'transcoder-1');
    expect([...taker.jobs.keys()]).toEqual([other]);
    expect(bed.transcoder.received('broadcast.hand-over')).toEqual([{ broadcastID: other }]);
    expect(bed.transcoder.jobs.has(broadcastID)).toBe(true);
  });

  it('hears of a hand-over later when it did not hear of it at once, and is not told that the broadcast is over', async () => {
    const broadcastID = await bed.openActiveBroadcast(await bed.openActiveSession());
    bed.transcoder.refusals.set('broadcast.hand-over', new Error('not heard'));
    const taker = await bed.startTranscoder('transcoder-2');
    await administer('drain', 'transcoder-1');
    expect([...taker.jobs.keys()]).toEqual([broadcastID]);
    expect(bed.transcoder.jobs.has(broadcastID)).toBe(true);
    bed.transcoder.refusals.clear();
    await administer('undrain', 'transcoder-1');
    expect(bed.transcoder.jobs.has(broadcastID)).toBe(false);
    expect(bed.transcoder.received('broadcast.stop')).toEqual([]);
    expect([...taker.jobs.keys()]).toEqual([broadcastID]);
  });

  it('keeps its broadcasts while no other transcoder takes them, until it has to end them', async () => {
    const broadcastID = await bed.openActiveBroadcast(await bed.openActiveSession());
    const before = bed.transcoder.received('node.inventory').length;
    await administer('drain', 'transcoder-1');
    expect(bed.transcoder.received('node.inventory').length).toBeGreaterThan(before);
    expect(bed.transcoder.received('broadcast.hand-over')).toEqual([]);
    expect(await bed.get('broadcasts', broadcastID)).toMatchObject({ state: 'active' });
    await bed.transcoder.report(broadcastID, { type: 'broadcast.ended', reason: 'node_drained' });
    const ended = await bed.expectState('broadcasts', broadcastID, 'ended');
    expect(ended).toMatchObject({ endReason: 'node_drained' });
  });

  it('loses rooms of members to another node when they open their media again', async () => {
    const { socket } = await bed.connectMember('Bob');
    await socket.send('media.open', {});
    expect(bed.sfu.received('member.open')).toHaveLength(1);
    const other = await bed.startSfu('sfu-2');
    await administer('drain');
    await socket.send('media.open', {});
    expect(other.received('member.open')).toHaveLength(1);
  });
});
