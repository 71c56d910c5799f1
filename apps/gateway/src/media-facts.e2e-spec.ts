import type { EndReason, FactBody } from '@rtms/contracts';
import { waitFor } from '@rtms/testing';
import { audioTrack, videoTrack } from './testing/fake-sfu.js';
import { MediaTestBed } from './testing/media-test-bed.js';

const active: FactBody = { type: 'external_session.active', tracks: [videoTrack, audioTrack] };
const ended = (reason: EndReason): FactBody => ({ type: 'external_session.ended', reason });

describe('what media nodes report', () => {
  let bed: MediaTestBed;

  beforeAll(async () => {
    bed = await MediaTestBed.start({ config: { graceSeconds: 3 } });
  });
  afterAll(() => bed?.close());

  /** Facts are applied in order: once this one shows, those before it were seen. */
  const settle = async (sessionID: string) => {
    const keyframeIntervalSeconds = Math.random();
    await bed.sfu.report(sessionID, { type: 'external_session.health', health: [], keyframeIntervalSeconds });
    await waitFor(async () => {
      const session = await bed.get('external-sessions', sessionID);
      return session['keyframeIntervalSeconds'] === keyframeIntervalSeconds;
    });
  };

  it('counts for nothing when it comes from another node or another start of the node', async () => {
    const sessionID = await bed.openSession();
    await bed.sfu.report(sessionID, active, { sequence: 1, nodeID: 'sfu-9' });
    await bed.sfu.report(sessionID, active, { sequence: 1, epoch: bed.sfu.epoch - 1 });
    await settle(sessionID);
    expect(await bed.get('external-sessions', sessionID)).toMatchObject({ state: 'pending', tracks: [] });
  });

  it('counts once, and not when it comes late', async () => {
    const sessionID = await bed.openActiveSession();
    await bed.sfu.report(sessionID, { type: 'external_session.health', health: ['silence'] }, { sequence: 7 });
    await bed.sfu.report(sessionID, ended('publisher_left'), { sequence: 6 });
    await bed.sfu.report(sessionID, ended('publisher_left'), { sequence: 7 });
    await settle(sessionID);
    expect(await bed.get('external-sessions', sessionID)).toMatchObject({ state: 'active', health: [] });
  });

  it('changes nothing of what has ended or was never there', async () => {
    const sessionID = await bed.openActiveSession();
    await bed.remove('external-sessions', sessionID);
    await bed.sfu.report('ext_none', active);
    await bed.sfu.report(sessionID, active, { sequence: 50 });
    await settle(await bed.openSession());
    expect(await bed.get('external-sessions', sessionID)).toMatchObject({ state: 'ended', endReason: 'requested' });
  });

  it('does not hold up those behind it when it cannot be stored', async () => {
    const broken = await bed.openSession();
    const unstorable = { ...videoTrack, codec: 'VP8\u0000' };
    await bed.sfu.report(broken, { type: 'external_session.active', tracks: [unstorable] });
    await bed.sfu.report(broken, { type: 'external_session.active', tracks: 7 as never });
    await bed.sfu.report(await bed.openSession(), { type: 'weather.changed' } as never);
    const sessionID = await bed.openActiveSession();
    expect(await bed.get('external-sessions', sessionID)).toMatchObject({ state: 'active' });
    expect(await bed.get('external-sessions', broken)).toMatchObject({ state: 'pending' });
  });

  it('ends a session with all that depends on it', async () => {
    const sessionID = await bed.openActiveSession();
    const playbackID = await bed.openPlayback(sessionID);
    const broadcastID = await bed.openActiveBroadcast(sessionID);
    await bed.sfu.report(sessionID, ended('publisher_left'));
    await bed.waitForState('external-sessions', sessionID, 'ended');
    expect(await bed.get('external-sessions', sessionID)).toMatchObject({
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
    await waitFor(() => !bed.transcoder.jobs.has(broadcastID) && !bed.sfu.playbacks.has(playbackID));
  });

  it('interrupts broadcasts while the publisher is lost and resumes them when it is back', async () => {
    const sessionID = await bed.openActiveSession();
    const broadcastID = await bed.openActiveBroadcast(sessionID);
    await bed.sfu.loseSource(sessionID);
    await bed.waitForState('broadcasts', broadcastID, 'interrupted');
    await waitFor(() => bed.transcoder.jobs.get(broadcastID)?.state === 'interrupted');
    await bed.sfu.activate(sessionID);
    await waitFor(() => bed.transcoder.received('broadcast.resume').some(each => each['broadcastID'] === broadcastID));
    expect(bed.transcoder.received('broadcast.resume').at(-1)).toEqual({ broadcastID, sfuNodeID: 'sfu-1' });
    await bed.transcoder.activate(broadcastID);
    await bed.waitForState('broadcasts', broadcastID, 'active');
    expect(await bed.get('external-sessions', sessionID)).toMatchObject({ state: 'active' });
  });

  it('gives a lost publisher the grace time and then ends the session and its dependents', async () => {
    const sessionID = await bed.openActiveSession();
    const playbackID = await bed.openPlayback(sessionID);
    await bed.sfu.loseSource(sessionID);
    await bed.waitForState('external-sessions', sessionID, 'pending');
    const session = await bed.waitForState('external-sessions', sessionID, 'ended');
    expect(session.endReason).toBe('publisher_lost');
    expect(await bed.get('playbacks', playbackID)).toMatchObject({ state: 'ended', endReason: 'source_ended' });
    await waitFor(() => !bed.sfu.sessions.has(sessionID));
  });

  it('counts viewers, waits for the last one and then ends the playback', async () => {
    const playbackID = await bed.openPlayback(await bed.openActiveSession());
    await bed.sfu.report(playbackID, { type: 'playback.active', viewerCount: 1 });
    await bed.sfu.report(playbackID, { type: 'playback.active', viewerCount: 3 });
    await waitFor(async () => (await bed.get('playbacks', playbackID))['viewerCount'] === 3);
    await bed.sfu.report(playbackID, { type: 'playback.idle', reason: 'viewer_lost' });
    await bed.waitForState('playbacks', playbackID, 'ready');
    const playback = await bed.waitForState('playbacks', playbackID, 'ended');
    expect(playback).toMatchObject({ endReason: 'viewer_lost', viewerCount: 0 });
    await waitFor(() => !bed.sfu.playbacks.has(playbackID));
  });

  it('ends a playback when its last viewer leaves, and a broadcast that failed', async () => {
    const sessionID = await bed.openActiveSession();
    const playbackID = await bed.openPlayback(sessionID);
    const broadcastID = await bed.openBroadcast(sessionID);
    await bed.sfu.report(playbackID, { type: 'playback.ended', reason: 'viewer_left' });
    await bed.transcoder.report(broadcastID, { type: 'broadcast.failed', reason: 'encoder_failed' });
    expect(await bed.waitForState('playbacks', playbackID, 'ended')).toMatchObject({ endReason: 'viewer_left' });
    expect(await bed.waitForState('broadcasts', broadcastID, 'failed')).toMatchObject({ endReason: 'encoder_failed' });
    expect((await bed.remove('broadcasts', broadcastID)).body).toMatchObject({ broadcast: { state: 'failed' } });
    expect((await bed.remove('external-sessions', sessionID)).status).toBe(200);
  });
});
