/** @weight 0.25 for 35 s */
import { EncoderPublisher, waitFor } from '@rtms/testing';
import type { Page } from 'playwright-core';
import type { ApiAnswer, ApiClient, ExternalSession } from './harness/api-client.js';
import { media, receives, receivesMore, TestBrowser } from './harness/browser.js';
import { HlsPlayer } from './harness/hls-player.js';
import { sharedStack } from './harness/shared-stack.js';

describe('tracks of an external session', () => {
  let browser: TestBrowser;
  let api: ApiClient;

  beforeAll(async () => {
    ({ api } = await sharedStack());
    browser = await TestBrowser.open();
  });

  afterAll(async () => {
    await browser?.close();
  });

  const change = async (meetingID: string, sessionID: string, kind: string, action: string): Promise<ApiAnswer> => {
    const { tracks } = await api.session(meetingID, sessionID);
    const { trackID } = tracks.find(track => track.kind === kind)!;
    const path = `/v1/meetings/${meetingID}/external-sessions/${sessionID}/tracks/${trackID}`;
    const answer = await api.call('POST', path, { action });
    if (answer.status !== 200) throw new Error(`${action}: ${JSON.stringify(answer.body)}`);
    return answer;
  };
  const statesOf = ({ tracks }: ExternalSession) =>
    Object.fromEntries(tracks.map(({ kind, state }) => [kind, state])) as Record<string, string>;
  /** Sound is the clock: a packet comes every 20 ms. Frames that came before may still be decoded at first. */
  const standsStill = (page: Page): Promise<boolean> =>
    waitFor(
      async () => {
        const { frames } = await receivesMore(page, { audioPackets: 25 });
        const later = await receivesMore(page, { audioPackets: 50 });
        return later.frames === frames;
      },
      { what: 'a second of sound without a picture' },
    );
  const watch = async (meetingID: string, sessionID: string): Promise<Page> => {
    const viewer = await browser.openPage();
    const playback = await api.openAdaptivePlayback(meetingID, sessionID);
    await media(viewer, 'watchWithWhipWhep', { url: playback.endpoint, token: playback.token });
    await receives(viewer, { frames: 5 });
    return viewer;
  };

  it('stop for viewers while paused, leave broadcasts to the slate, and resume with a keyframe', async () => {
    const publisher = await browser.openPage();
    const meetingID = await api.createRoom();
    const { sessionID, ingest } = await api.openSession(meetingID);
    await media(publisher, 'publishWithWhipWhep', { url: ingest.url, token: ingest.token, codec: 'video/VP8' });
    await api.sessionBecomes(meetingID, sessionID, 'active');
    const viewer = await watch(meetingID, sessionID);
    const { broadcastID } = await api.openBroadcast(meetingID, sessionID);
    const { playbackUrl } = await api.broadcastBecomes(meetingID, broadcastID, 'active');
    const player = await HlsPlayer.open(playbackUrl);

    const paused = await change(meetingID, sessionID, 'video', 'pause');
    expect(statesOf(paused.body.externalSession)).toEqual({ video: 'paused', audio: 'live' });
    await standsStill(viewer);
    await api.broadcastBecomes(meetingID, broadcastID, 'interrupted');
    // The slate takes the place of the picture, so that players do not stall.
    await player.grows();
    await receivesMore(viewer, { audioPackets: 125 });
    await player.grows();
    expect(await api.session(meetingID, sessionID)).toMatchObject({ state: 'active' });

    const before = await media(viewer, 'watched');
    const resumed = await change(meetingID, sessionID, 'video', 'resume');
    expect(statesOf(resumed.body.externalSession)).toEqual({ video: 'live', audio: 'live' });
    await receives(viewer, { frames: before.frames + 10, keyframes: before.keyframes + 1 });
    await player.grows();
    await api.broadcastBecomes(meetingID, broadcastID, 'active');
    const isMarked = async () => (await player.discontinuities()) > 0;
    await waitFor(isMarked, { everyMs: 250, what: 'the playlist to mark where the picture came back' });

    const asked = await media(viewer, 'watched');
    await change(meetingID, sessionID, 'video', 'requestKeyframe');
    await receives(viewer, { keyframes: asked.keyframes + 1 });
    await publisher.close();
    await viewer.close();
  });

  it('are silent for viewers and broadcasts while paused; closed ones never return', async () => {
    const publisher = await browser.openPage();
    const meetingID = await api.createRoom();
    const { sessionID, ingest } = await api.openSession(meetingID);
    await media(publisher, 'publishWithWhipWhep', { url: ingest.url, token: ingest.token });
    await api.sessionBecomes(meetingID, sessionID, 'active');
    const viewer = await watch(meetingID, sessionID);
    const { broadcastID } = await api.openBroadcast(meetingID, sessionID);
    const { playbackUrl } = await api.broadcastBecomes(meetingID, broadcastID, 'active');
    const player = await HlsPlayer.open(playbackUrl);

    await change(meetingID, sessionID, 'audio', 'pause');
    let quiet = await receivesMore(viewer, { frames: 5 });
    const isSilent = async (): Promise<boolean> => {
      const { audioPackets } = quiet;
      quiet = await receivesMore(viewer, { frames: 10 });
      return quiet.audioPackets === audioPackets;
    };
    await waitFor(isSilent, { what: 'ten frames without sound' });
    // A busy machine loses the picture for seconds at times. Then the slate comes between.
    const growsUnbroken = async (): Promise<boolean> => {
      const before = await player.discontinuities();
      await player.grows(2);
      return (await player.discontinuities()) === before;
    };
    await waitFor(growsUnbroken, { what: 'two segments in a row without sound' });
    await api.broadcastBecomes(meetingID, broadcastID, 'active');
    await change(meetingID, sessionID, 'audio', 'resume');
    await receives(viewer, { audioPackets: quiet.audioPackets + 50 });

    const closed = await change(meetingID, sessionID, 'video', 'close');
    expect(statesOf(closed.body.externalSession)).toEqual({ video: 'ended', audio: 'live' });
    await standsStill(viewer);
    expect(await api.broadcastBecomes(meetingID, broadcastID, 'ended')).toMatchObject({ endReason: 'source_ended' });
    const again = await change(meetingID, sessionID, 'video', 'close');
    expect(statesOf(again.body.externalSession)).toEqual({ video: 'ended', audio: 'live' });
    expect(again.body.externalSession.state).toBe('active');
    await publisher.close();
    await viewer.close();
  });

  it('of an encoder without feedback resume with its next keyframe, and its session outlives a pause of all tracks', async () => {
    const meetingID = await api.createRoom();
    const { sessionID, ingest } = await api.openSession(meetingID);
    const encoder = await EncoderPublisher.publish(ingest);
    await api.sessionBecomes(meetingID, sessionID, 'active');
    const viewer = await watch(meetingID, sessionID);
    await change(meetingID, sessionID, 'video', 'pause');
    await standsStill(viewer);
    await change(meetingID, sessionID, 'audio', 'pause');
    const { broadcastID } = await api.openBroadcast(meetingID, sessionID);
    expect(statesOf(await api.session(meetingID, sessionID))).toEqual({ video: 'paused', audio: 'paused' });
    const before = await media(viewer, 'watched');
    for (const kind of ['video', 'audio']) await change(meetingID, sessionID, kind, 'resume');
    await receives(viewer, { keyframes: before.keyframes + 1, frames: before.frames + 10 });
    await api.broadcastBecomes(meetingID, broadcastID, 'active');
    expect(await api.session(meetingID, sessionID)).toMatchObject({ state: 'active' });
    await encoder.leave();
    await viewer.close();
  });
});
