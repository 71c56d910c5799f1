/** @seconds 16 */
import { waitFor } from '@rtms/testing';
import type { FakeSfu } from '../../testing/fake-sfu.js';
import { graceMs, MediaTestBed, reconcileMs } from '../../testing/media-test-bed.js';

/** As `MediaTestBed.lose`. */
const loseMs = 6_000;

const idOf = (prefix: string) => `'${prefix}_' || lpad(n::text, 22, '0')`;

/** Inserts `count` rooms with one session each on the first node. */
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

describe('the reconciler with lost nodes', () => {
  let bed: MediaTestBed;

  beforeEach(async () => {
    bed = await MediaTestBed.start();
  });
  afterEach(() => bed?.close());

  describe('with a dead media node', () => {
    it('moves sessions and playbacks to another node, where the publisher can reconnect', async () => {
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
      // The silence is none of the publisher.
      expect(bed.transcoder.received('broadcast.node-lost')).toEqual([{ broadcastID }]);
      expect(bed.transcoder.received('broadcast.interrupt')).toEqual([]);
      await Promise.all([other.activate(sessionID), other.activate(second)]);
      await bed.expectState('external-sessions', sessionID, 'active');
      expect(bed.transcoder.received('broadcast.resume')).toEqual([{ broadcastID, sfuNodeID: 'sfu-2' }]);
      await bed.transcoder.activate(broadcastID);
      await bed.expectState('broadcasts', broadcastID, 'active');
    });

    it('ends resources that no node takes in time', async () => {
      const sessionID = await bed.openActiveSession();
      const broadcastID = await bed.openActiveBroadcast(sessionID);
      await bed.lose(bed.sfu);
      // `lose` takes longer than the gateway needs to notice.
      await bed.advance(graceMs - loseMs);
      await bed.expectState('external-sessions', sessionID, 'pending');
      await bed.advance(loseMs);
      expect(await bed.expectState('external-sessions', sessionID, 'ended')).toMatchObject({
        endReason: 'publisher_lost',
      });
      expect(await bed.get('broadcasts', broadcastID)).toMatchObject({ state: 'ended', endReason: 'source_ended' });
    });

    it('starts the broadcasts on another transcoder', async () => {
      const broadcastID = await bed.openActiveBroadcast(await bed.openActiveSession());
      const other = await bed.startTranscoder('transcoder-2');
      await bed.lose(bed.transcoder);
      expect([...other.jobs.keys()]).toEqual([broadcastID]);
      await bed.transcoder.report(broadcastID, { type: 'broadcast.failed', reason: 'encoder_failed' });
      await other.activate(broadcastID);
      const broadcast = await bed.expectState('broadcasts', broadcastID, 'active');
      expect(broadcast['playbackUrl']).toMatch(/^http:\/\/transcoder-2\.test\//);
    });

    it('fails a broadcast that no transcoder takes in time', async () => {
      const broadcastID = await bed.openActiveBroadcast(await bed.openActiveSession());
      await bed.lose(bed.transcoder);
      // `lose` takes longer than the gateway needs to notice.
      await bed.advance(graceMs - loseMs);
      await bed.expectState('broadcasts', broadcastID, 'interrupted');
      await bed.advance(loseMs);
      expect(await bed.expectState('broadcasts', broadcastID, 'failed')).toMatchObject({ endReason: 'node_lost' });
    });
  });

  describe('with a media node that was cut off from the bus while its media continued', () => {
    /** Cuts the node off until its lease lapses. The node keeps its resources. */
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

    it('gives the room back, and closes nothing on the node', async () => {
      const { sessionID, playbackID, other } = await cutOff();
      const before = bed.sfu.commands.length;
      await bed.sfu.start();
      await bed.settled();
      const since = bed.sfu.commands.slice(before).map(({ name }) => name);
      expect(since).toEqual(expect.arrayContaining(['session.open', 'playback.open']));
      expect(since.filter(name => name.endsWith('.close'))).toEqual([]);
      expect(held(bed.sfu)).toEqual([sessionID, playbackID]);
      expect(other.received('room.close')).toEqual([{ meetingID: bed.meetingID }]);
      // The node reports its resources again.
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

    it('leaves the room on the new node when its publisher has reconnected there', async () => {
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

  describe('with a restarted media node', () => {
    it('opens the resources of the node again at once', async () => {
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

    it('opens the resources again also when the node was lost for a while', async () => {
      const sessionID = await bed.openActiveSession();
      const playbackID = await bed.openPlayback(sessionID);
      await bed.lose(bed.sfu);
      await bed.expectState('external-sessions', sessionID, 'pending');
      await bed.restart(bed.sfu);
      expect(held(bed.sfu)).toEqual([sessionID, playbackID]);
      await bed.sfu.activate(sessionID);
      await bed.expectState('external-sessions', sessionID, 'active');
    });

    it('lets requests run between two portions of many sessions', async () => {
      await fillRooms(bed, 40);
      let answer = (): void => undefined;
      bed.sfu.delays.set('session.open', new Promise<void>(resolve => (answer = resolve)));
      const asked = bed.sfu.log.next(({ name }) => name === 'session.open');
      await bed.sfu.restart();
      await asked;
      // The first portion takes 40 ms, so the reconciler pauses for 20 ms.
      bed.clock.stall(40);
      bed.sfu.delays.clear();
      answer();
      await waitFor(() => bed.sfu.sessions.size >= 25, { what: 'the first portion' });
      expect(await bed.createRoom()).toMatch(/^room_/);
      expect(bed.sfu.sessions.size).toBe(25);
      await waitFor(() => bed.advance(40).then(() => bed.sfu.sessions.size >= 40), { what: 'all sessions' });
    });

    it('starts the broadcasts again', async () => {
      const broadcastID = await bed.openActiveBroadcast(await bed.openActiveSession());
      await bed.restart(bed.transcoder);
      expect([...bed.transcoder.jobs.keys()]).toEqual([broadcastID]);
      await bed.transcoder.activate(broadcastID);
      await bed.expectState('broadcasts', broadcastID, 'active');
    });
  });

  it('restarts a broadcast without node and source when the source is back', async () => {
    const sessionID = await bed.openActiveSession();
    const broadcastID = await bed.openActiveBroadcast(sessionID);
    await bed.sfu.loseSource(sessionID);
    await bed.restart(bed.transcoder);
    expect([...bed.transcoder.jobs.keys()]).toEqual([]);
    await bed.sfu.activate(sessionID);
    await bed.settled();
    expect([...bed.transcoder.jobs.keys()]).toEqual([broadcastID]);
  });
});
