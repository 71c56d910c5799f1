import { waitFor } from '@rtms/testing';
import type { FakeSfu } from '../testing/fake-sfu.js';
import { leaseRenewalMs } from '../testing/fake-node.js';
import { graceMs, MediaTestBed, reconcileMs, sweepMs } from '../testing/media-test-bed.js';

const idOf = (prefix: string) => `'${prefix}_' || lpad(n::text, 22, '0')`;

/** So many rooms with a session each, all on the first node. */
async function fillRooms({ account, gateway, sfu }: MediaTestBed, count: number): Promise<void> {
  await gateway.asOwner(
    `INSERT INTO rooms (id, account_id, event_type, state, key_type, host_name, duration, capacity, settings, expires_at)
     SELECT ${idOf('room')}, $1, 'conference', 'active', 'sandbox', 'Ann', 60, 20, '{}', timestamptz '2099-01-01'
     FROM generate_series(1, $2::int) AS n`,
    [account.accountID, count],
  );
  await gateway.asOwner(
    `INSERT INTO external_sessions (id, account_id, meeting_id, node_id, node_epoch, participant_id, display_name, protocol,
       requested_tracks, state)
     SELECT ${idOf('ext')}, $1, ${idOf('room')}, $3, $4, 'part_1', 'Camera', 'whip', '["video"]', 'active'
     FROM generate_series(1, $2::int) AS n`,
    [account.accountID, count, sfu.nodeID, sfu.epoch],
  );
}

const held = ({ sessions, playbacks }: FakeSfu) => [...sessions.keys(), ...playbacks.keys()];

describe('the reconciler', () => {
  let bed: MediaTestBed;

  beforeEach(async () => {
    bed = await MediaTestBed.start();
  });
  afterEach(() => bed?.close());

  it('compares all pages of a node that does not tell all that it holds in one message', async () => {
    const sessionID = await bed.openActiveSession();
    const playbackIDs = [await bed.openPlayback(sessionID), await bed.openPlayback(sessionID)];
    const orphans = ['play_0', 'play_zzz'];
    for (const playbackID of orphans) bed.sfu.playbacks.set(playbackID, { playbackID, sessionID, state: 'ready' });
    bed.sfu.entriesPerPage = 2;
    // Three rounds: what was missing in the first would be opened anew.
    await bed.advance(3 * reconcileMs);
    expect(bed.sfu.received('playback.close').map(({ playbackID }) => playbackID)).toEqual(orphans);
    expect([...bed.sfu.playbacks.keys()].toSorted()).toEqual(playbackIDs.toSorted());
    expect(bed.sfu.received('playback.open')).toHaveLength(2);
    expect(bed.sfu.received('session.open')).toHaveLength(1);
  });

  describe('with a media node that dies', () => {
    it('moves sessions and playbacks to another node, where the publisher may come back', async () => {
      const sessionID = await bed.openActiveSession();
      const second = await bed.openActiveSession();
      const playbackID = await bed.openPlayback(sessionID);
      await bed.sfu.report(playbackID, { type: 'playback.active', viewerCount: 1 });
      const broadcastID = await bed.openActiveBroadcast(sessionID);
      await bed.expectState('playbacks', playbackID, 'active');
      const other = await bed.startSfu('sfu-2');
      await bed.lose(bed.sfu);
      expect([...other.sessions.keys()].sort()).toEqual([sessionID, second].sort());
      expect([...other.playbacks.keys()]).toEqual([playbackID]);
      expect(await bed.get('external-sessions', sessionID)).toMatchObject({
        state: 'pending',
        ingest: { url: `http://sfu-2.test/whip/${sessionID}` },
      });
      expect(await bed.get('playbacks', playbackID)).toMatchObject({
        state: 'ready',
        viewerCount: 0,
        endpoint: `http://sfu-2.test/whep/${playbackID}`,
      });
      expect(await bed.get('broadcasts', broadcastID)).toMatchObject({ state: 'interrupted' });
      await Promise.all([other.activate(sessionID), other.activate(second)]);
      await bed.expectState('external-sessions', sessionID, 'active');
      expect(bed.transcoder.received('broadcast.resume')).toEqual([{ broadcastID, sfuNodeID: 'sfu-2' }]);
      await bed.transcoder.activate(broadcastID);
      await bed.expectState('broadcasts', broadcastID, 'active');
    });

    it('ends what nobody takes over in time', async () => {
      const sessionID = await bed.openActiveSession();
      const broadcastID = await bed.openActiveBroadcast(sessionID);
      await bed.lose(bed.sfu);
      await bed.advance(graceMs - 1);
      await bed.expectState('external-sessions', sessionID, 'pending');
      await bed.advance(sweepMs);
      expect(await bed.expectState('external-sessions', sessionID, 'ended')).toMatchObject({
        endReason: 'publisher_lost',
      });
      expect(await bed.get('broadcasts', broadcastID)).toMatchObject({ state: 'ended', endReason: 'source_ended' });
    });

    it('starts its broadcasts on another transcoder', async () => {
      const broadcastID = await bed.openActiveBroadcast(await bed.openActiveSession());
      const other = await bed.startTranscoder('transcoder-2');
      await bed.lose(bed.transcoder);
      expect([...other.jobs.keys()]).toEqual([broadcastID]);
      await bed.transcoder.report(broadcastID, { type: 'broadcast.failed', reason: 'encoder_failed' });
      await other.activate(broadcastID);
      const broadcast = await bed.expectState('broadcasts', broadcastID, 'active');
      expect(broadcast['playbackUrl']).toMatch(/^http:\/\/transcoder-2\.test\//);
    });

    it('gives a broadcast up when no transcoder takes it in time', async () => {
      const broadcastID = await bed.openActiveBroadcast(await bed.openActiveSession());
      await bed.lose(bed.transcoder);
      await bed.advance(graceMs - 1);
      await bed.expectState('broadcasts', broadcastID, 'interrupted');
      await bed.advance(sweepMs);
      expect(await bed.expectState('broadcasts', broadcastID, 'failed')).toMatchObject({ endReason: 'node_lost' });
    });
  });

  describe('with a media node that was cut off from the bus while its media went on', () => {
    /** Nobody hears the node until its lease has lapsed; it keeps all that it has. */
    const cutOff = async (): Promise<{ sessionID: string; playbackID: string; other: FakeSfu }> => {
      const sessionID = await bed.openActiveSession();
      const playbackID = await bed.openPlayback(sessionID);
      await bed.sfu.report(playbackID, { type: 'playback.active', viewerCount: 2 });
      const other = await bed.startSfu('sfu-2');
      await bed.lose(bed.sfu);
      expect(held(other)).toEqual([sessionID, playbackID]);
      await bed.expectState('external-sessions', sessionID, 'pending');
      return { sessionID, playbackID, other };
    };

    it('gives the room back to it, and closes nothing there', async () => {
      const { sessionID, playbackID, other } = await cutOff();
      const before = bed.sfu.commands.length;
      await bed.sfu.start();
      await bed.settled();
      const since = bed.sfu.commands.slice(before).map(({ name }) => name);
      expect(since).toEqual(expect.arrayContaining(['session.open', 'playback.open']));
      expect(since.filter(name => name.endsWith('.close'))).toEqual([]);
      expect(held(bed.sfu)).toEqual([sessionID, playbackID]);
      expect(other.received('room.close')).toEqual([{ meetingID: bed.meetingID }]);
      // The node reports again what it already has.
      await bed.sfu.activate(sessionID);
      await bed.sfu.report(playbackID, { type: 'playback.active', viewerCount: 2 });
      expect(await bed.get('external-sessions', sessionID)).toMatchObject({
        state: 'active',
        ingest: { url: `http://sfu-1.test/whip/${sessionID}` },
      });
      expect(await bed.get('playbacks', playbackID)).toMatchObject({ state: 'active', viewerCount: 2 });
      await bed.advance(graceMs + reconcileMs);
      await bed.expectState('external-sessions', sessionID, 'active');
      expect(held(bed.sfu)).toEqual([sessionID, playbackID]);
    });

    it('leaves the room where its publisher has come meanwhile', async () => {
      const { sessionID, other } = await cutOff();
      await other.activate(sessionID);
      await bed.sfu.start();
      await bed.settled();
      expect(bed.sfu.received('room.close')).toEqual([{ meetingID: bed.meetingID }]);
      expect(await bed.expectState('external-sessions', sessionID, 'active')).toMatchObject({
        ingest: { url: `http://sfu-2.test/whip/${sessionID}` },
      });
    });
  });

  describe('with a media node that restarts', () => {
    it('opens again what the node had, at once', async () => {
      const sessionID = await bed.openActiveSession();
      const playbackID = await bed.openPlayback(sessionID);
      const late = bed.sfu.epoch;
      await bed.restart(bed.sfu);
      expect(held(bed.sfu)).toEqual([sessionID, playbackID]);
      await bed.expectState('external-sessions', sessionID, 'pending');
      await bed.sfu.report(sessionID, { type: 'external_session.ended', reason: 'publisher_left' }, { epoch: late });
      await bed.sfu.activate(sessionID);
      await bed.expectState('external-sessions', sessionID, 'active');
    });

    it('opens it again also when the node was away for a while', async () => {
      const sessionID = await bed.openActiveSession();
      const playbackID = await bed.openPlayback(sessionID);
      await bed.lose(bed.sfu);
      await bed.expectState('external-sessions', sessionID, 'pending');
      await bed.restart(bed.sfu);
      expect(held(bed.sfu)).toEqual([sessionID, playbackID]);
      await bed.sfu.activate(sessionID);
      await bed.expectState('external-sessions', sessionID, 'active');
    });

    it('gives requests the time between two portions of many sessions', async () => {
      await fillRooms(bed, 40);
      let answer = (): void => undefined;
      bed.sfu.delays.set('session.open', new Promise<void>(resolve => (answer = resolve)));
      const asked = bed.sfu.log.next(({ name }) => name === 'session.open');
      await bed.sfu.restart();
      await asked;
      // The first portion takes 40 ms, so that the reconciler rests for 20 ms.
      bed.clock.stall(40);
      bed.sfu.delays.clear();
      answer();
      await waitFor(() => bed.sfu.sessions.size >= 25, { what: 'the first portion' });
      expect(await bed.createRoom()).toMatch(/^room_/);
      expect(bed.sfu.sessions.size).toBe(25);
      await waitFor(() => bed.advance(40).then(() => bed.sfu.sessions.size >= 40), { what: 'all sessions' });
    });

    it('starts its broadcasts again', async () => {
      const broadcastID = await bed.openActiveBroadcast(await bed.openActiveSession());
      await bed.restart(bed.transcoder);
      expect([...bed.transcoder.jobs.keys()]).toEqual([broadcastID]);
      await bed.transcoder.activate(broadcastID);
      await bed.expectState('broadcasts', broadcastID, 'active');
    });
  });

  it('opens what has lost its node and its source once the source is back', async () => {
    const sessionID = await bed.openActiveSession();
    const broadcastID = await bed.openActiveBroadcast(sessionID);
    await bed.sfu.loseSource(sessionID);
    await bed.restart(bed.transcoder);
    expect([...bed.transcoder.jobs.keys()]).toEqual([]);
    await bed.sfu.activate(sessionID);
    await bed.settled();
    expect([...bed.transcoder.jobs.keys()]).toEqual([broadcastID]);
  });

  describe('with nodes and a database that say different things', () => {
    it('closes at the nodes what the database has not', async () => {
      const { meetingID } = bed;
      bed.sfu.sessions.set('ext_unknown', { sessionID: 'ext_unknown', meetingID, state: 'active' });
      bed.sfu.playbacks.set('play_unknown', { playbackID: 'play_unknown', sessionID: 'ext_unknown', state: 'active' });
      bed.transcoder.jobs.set('bcast_unknown', { broadcastID: 'bcast_unknown', state: 'active' });
      await bed.advance(reconcileMs);
      expect([held(bed.sfu), bed.transcoder.jobs.size]).toEqual([[], 0]);
    });

    it('opens at a node what it has forgotten', async () => {
      const sessionID = await bed.openActiveSession();
      const playbackID = await bed.openPlayback(sessionID);
      const broadcastID = await bed.openActiveBroadcast(sessionID);
      bed.sfu.forgetAll();
      bed.transcoder.forgetAll();
      // Seen once, it may be on its way; seen twice, it is gone.
      await bed.advance(reconcileMs);
      expect([held(bed.sfu), bed.transcoder.jobs.size]).toEqual([[], 0]);
      await bed.advance(reconcileMs);
      expect(held(bed.sfu)).toEqual([sessionID, playbackID]);
      await bed.expectState('external-sessions', sessionID, 'pending');
      await bed.sfu.activate(sessionID);
      await bed.advance(reconcileMs);
      expect([...bed.transcoder.jobs.keys()]).toEqual([broadcastID]);
    });

    it('interrupts and resumes a broadcast whose transcoder did not hear of its source', async () => {
      const sessionID = await bed.openActiveSession();
      const broadcastID = await bed.openActiveBroadcast(sessionID);
      bed.transcoder.refusals.set('broadcast.interrupt', new Error('busy'));
      bed.transcoder.refusals.set('broadcast.resume', new Error('busy'));
      await bed.sfu.loseSource(sessionID);
      await bed.expectState('broadcasts', broadcastID, 'interrupted');
      await bed.transcoder.report(broadcastID, { type: 'broadcast.active', renditions: [] });
      expect(bed.transcoder.received('broadcast.interrupt')).toHaveLength(1);
      await bed.advance(reconcileMs);
      expect(bed.transcoder.received('broadcast.interrupt')).toHaveLength(2);
      bed.transcoder.refusals.delete('broadcast.interrupt');
      await bed.transcoder.report(broadcastID, { type: 'broadcast.active', renditions: [] });
      await bed.advance(reconcileMs);
      expect(bed.transcoder.jobs.get(broadcastID)?.state).toBe('interrupted');
      await bed.sfu.activate(sessionID);
      await bed.expectState('external-sessions', sessionID, 'active');
      bed.transcoder.refusals.clear();
      await bed.advance(reconcileMs);
      expect(bed.transcoder.jobs.get(broadcastID)?.state).toBe('starting');
    });

    it('tries again to open a playback that its node declined', async () => {
      const sessionID = await bed.openActiveSession();
      const playbackID = await bed.openPlayback(sessionID);
      bed.sfu.refusals.set('playback.open', new Error('not yet'));
      await bed.restart(bed.sfu);
      expect(bed.sfu.received('playback.open')).toHaveLength(2);
      bed.sfu.refusals.clear();
      await bed.sfu.activate(sessionID);
      await bed.advance(reconcileMs);
      expect([...bed.sfu.playbacks.keys()]).toEqual([playbackID]);
      expect(await bed.get('playbacks', playbackID)).toMatchObject({ state: 'ready' });
    });
  });

  it.each(['comes', 'restarts'])(
    'leaves what is on a node that %s while the others are asked what they hold',
    async how => {
      const sessionID = await bed.openActiveSession();
      if (how === 'comes') await bed.lose(bed.transcoder);
      let answer = (): void => undefined;
      bed.sfu.delays.set('node.inventory', new Promise<void>(resolve => (answer = resolve)));
      const asked = bed.sfu.log.next(({ name }) => name === 'node.inventory');
      // A node that comes has the reconciler look.
      const other = await bed.startTranscoder('transcoder-2');
      await asked;
      await other.die();
      await bed.restart(bed.transcoder);
      bed.transcoder.log.all.length = 0;
      const broadcastID = await bed.openActiveBroadcast(sessionID);
      answer();
      await bed.advance(1);
      await bed.expectState('broadcasts', broadcastID, 'active');
      expect(bed.transcoder.received('broadcast.start')).toHaveLength(1);
    },
  );

  it('keeps a room on its node and spreads rooms over nodes', async () => {
    const other = await bed.startSfu('sfu-2');
    const first = await bed.openSession();
    const home = bed.sfu.sessions.has(first) ? bed.sfu : other;
    home.load = 50;
    const elsewhere = home === bed.sfu ? other : bed.sfu;
    await bed.advance(leaseRenewalMs);
    const { meetingID } = bed;
    bed.meetingID = await bed.createRoom();
    expect(elsewhere.sessions.has(await bed.openSession())).toBe(true);
    bed.meetingID = meetingID;
    await bed.remove('external-sessions', first);
    expect(home.sessions.has(await bed.openSession())).toBe(true);
  });
});
