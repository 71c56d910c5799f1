/** @seconds 9 */
import type { FakeSfu } from '../../testing/fake-sfu.js';
import { leaseRenewalMs } from '../../testing/fake-node.js';
import { MediaTestBed, reconcileMs } from '../../testing/media-test-bed.js';

const held = ({ sessions, playbacks }: FakeSfu) => [...sessions.keys(), ...playbacks.keys()];

describe('the reconciler', () => {
  let bed: MediaTestBed;

  beforeEach(async () => {
    bed = await MediaTestBed.start();
  });
  afterEach(() => bed?.close());

  it('compares all pages of an inventory', async () => {
    const sessionID = await bed.openActiveSession();
    const playbackIDs = [await bed.openPlayback(sessionID), await bed.openPlayback(sessionID)];
    const orphans = ['play_0', 'play_zzz'];
    for (const playbackID of orphans) bed.sfu.playbacks.set(playbackID, { playbackID, sessionID, state: 'ready' });
    bed.sfu.entriesPerPage = 2;
    // Three runs: a resource missing in the first would be opened again.
    await bed.advance(3 * reconcileMs);
    expect(bed.sfu.received('playback.close').map(({ playbackID }) => playbackID)).toEqual(orphans);
    expect([...bed.sfu.playbacks.keys()].toSorted()).toEqual(playbackIDs.toSorted());
    expect(bed.sfu.received('playback.open')).toHaveLength(2);
    expect(bed.sfu.received('session.open')).toHaveLength(1);
  });

  describe('with nodes and a database that differ', () => {
    it('closes resources that the database does not have', async () => {
      const { meetingID } = bed;
      bed.sfu.sessions.set('ext_unknown', { sessionID: 'ext_unknown', meetingID, state: 'active' });
      bed.sfu.playbacks.set('play_unknown', { playbackID: 'play_unknown', sessionID: 'ext_unknown', state: 'active' });
      bed.transcoder.jobs.set('bcast_unknown', { broadcastID: 'bcast_unknown', state: 'active' });
      await bed.advance(reconcileMs);
      expect([held(bed.sfu), bed.transcoder.jobs.size]).toEqual([[], 0]);
    });

    it('opens resources that a node has forgotten', async () => {
      const sessionID = await bed.openActiveSession();
      const playbackID = await bed.openPlayback(sessionID);
      const broadcastID = await bed.openActiveBroadcast(sessionID);
      bed.sfu.forgetAll();
      bed.transcoder.forgetAll();
      // A resource counts as gone only when it is missing in two runs.
      await bed.advance(reconcileMs);
      expect([held(bed.sfu), bed.transcoder.jobs.size]).toEqual([[], 0]);
      await bed.advance(reconcileMs);
      expect(held(bed.sfu)).toEqual([sessionID, playbackID]);
      await bed.expectState('external-sessions', sessionID, 'pending');
      await bed.sfu.activate(sessionID);
      await bed.advance(reconcileMs);
      expect([...bed.transcoder.jobs.keys()]).toEqual([broadcastID]);
    });

    it('interrupts and resumes a broadcast whose transcoder missed a change of its source', async () => {
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

    it('retries a playback that its node refused', async () => {
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

  it.each(['comes', 'restarts'])('ignores a node that %s while the inventories are read', async how => {
    const sessionID = await bed.openActiveSession();
    if (how === 'comes') await bed.lose(bed.transcoder);
    let answer = (): void => undefined;
    bed.sfu.delays.set('node.inventory', new Promise<void>(resolve => (answer = resolve)));
    const asked = bed.sfu.log.next(({ name }) => name === 'node.inventory');
    // A new node triggers the reconciler.
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
  });

  it('keeps a room on its node, and spreads rooms over nodes', async () => {
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
