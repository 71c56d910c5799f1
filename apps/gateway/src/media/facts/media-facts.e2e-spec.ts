import { factMessageID, type EndReason, type Fact, type FactBody } from '@rtms/contracts';
import { DataSource, QueryFailedError } from 'typeorm';
import { FactRouter } from './fact-router.js';
import { audioTrack, videoTrack } from '../../testing/fake-sfu.js';
import { graceMs, MediaTestBed, sweepMs } from '../../testing/media-test-bed.js';

const active: FactBody = { type: 'external_session.active', tracks: [videoTrack, audioTrack] };
const ended = (reason: EndReason): FactBody => ({ type: 'external_session.ended', reason });

describe('a fact of a media node', () => {
  let bed: MediaTestBed;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
  });
  afterAll(() => bed?.close());

  it('is ignored from another node and from another start of the node', async () => {
    const sessionID = await bed.openSession();
    await bed.sfu.report(sessionID, active, { sequence: 1, nodeID: 'sfu-9' });
    await bed.sfu.report(sessionID, active, { sequence: 1, epoch: bed.sfu.epoch - 1 });
    expect(await bed.get('external-sessions', sessionID)).toMatchObject({ state: 'pending', tracks: [] });
  });

  it('is applied once, and not after a later fact', async () => {
    const sessionID = await bed.openActiveSession();
    await bed.sfu.report(sessionID, { type: 'external_session.health', health: ['silence'] }, { sequence: 7 });
    await bed.sfu.report(sessionID, ended('publisher_left'), { sequence: 6 });
    await bed.sfu.report(sessionID, ended('publisher_left'), { sequence: 7 });
    expect(await bed.get('external-sessions', sessionID)).toMatchObject({ state: 'active', health: ['silence'] });
  });

  it('changes no ended or unknown resource', async () => {
    const sessionID = await bed.openActiveSession();
    await bed.remove('external-sessions', sessionID);
    await bed.sfu.report('ext_none', active);
    await bed.sfu.report(sessionID, active, { sequence: 50 });
    expect(await bed.get('external-sessions', sessionID)).toMatchObject({ state: 'ended', endReason: 'requested' });
  });

  it('delays no fact of other resources when it cannot be stored, and is dropped after three tries', async () => {
    const broken = await bed.openSession();
    const unstorable = { ...videoTrack, codec: 'VP8\u0000' };
    await bed.sfu.publish(broken, { type: 'external_session.active', tracks: [unstorable] });
    await bed.sfu.publish(broken, { type: 'external_session.active', tracks: 7 as never });
    const last = await bed.sfu.publish(broken, active);
    await bed.sfu.publish(await bed.openSession(), { type: 'weather.changed' } as never);
    const sessionID = await bed.openSession();
    await bed.sfu.report(sessionID, active);
    await bed.expectState('external-sessions', sessionID, 'active');
    await bed.expectState('external-sessions', broken, 'pending');
    // The stream delivers it three times, after 100 and 200 ms.
    await bed.advance(sweepMs);
    await bed.taken(last);
    await bed.expectState('external-sessions', broken, 'active');
  });

  /** The gateway fails on facts about this resource until the returned function is called. */
  const failOn = (resourceID: string, error: Error): (() => void) => {
    const router = bed.gateway.app.get(FactRouter, { strict: false });
    const apply = router.apply.bind(router);
    router.apply = fact => (fact.resourceID === resourceID ? Promise.reject(error) : apply(fact));
    return () => {
      router.apply = apply;
    };
  };
  const deadlock = (): Error =>
    new QueryFailedError('UPDATE', [], Object.assign(new Error('deadlock detected'), { code: '40P01' }));
  const postponed = (fact: Fact): Promise<unknown> =>
    bed.gateway.taken.find(each => each.outcome === 'postponed' && factMessageID(each.fact) === factMessageID(fact));

  it('delays no fact of other resources when the gateway fails on it, and is dropped after five tries', async () => {
    const [broken, sessionID] = [await bed.openSession(), await bed.openSession()];
    const succeed = failOn(broken, new TypeError('cannot read properties of undefined'));
    try {
      const failing = await bed.sfu.publish(broken, active);
      await bed.sfu.report(sessionID, active);
      await bed.expectState('external-sessions', sessionID, 'active');
      const isDropped = () =>
        bed.gateway.taken.all.some(each => each.fact.resourceID === broken && each.outcome === 'dropped');
      // The stream delivers it five times, after 100, 200, 400 and 800 ms.
      await bed.advance(1_499);
      expect(isDropped()).toBe(false);
      await bed.advance(1);
      await bed.taken(failing);
      expect(isDropped()).toBe(true);
      await bed.expectState('external-sessions', broken, 'pending');
    } finally {
      succeed();
      // Further tests begin with a sweep, as the bed does.
      await bed.advance(sweepMs - 500);
    }
  });

  it('keeps the grace time of only its own resource open while it waits', async () => {
    const [back, lost] = [await bed.openActiveSession(), await bed.openActiveSession()];
    for (const sessionID of [back, lost]) await bed.sfu.loseSource(sessionID);
    const succeed = failOn(back, deadlock());
    const fact = await bed.sfu.publish(back, active);
    await postponed(fact);
    await bed.advance(graceMs);
    await bed.expectState('external-sessions', lost, 'ended');
    await bed.expectState('external-sessions', back, 'pending');
    succeed();
    // The next try comes within 5 s.
    await bed.advance(5_000);
    await bed.taken(fact);
    await bed.expectState('external-sessions', back, 'active');
  });

  it('lets grace times end after it was dropped', async () => {
    const [broken, sessionID] = [await bed.openSession(), await bed.openActiveSession()];
    await bed.sfu.loseSource(sessionID);
    const unstorable = { ...videoTrack, codec: 'VP8\u0000' };
    await bed.sfu.publish(broken, { type: 'external_session.active', tracks: [unstorable] });
    await bed.advance(graceMs);
    await bed.expectState('external-sessions', sessionID, 'ended');
  });

  it('ends a session together with its playbacks, broadcasts and recordings', async () => {
    const sessionID = await bed.openActiveSession();
    const playbackID = await bed.openPlayback(sessionID);
    const broadcastID = await bed.openActiveBroadcast(sessionID);
    await bed.sfu.report(sessionID, ended('publisher_left'));
    expect(await bed.get('external-sessions', sessionID)).toMatchObject({
      state: 'ended',
      endReason: 'publisher_left',
      ingest: { url: null },
      tracks: [{ state: 'ended' }, { state: 'ended' }],
    });
    expect(await bed.get('playbacks', playbackID)).toMatchObject({
      state: 'ended',
      endReason: 'source_ended',
      endpoint: null,
    });
    expect(await bed.get('broadcasts', broadcastID)).toMatchObject({
      state: 'ended',
      endReason: 'source_ended',
      playbackUrl: null,
      playbackTokenExpiresAt: null,
    });
    expect([bed.transcoder.jobs.has(broadcastID), bed.sfu.playbacks.has(playbackID)]).toEqual([false, false]);
  });

  it('interrupts broadcasts while the publisher is lost, and resumes them when it reconnects', async () => {
    const sessionID = await bed.openActiveSession();
    const broadcastID = await bed.openActiveBroadcast(sessionID);
    await bed.sfu.loseSource(sessionID);
    await bed.expectState('broadcasts', broadcastID, 'interrupted');
    expect(bed.transcoder.jobs.get(broadcastID)?.state).toBe('interrupted');
    await bed.sfu.activate(sessionID);
    expect(bed.transcoder.received('broadcast.resume')).toContainEqual({ broadcastID, sfuNodeID: 'sfu-1' });
    await bed.transcoder.activate(broadcastID);
    await bed.expectState('broadcasts', broadcastID, 'active');
    expect(await bed.get('external-sessions', sessionID)).toMatchObject({ state: 'active' });
  });

  it('gives a lost publisher the grace time and then ends the session and its dependents', async () => {
    const sessionID = await bed.openActiveSession();
    const playbackID = await bed.openPlayback(sessionID);
    await bed.sfu.loseSource(sessionID);
    await bed.advance(graceMs - 1);
    await bed.expectState('external-sessions', sessionID, 'pending');
    await bed.advance(1);
    const session = await bed.expectState('external-sessions', sessionID, 'ended');
    expect(session.endReason).toBe('publisher_lost');
    expect(await bed.get('playbacks', playbackID)).toMatchObject({ state: 'ended', endReason: 'source_ended' });
    expect(bed.sfu.sessions.has(sessionID)).toBe(false);
  });

  it('about a session shares a transaction with facts about other sessions that arrive meanwhile', async () => {
    bed.meetingID = await bed.createRoom();
    const sessionIDs = await Promise.all(Array.from({ length: 12 }, () => bed.openSession()));
    const facts = await Promise.all(sessionIDs.map(sessionID => bed.sfu.publish(sessionID, active)));
    for (const fact of facts) await bed.taken(fact);
    for (const sessionID of sessionIDs) await bed.expectState('external-sessions', sessionID, 'active');
    const dataSource = bed.gateway.app.get(DataSource, { strict: false });
    // A row has the number of the transaction that stored it.
    const statement = 'SELECT count(DISTINCT xmin::text)::int AS count FROM external_sessions WHERE id = ANY ($1)';
    const [transactions] = await dataSource.query<{ count: number }[]>(statement, [sessionIDs]);
    expect(transactions?.count).toBeLessThanOrEqual(6);
  });

  it('has its own consequences beside facts about other sessions in the same transaction', async () => {
    bed.meetingID = await bed.createRoom();
    const [back, lost, over, silent] = await Promise.all([
      bed.openSession(),
      bed.openActiveSession(),
      bed.openActiveSession(),
      bed.openActiveSession(),
    ]);
    const broadcasts = await Promise.all([lost, over, silent].map(sessionID => bed.openActiveBroadcast(sessionID)));
    const playbackID = await bed.openPlayback(over);
    const facts = await Promise.all([
      bed.sfu.publish(back, active, { requestID: 'req-back' }),
      bed.sfu.publish(lost, { type: 'external_session.interrupted', reason: 'publisher_lost' }),
      bed.sfu.publish(over, ended('publisher_left'), { requestID: 'req-over' }),
      bed.sfu.publish(silent, { type: 'external_session.active', tracks: [audioTrack] }),
    ]);
    for (const fact of facts) await bed.taken(fact);
    await bed.expectState('external-sessions', back, 'active');
    await bed.expectState('external-sessions', lost, 'pending');
    await bed.expectState('external-sessions', over, 'ended');
    await bed.expectState('external-sessions', silent, 'active');
    await bed.expectState('playbacks', playbackID, 'ended');
    const states = ['interrupted', 'ended', 'ended'];
    for (const [index, id] of broadcasts.entries()) await bed.expectState('broadcasts', id, states[index] ?? '');
    const close = await bed.sfu.log.find(
      ({ name, request }) => name === 'playback.close' && request['playbackID'] === playbackID,
    );
    expect(close.requestID).toBe('req-over');
    const isOfLost = (request: Record<string, unknown>) => request['broadcastID'] === broadcasts[0];
    await bed.transcoder.command('broadcast.interrupt', request => isOfLost(request) && !request['isMoved']);
  });

  it('counts viewers, waits for the last one and then ends the playback', async () => {
    const playbackID = await bed.openPlayback(await bed.openActiveSession());
    await bed.sfu.report(playbackID, { type: 'playback.active', viewerCount: 1 });
    await bed.sfu.report(playbackID, { type: 'playback.active', viewerCount: 3 });
    expect(await bed.get('playbacks', playbackID)).toMatchObject({ state: 'active', viewerCount: 3 });
    await bed.sfu.report(playbackID, { type: 'playback.idle', reason: 'viewer_lost' });
    await bed.advance(graceMs - 1);
    await bed.expectState('playbacks', playbackID, 'ready');
    await bed.advance(1);
    const playback = await bed.expectState('playbacks', playbackID, 'ended');
    expect(playback).toMatchObject({ endReason: 'viewer_lost', viewerCount: 0 });
    expect(bed.sfu.playbacks.has(playbackID)).toBe(false);
  });

  it('ends a playback when its last viewer leaves, and a broadcast that failed', async () => {
    const sessionID = await bed.openActiveSession();
    const playbackID = await bed.openPlayback(sessionID);
    const broadcastID = await bed.openBroadcast(sessionID);
    await bed.sfu.report(playbackID, { type: 'playback.ended', reason: 'viewer_left' });
    await bed.transcoder.report(broadcastID, { type: 'broadcast.failed', reason: 'encoder_failed' });
    expect(await bed.expectState('playbacks', playbackID, 'ended')).toMatchObject({ endReason: 'viewer_left' });
    expect(await bed.expectState('broadcasts', broadcastID, 'failed')).toMatchObject({ endReason: 'encoder_failed' });
    expect((await bed.remove('broadcasts', broadcastID)).body).toMatchObject({ broadcast: { state: 'failed' } });
    expect((await bed.remove('external-sessions', sessionID)).status).toBe(200);
  });

  it('is applied before the session of a lost node moves to another node', async () => {
    const sessionID = await bed.openActiveSession();
    const other = await bed.openActiveSession();
    const spare = await bed.startSfu('sfu-2');
    const succeed = failOn(sessionID, deadlock());
    const fact = await bed.sfu.publish(sessionID, ended('publisher_left'));
    await postponed(fact);
    await bed.lose(bed.sfu);
    await spare.command('session.open', request => request['sessionID'] === other);
    expect(spare.sessions.has(sessionID)).toBe(false);
    succeed();
    await bed.advance(5_000);
    await bed.taken(fact);
    const session = await bed.expectState('external-sessions', sessionID, 'ended');
    expect(session.endReason).toBe('publisher_left');
  });
});
