/** @seconds 20 */
import { leaseRenewalMs } from '../../testing/fake-node.js';
import { graceMs, MediaTestBed, sweepMs } from '../../testing/media-test-bed.js';

describe('a draining media node', () => {
  let bed: MediaTestBed;

  beforeEach(async () => {
    // The reconciler runs only when an event triggers it.
    bed = await MediaTestBed.start({ config: { reconcileSeconds: 3_600 } });
  });
  afterEach(() => bed?.close());

  /** A broadcast of another source. */
  async function openOther(): Promise<string> {
    return bed.openActiveBroadcast(await bed.openActiveSession());
  }

  /** Drains a node as an administrator does, until its next lease shows it. */
  async function administer(change: 'drain' | 'undrain', nodeID = 'sfu-1'): Promise<void> {
    const body = change === 'drain' ? { force: true } : {};
    await admin('post', `nodes/${nodeID}/${change}`, body).expect(200);
    await bed.advance(leaseRenewalMs);
  }

  const admin = (method: 'get' | 'post', path: string, body?: object) =>
    bed.gateway.http[method](`/admin/v1/${path}`)
      .set('Authorization', `Bearer ${bed.gateway.config.adminToken}`)
      .send(body);

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

  it('keeps a room with an active publisher, and gets no new sessions into it', async () => {
    const sessionID = await bed.openActiveSession();
    await bed.startSfu('sfu-2');
    await administer('drain');
    expect((await askForSession()).status).toBe(503);
    expect(await bed.get('external-sessions', sessionID)).toMatchObject({ state: 'active' });
    expect(bed.sfu.received('room.close')).toEqual([]);
  });

  it('hands over a room with a live publisher when the time is over, and all addresses stay', async () => {
    const sessionID = await bed.openActiveSession();
    const playbackID = await bed.openPlayback(sessionID);
    const broadcastID = await bed.openActiveBroadcast(sessionID);
    const other = await bed.startSfu('sfu-2');
    await administer('drain');
    await bed.sfu.loseSource(sessionID, 'node_draining');
    expect(bed.sfu.received('room.close')).toEqual([{ meetingID: bed.meetingID }]);
    expect([...other.sessions.keys(), ...other.playbacks.keys()]).toEqual([sessionID, playbackID]);
    expect(await bed.get('external-sessions', sessionID)).toMatchObject({ state: 'pending', endReason: null });
    expect(await bed.get('broadcasts', broadcastID)).toMatchObject({ state: 'interrupted' });
    await other.activate(sessionID);
    expect(await bed.get('playbacks', playbackID)).toMatchObject({ state: 'ready' });
    expect(bed.transcoder.received('broadcast.interrupt')).toEqual([
      expect.objectContaining({ broadcastID, isMoved: true }),
    ]);
    expect(bed.transcoder.received('broadcast.resume')).toEqual([
      expect.objectContaining({ broadcastID, sfuNodeID: 'sfu-2' }),
    ]);
    expect(bed.transcoder.received('broadcast.stop')).toEqual([]);
  });

  it.each(['is no other', 'is only another draining'])(
    'ends its sessions when the time is over and there %s',
    async case_ => {
      const sessionID = await bed.openActiveSession();
      const playbackID = await bed.openPlayback(sessionID);
      const broadcastID = await bed.openActiveBroadcast(sessionID);
      if (case_ !== 'is no other') (await bed.startSfu('sfu-2')).draining = true;
      await administer('drain');
      await bed.sfu.loseSource(sessionID, 'node_draining');
      expect(await bed.get('external-sessions', sessionID)).toMatchObject({
        state: 'ended',
        endReason: 'node_drained',
      });
      expect(await bed.get('playbacks', playbackID)).toMatchObject({ state: 'ended', endReason: 'source_ended' });
      expect(await bed.get('broadcasts', broadcastID)).toMatchObject({ state: 'ended', endReason: 'source_ended' });
      expect([...bed.sfu.sessions.keys(), ...bed.sfu.playbacks.keys()]).toEqual([]);
    },
  );

  it('leaves its sessions pending when the time is over and the other node is full', async () => {
    const sessionID = await bed.openActiveSession();
    const other = await bed.startSfu('sfu-2');
    other.load = other.capacity;
    await administer('drain');
    await bed.sfu.loseSource(sessionID, 'node_draining');
    await bed.expectState('external-sessions', sessionID, 'pending');
    other.load = 0;
    await bed.lose(bed.sfu);
    expect([...other.sessions.keys()]).toEqual([sessionID]);
  });

  it('is not drained without `force` while no other node of its kind takes work', async () => {
    await bed.startTranscoder('transcoder-2');
    const refused = await admin('post', 'nodes/sfu-1/drain').expect(409);
    expect(refused.body).toMatchObject({ code: 'CONFLICT', reason: 'last_node' });
    expect(bed.sfu.received('node.drain')).toEqual([]);
    await admin('post', 'nodes/transcoder-1/drain').expect(200);
    await bed.advance(leaseRenewalMs);
    // A second request changes nothing.
    await admin('post', 'nodes/transcoder-1/drain').expect(200);
    await admin('post', 'nodes/transcoder-2/drain').expect(409);
  });

  it('tells its remaining work', async () => {
    const sessionID = await bed.openActiveSession();
    await bed.openSession();
    await bed.openBroadcast(sessionID);
    const playbackID = await bed.openPlayback(sessionID);
    await bed.sfu.report(playbackID, { type: 'playback.active', viewerCount: 3 });
    const media = { rooms: 0, sessions: 0, members: 0, viewers: 0, relayedViewers: 0 };
    const nothing = { ...media, broadcasts: 0, recordings: 0, restreams: 0, encoders: 0 };
    [bed.sfu.relayedViewers, bed.sfu.entriesPerPage] = [7, 1];
    const workOf = async (nodeID: string) =>
      ((await admin('get', `nodes/${nodeID}/work`).expect(200)).body as { work: object }).work;
    expect(await workOf('sfu-1')).toEqual({ ...nothing, rooms: 1, sessions: 1, viewers: 3, relayedViewers: 7 });
    expect(await workOf('transcoder-1')).toEqual({ ...nothing, broadcasts: 1 });
    const { body } = await admin('get', 'features/use').expect(200);
    expect(body).toMatchObject({ use: { whip: 1, whep: 1, hls: 0, srt: 0, rtmp: 0, rtmps: 0 } });
    await admin('get', 'nodes/sfu-9/work').expect(404);
    await bed.sfu.die();
    await admin('get', 'nodes/sfu-1/work').expect(503);
  });

  it('keeps all resources while no other node takes them', async () => {
    const sessionID = await bed.openSession();
    const before = bed.sfu.received('node.inventory').length;
    await administer('drain');
    expect(bed.sfu.received('node.inventory').length).toBeGreaterThan(before);
    expect(bed.sfu.sessions.has(sessionID)).toBe(true);
    await administer('undrain');
    bed.meetingID = await bed.createRoom();
    expect((await askForSession()).status).toBe(201);
  });

  it('hands its broadcasts over to another transcoder, which continues the segment numbers', async () => {
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

  it('hands over a starting broadcast, which may have segment numbers already', async () => {
    const broadcastID = await bed.openBroadcast(await bed.openActiveSession());
    const taker = await bed.startTranscoder('transcoder-2');
    await administer('drain', 'transcoder-1');
    expect([...taker.jobs.keys()]).toEqual([broadcastID]);
    expect(taker.received('broadcast.start')[0]).toMatchObject({
      continues: { formerUrl: 'http://transcoder-1.test' },
    });
  });

  it('keeps a broadcast while its source is away', async () => {
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

  it('gets a missed hand-over later, and no stop', async () => {
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

  it('keeps its broadcasts while no other transcoder takes them', async () => {
    const broadcastID = await bed.openActiveBroadcast(await bed.openActiveSession());
    const before = bed.transcoder.received('node.inventory').length;
    await administer('drain', 'transcoder-1');
    expect(bed.transcoder.received('node.inventory').length).toBeGreaterThan(before);
    expect(bed.transcoder.received('broadcast.hand-over')).toEqual([]);
    expect(await bed.get('broadcasts', broadcastID)).toMatchObject({ state: 'active' });
  });

  it('lets a broadcast wait for a transcoder when the time is over and none takes it', async () => {
    const broadcastID = await bed.openActiveBroadcast(await bed.openActiveSession());
    await administer('drain', 'transcoder-1');
    await bed.transcoder.letGo(broadcastID);
    expect(await bed.get('broadcasts', broadcastID)).toMatchObject({ state: 'interrupted', endReason: null });
    const taker = await bed.startTranscoder('transcoder-2');
    expect([...taker.jobs.keys()]).toEqual([broadcastID]);
    expect(taker.received('broadcast.start')[0]).toMatchObject({
      continues: { renditions: 1, formerUrl: 'http://transcoder-1.test' },
    });
    await taker.activate(broadcastID);
    await bed.expectState('broadcasts', broadcastID, 'active');
  });

  it('fails a broadcast that no transcoder takes within the grace time', async () => {
    const broadcastID = await bed.openActiveBroadcast(await bed.openActiveSession());
    await administer('drain', 'transcoder-1');
    await bed.transcoder.letGo(broadcastID);
    await bed.advance(graceMs - sweepMs);
    await bed.expectState('broadcasts', broadcastID, 'interrupted');
    await bed.advance(2 * sweepMs);
    expect(await bed.expectState('broadcasts', broadcastID, 'failed')).toMatchObject({ endReason: 'node_lost' });
  });

  it('lets a broadcast without its source wait for the source', async () => {
    const sessionID = await bed.openActiveSession();
    const broadcastID = await bed.openActiveBroadcast(sessionID);
    await bed.sfu.loseSource(sessionID);
    await administer('drain', 'transcoder-1');
    await bed.transcoder.letGo(broadcastID);
    const taker = await bed.startTranscoder('transcoder-2');
    expect([...taker.jobs.keys()]).toEqual([]);
    await bed.sfu.activate(sessionID);
    expect([...taker.jobs.keys()]).toEqual([broadcastID]);
  });

  it('loses members to another node when they open their media again', async () => {
    const { socket } = await bed.connectMember('Bob');
    await socket.send('media.open', {});
    expect(bed.sfu.received('member.open')).toHaveLength(1);
    const other = await bed.startSfu('sfu-2');
    await administer('drain');
    await socket.send('media.open', {});
    expect(other.received('member.open')).toHaveLength(1);
  });

  it('loses members to the node of their publisher when the time is over', async () => {
    const { socket } = await bed.connectMember('Bob');
    const sessionID = await bed.openActiveSession();
    await socket.send('media.open', {});
    const others = [await bed.startSfu('sfu-2'), await bed.startSfu('sfu-3')];
    await administer('drain');
    await bed.sfu.loseSource(sessionID, 'node_draining');
    await socket.send('media.open', {});
    const home = others.find(({ sessions }) => sessions.has(sessionID));
    expect(home?.received('member.open')).toHaveLength(1);
    expect(others.flatMap(each => each.received('member.open'))).toHaveLength(1);
  });
});
