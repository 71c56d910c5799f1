import { ServiceError, type SessionTrack, type TrackState } from '@rtms/contracts';
import { audioTrack, videoTrack } from '../../testing/fake-sfu.js';
import { MediaTestBed } from '../../testing/media-test-bed.js';

describe('the tracks of an external session', () => {
  let bed: MediaTestBed;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
  });
  afterAll(() => bed?.close());
  afterEach(() => bed.sfu.refusals.clear());

  const change = (sessionID: string, trackID: string, action: string) =>
    bed.request('post', bed.path('external-sessions', `${sessionID}/tracks/${trackID}`), { action });
  const tracksOf = async (sessionID: string) =>
    (await bed.get('external-sessions', sessionID))['tracks'] as SessionTrack[];
  const showing = (video: TrackState): SessionTrack[] => [{ ...videoTrack, state: video }, audioTrack];
  const count = (command: string) => bed.sfu.received(command).length;

  it('are paused, resumed and closed idempotently, and the answer shows it', async () => {
    const sessionID = await bed.openActiveSession();
    for (const [action, command, state] of [
      ['pause', 'track.pause', 'paused'],
      ['resume', 'track.resume', 'live'],
      ['close', 'track.close', 'ended'],
    ] as const) {
      for (const attempt of ['first', 'repeated']) {
        const answer = await change(sessionID, 'trk_video', action);
        expect([attempt, answer]).toMatchObject([
          attempt,
          { status: 200, body: { externalSession: { sessionID, state: 'active', tracks: showing(state) } } },
        ]);
      }
      expect(bed.sfu.received(command)).toContainEqual({ trackID: 'trk_video' });
      expect(await tracksOf(sessionID)).toEqual(showing(state));
    }
    expect(count('track.close')).toBe(1);
  });

  it('take keyframe requests without a change of state', async () => {
    const sessionID = await bed.openActiveSession();
    expect(await change(sessionID, 'trk_video', 'requestKeyframe')).toMatchObject({ status: 200 });
    expect(bed.sfu.received('track.keyframe')).toEqual([{ trackID: 'trk_video' }]);
    expect(await tracksOf(sessionID)).toEqual(showing('live'));
    expect(await change(sessionID, 'trk_audio', 'requestKeyframe')).toMatchObject({
      status: 400,
      body: { reason: 'invalid_request' },
    });
  });

  it('follow the reports of the node', async () => {
    const sessionID = await bed.openActiveSession();
    await bed.sfu.report(sessionID, { type: 'external_session.active', tracks: showing('paused') });
    expect(await tracksOf(sessionID)).toEqual(showing('paused'));
    await change(sessionID, 'trk_video', 'close');
    await bed.sfu.report(sessionID, { type: 'external_session.active', tracks: [{ ...audioTrack, state: 'paused' }] });
    expect(await tracksOf(sessionID)).toEqual([
      { ...audioTrack, state: 'paused' },
      { ...videoTrack, state: 'ended' },
    ]);
  });

  it('end the broadcasts when the video is closed, and leave audio playbacks', async () => {
    const sessionID = await bed.openActiveSession();
    const broadcastID = await bed.openActiveBroadcast(sessionID);
    const playbackID = await bed.openPlayback(sessionID);
    await change(sessionID, 'trk_audio', 'close');
    expect(await bed.get('broadcasts', broadcastID)).toMatchObject({ state: 'active' });
    await change(sessionID, 'trk_video', 'close');
    expect(await bed.get('broadcasts', broadcastID)).toMatchObject({ state: 'ended', endReason: 'source_ended' });
    expect(bed.transcoder.received('broadcast.stop')).toContainEqual({ broadcastID });
    expect(await bed.get('playbacks', playbackID)).toMatchObject({ state: 'ready' });
    expect(await bed.post('broadcasts', { sourceSessionID: sessionID })).toMatchObject({
      status: 409,
      body: { reason: 'source_has_no_video' },
    });
  });

  it('end the broadcasts also when only the node reports the end of the video', async () => {
    const sessionID = await bed.openActiveSession();
    const broadcastID = await bed.openActiveBroadcast(sessionID);
    await bed.sfu.report(sessionID, { type: 'external_session.active', tracks: showing('ended') });
    expect(await bed.expectState('broadcasts', broadcastID, 'ended')).toMatchObject({ endReason: 'source_ended' });
  });

  it('refuse changes after they or their session have ended', async () => {
    const sessionID = await bed.openActiveSession();
    await change(sessionID, 'trk_video', 'close');
    for (const action of ['pause', 'resume', 'requestKeyframe'])
      expect(await change(sessionID, 'trk_video', action)).toMatchObject({
        status: 409,
        body: { reason: 'track_ended' },
      });
    await bed.remove('external-sessions', sessionID);
    expect(await change(sessionID, 'trk_audio', 'pause')).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', reason: 'session_ended' },
    });
    expect(await change(sessionID, 'trk_audio', 'close')).toMatchObject({ status: 200 });
  });

  it('end when the node no longer has them', async () => {
    const sessionID = await bed.openActiveSession();
    for (const command of ['track.pause', 'track.close'])
      bed.sfu.refusals.set(command, new ServiceError('not_found', 'This media node has no such track.'));
    expect(await change(sessionID, 'trk_video', 'pause')).toMatchObject({
      status: 409,
      body: { reason: 'track_ended' },
    });
    expect(await change(sessionID, 'trk_video', 'close')).toMatchObject({
      status: 200,
      body: { externalSession: { tracks: showing('ended') } },
    });
  });

  it('refuse unknown tracks and unknown actions', async () => {
    const sessionID = await bed.openActiveSession();
    expect(await change(sessionID, 'trk_none', 'pause')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect(await change(sessionID, 'trk_video', 'mute')).toMatchObject({
      status: 400,
      body: { reason: 'unknown_action', error: expect.stringMatching(/pause.*resume.*requestKeyframe.*close/) },
    });
  });

  it('stay unchanged while the node does not answer', async () => {
    const sessionID = await bed.openActiveSession();
    await bed.sfu.die();
    expect(await change(sessionID, 'trk_video', 'pause')).toMatchObject({
      status: 503,
      body: { reason: 'controller_unavailable' },
      headers: { 'retry-after': expect.any(String) },
    });
    expect(await tracksOf(sessionID)).toEqual(showing('live'));
    await bed.restart(bed.sfu);
  });
});
