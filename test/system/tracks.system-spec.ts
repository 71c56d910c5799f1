import { EncoderPublisher, waitFor } from '@rtms/testing';
import type { Page } from 'playwright-core';
import type { ApiAnswer, ApiClient, ExternalSession } from './harness/api-client.js';
import { media, TestBrowser, type Watched } from './harness/browser.js';
import { HlsPlayer } from './harness/hls-player.js';
import { startStack, type Stack } from './harness/stack.js';

const discontinuity = /^#EXT-X-DISCONTINUITY$/m;

describe('tracks of an external session', () => {
  let stack: Stack;
  let browser: TestBrowser;
  let api: ApiClient;

  beforeAll(async () => {
    stack = await startStack();
    browser = await TestBrowser.launch();
    api = stack.api;
  });

  afterAll(async () => {
    await browser?.close();
    await stack?.close();
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
  const until = async (page: Page, condition: (seen: Watched) => boolean, what: string): Promise<Watched> => {
    let seen: Watched | undefined;
    await waitFor(async () => condition((seen = await media(page, 'watched'))), { what });
    return seen!;
  };
  /** A packet of sound comes every 20 ms. */
  const afterSound = async (page: Page, packets: number): Promise<Watched> => {
    const { audioPackets } = await media(page, 'watched');
    return until(page, seen => seen.audioPackets >= audioPackets + packets, `${packets} more packets of sound`);
  };
  /** For two seconds; what came before may still be decoded. */
  const standsStill = (page: Page): Promise<boolean> =>
    waitFor(
      async () => {
        const { frames } = await afterSound(page, 25);
        return (await afterSound(page, 100)).frames === frames;
      },
      { timeoutMs: 20_000, what: 'the picture to stand still' },
    );
  const watch = async (meetingID: string, sessionID: string): Promise<Page> => {
    const viewer = await browser.openPage();
    const playback = await api.openPlayback(meetingID, sessionID);
    await media(viewer, 'watchWithWhipWhep', { url: playback.endpoint, token: playback.token });
    await until(viewer, ({ frames }) => frames >= 15, '15 frames');
    return viewer;
  };

  it('stand still for viewers and broadcasts while paused, and go on with a keyframe', async () => {
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
    // What was encoded before the pause still comes out.
    let newest = 0;
    const growsNoMore = async (): Promise<boolean> => {
      newest = await player.newestSegment();
      await afterSound(viewer, 150);
      return (await player.newestSegment()) === newest;
    };
    await waitFor(growsNoMore, { timeoutMs: 20_000, what: 'no segment in three seconds' });
    expect(await api.session(meetingID, sessionID)).toMatchObject({ state: 'active' });

    const before = await media(viewer, 'watched');
    const resumed = await change(meetingID, sessionID, 'video', 'resume');
    expect(statesOf(resumed.body.externalSession)).toEqual({ video: 'live', audio: 'live' });
    const seen = await until(viewer, ({ frames }) => frames > before.frames + 30, 'the picture to go on');
    expect(seen.keyframes).toBeGreaterThan(before.keyframes);
    await api.broadcastBecomes(meetingID, broadcastID, 'active');
    await waitFor(async () => (await player.newestSegment()) > newest, { timeoutMs: 40_000, what: 'new segments' });
    expect(await player.playlist()).toMatch(discontinuity);

    const asked = await media(viewer, 'watched');
    await change(meetingID, sessionID, 'video', 'requestKeyframe');
    await until(viewer, ({ keyframes }) => keyframes > asked.keyframes, 'the keyframe that was asked for');
    await publisher.close();
    await viewer.close();
  }, 180_000);

  it('are silent for viewers while sound is paused, which broadcasts hear as silence; closed ones never come back', async () => {
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
    const framesLater = async (count: number) => {
      const { frames } = await media(viewer, 'watched');
      return until(viewer, seen => seen.frames >= frames + count, `${count} more frames`);
    };
    const newest = await player.newestSegment();
    let quiet = await framesLater(15);
    const isSilent = async (): Promise<boolean> => {
      const { audioPackets } = quiet;
      quiet = await framesLater(60);
      return quiet.audioPackets === audioPackets;
    };
    await waitFor(isSilent, { timeoutMs: 20_000, what: 'two seconds without sound' });
    await waitFor(async () => (await player.newestSegment()) > newest + 1, { timeoutMs: 40_000, what: 'segments' });
    expect(await player.playlist()).not.toMatch(discontinuity);
    expect(await api.broadcast(meetingID, broadcastID)).toMatchObject({ state: 'active' });
    await change(meetingID, sessionID, 'audio', 'resume');
    await until(viewer, ({ audioPackets }) => audioPackets > quiet.audioPackets + 50, 'the sound to go on');

    const closed = await change(meetingID, sessionID, 'video', 'close');
    expect(statesOf(closed.body.externalSession)).toEqual({ video: 'ended', audio: 'live' });
    await standsStill(viewer);
    expect(await api.broadcastBecomes(meetingID, broadcastID, 'ended')).toMatchObject({ endReason: 'source_ended' });
    const again = await change(meetingID, sessionID, 'video', 'close');
    expect(statesOf(again.body.externalSession)).toEqual({ video: 'ended', audio: 'live' });
    expect(again.body.externalSession.state).toBe('active');
    await publisher.close();
    await viewer.close();
  }, 180_000);

  it('of an encoder without feedback go on with its next keyframe, and its session outlives a pause of all of them', async () => {
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
    await until(viewer, seen => seen.keyframes > before.keyframes && seen.frames > before.frames + 30, 'the picture');
    await api.broadcastBecomes(meetingID, broadcastID, 'active');
    expect(await api.session(meetingID, sessionID)).toMatchObject({ state: 'active' });
    await encoder.leave();
    await viewer.close();
  });
});
