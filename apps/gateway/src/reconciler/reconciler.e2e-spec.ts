import { waitFor } from '@rtms/testing';
import { FakeSfu } from '../testing/fake-sfu.js';
import { FakeTranscoder } from '../testing/fake-transcoder.js';
import { MediaTestBed } from '../testing/media-test-bed.js';

describe('the reconciler', () => {
  let bed: MediaTestBed;

  beforeEach(async () => {
    bed = await MediaTestBed.start({ config: { graceSeconds: 4 } });
  });
  afterEach(() => bed?.close());

  describe('with a media node that dies', () => {
    it('moves sessions and playbacks to another node, where the publisher may come back', async () => {
      const sessionID = await bed.openActiveSession();
      const second = await bed.openActiveSession();
      const playbackID = await bed.openPlayback(sessionID);
      await bed.sfu.report(playbackID, { type: 'playback.active', viewerCount: 1 });
      const broadcastID = await bed.openActiveBroadcast(sessionID);
      await bed.waitForState('playbacks', playbackID, 'active');
      const other = await new FakeSfu(bed.nodeBuses.sfu, 'sfu-2').start();
      await bed.sfu.die();
      await waitFor(() => other.sessions.size === 2 && other.playbacks.has(playbackID));
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
      await bed.waitForState('external-sessions', sessionID, 'active');
      await waitFor(() => bed.transcoder.received('broadcast.resume').some(each => each['sfuNodeID'] === 'sfu-2'));
      await bed.transcoder.activate(broadcastID);
      await bed.waitForState('broadcasts', broadcastID, 'active');
      await other.die();
    });

    it('ends what nobody takes over in time', async () => {
      const sessionID = await bed.openActiveSession();
      const broadcastID = await bed.openActiveBroadcast(sessionID);
      await bed.sfu.die();
      await bed.waitForState('external-sessions', sessionID, 'pending');
      expect(await bed.waitForState('external-sessions', sessionID, 'ended')).toMatchObject({
        endReason: 'publisher_lost',
      });
      expect(await bed.get('broadcasts', broadcastID)).toMatchObject({ state: 'ended', endReason: 'source_ended' });
    });

    it('starts its broadcasts on another transcoder', async () => {
      const broadcastID = await bed.openActiveBroadcast(await bed.openActiveSession());
      const other = await new FakeTranscoder(bed.nodeBuses.transcoder, 'transcoder-2').start();
      await bed.transcoder.die();
      await waitFor(() => other.jobs.has(broadcastID));
      await bed.transcoder.report(broadcastID, { type: 'broadcast.failed', reason: 'encoder_failed' });
      await other.activate(broadcastID);
      const broadcast = await bed.waitForState('broadcasts', broadcastID, 'active');
      expect(broadcast['playbackUrl']).toMatch(/^http:\/\/transcoder-2\.test\//);
      await other.die();
    });

    it('gives a broadcast up when no transcoder takes it in time', async () => {
      const broadcastID = await bed.openActiveBroadcast(await bed.openActiveSession());
      await bed.transcoder.die();
      await bed.waitForState('broadcasts', broadcastID, 'interrupted');
      expect(await bed.waitForState('broadcasts', broadcastID, 'failed')).toMatchObject({ endReason: 'node_lost' });
    });
  });

  describe('with a media node that restarts', () => {
    it('opens again what the node had, at once', async () => {
      const sessionID = await bed.openActiveSession();
      const playbackID = await bed.openPlayback(sessionID);
      const late = bed.sfu.epoch;
      await bed.sfu.restart();
      await waitFor(() => bed.sfu.sessions.has(sessionID) && bed.sfu.playbacks.has(playbackID));
      expect(await bed.get('external-sessions', sessionID)).toMatchObject({ state: 'pending' });
      await bed.sfu.report(sessionID, { type: 'external_session.ended', reason: 'publisher_left' }, { epoch: late });
      await bed.sfu.activate(sessionID);
      await bed.waitForState('external-sessions', sessionID, 'active');
    });

    it('opens it again also when the node was away for a while', async () => {
      const sessionID = await bed.openActiveSession();
      const playbackID = await bed.openPlayback(sessionID);
      await bed.sfu.die();
      await bed.waitForState('external-sessions', sessionID, 'pending');
      await bed.sfu.restart();
      await waitFor(() => bed.sfu.sessions.has(sessionID) && bed.sfu.playbacks.has(playbackID));
      await bed.sfu.activate(sessionID);
      await bed.waitForState('external-sessions', sessionID, 'active');
    });

    it('starts its broadcasts again', async () => {
      const broadcastID = await bed.openActiveBroadcast(await bed.openActiveSession());
      await bed.transcoder.restart();
      await waitFor(() => bed.transcoder.jobs.has(broadcastID));
      await bed.transcoder.activate(broadcastID);
      await bed.waitForState('broadcasts', broadcastID, 'active');
    });
  });

  describe('with nodes and a database that say different things', () => {
    it('closes at the nodes what the database has not', async () => {
      const { meetingID } = bed;
      bed.sfu.sessions.set('ext_unknown', { sessionID: 'ext_unknown', meetingID, state: 'active' });
      bed.sfu.playbacks.set('play_unknown', { playbackID: 'play_unknown', sessionID: 'ext_unknown', state: 'active' });
      bed.transcoder.jobs.set('bcast_unknown', { broadcastID: 'bcast_unknown', state: 'active' });
      await waitFor(() => bed.sfu.sessions.size + bed.sfu.playbacks.size + bed.transcoder.jobs.size === 0);
    });

    it('opens at a node what it has forgotten', async () => {
      const sessionID = await bed.openActiveSession();
      const playbackID = await bed.openPlayback(sessionID);
      const broadcastID = await bed.openActiveBroadcast(sessionID);
      bed.sfu.forgetAll();
      bed.transcoder.forgetAll();
      await waitFor(() => bed.sfu.sessions.has(sessionID) && bed.sfu.playbacks.has(playbackID));
      expect(await bed.get('external-sessions', sessionID)).toMatchObject({ state: 'pending' });
      await bed.sfu.activate(sessionID);
      await waitFor(() => bed.transcoder.jobs.has(broadcastID));
    });

    it('interrupts and resumes a broadcast whose transcoder did not hear of its source', async () => {
      const sessionID = await bed.openActiveSession();
      const broadcastID = await bed.openActiveBroadcast(sessionID);
      bed.transcoder.refusals.set('broadcast.interrupt', new Error('busy'));
      bed.transcoder.refusals.set('broadcast.resume', new Error('busy'));
      await bed.sfu.loseSource(sessionID);
      await bed.waitForState('broadcasts', broadcastID, 'interrupted');
      await bed.transcoder.report(broadcastID, { type: 'broadcast.active', renditions: [] });
      await waitFor(() => bed.transcoder.received('broadcast.interrupt').length > 1);
      bed.transcoder.refusals.delete('broadcast.interrupt');
      await bed.transcoder.report(broadcastID, { type: 'broadcast.active', renditions: [] });
      await waitFor(() => bed.transcoder.jobs.get(broadcastID)?.state === 'interrupted');
      await bed.sfu.activate(sessionID);
      await bed.waitForState('external-sessions', sessionID, 'active');
      bed.transcoder.refusals.clear();
      await waitFor(() => bed.transcoder.jobs.get(broadcastID)?.state === 'starting');
    });

    it('tries again to open a playback that its node declined', async () => {
      const sessionID = await bed.openActiveSession();
      const playbackID = await bed.openPlayback(sessionID);
      bed.sfu.refusals.set('playback.open', new Error('not yet'));
      await bed.sfu.restart();
      await waitFor(() => bed.sfu.received('playback.open').length > 1);
      bed.sfu.refusals.clear();
      await bed.sfu.activate(sessionID);
      await waitFor(() => bed.sfu.playbacks.has(playbackID));
      expect(await bed.get('playbacks', playbackID)).toMatchObject({ state: 'ready' });
    });
  });

  it('keeps a room on its node and spreads rooms over nodes', async () => {
    const other = await new FakeSfu(bed.nodeBuses.sfu, 'sfu-2').start();
    await bed.waitForNodes(3);
    const first = await bed.openSession();
    const home = bed.sfu.sessions.has(first) ? bed.sfu : other;
    home.load = 50;
    const elsewhere = home === bed.sfu ? other : bed.sfu;
    await waitFor(async () => {
      bed.meetingID = await bed.createRoom();
      return elsewhere.sessions.has(await bed.openSession());
    });
    const { meetingID } = [...home.sessions.values()].find(each => each.sessionID === first) ?? { meetingID: '' };
    bed.meetingID = meetingID;
    await bed.remove('external-sessions', first);
    expect(home.sessions.has(await bed.openSession())).toBe(true);
    await other.die();
  });
});
