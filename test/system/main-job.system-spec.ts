import { waitFor } from '@rtms/testing';
import type { Page } from 'playwright-core';
import { type ApiClient, type ExternalSession } from './harness/api-client.js';
import { media, TestBrowser } from './harness/browser.js';
import { probeRenditions } from './harness/hls-probe.js';
import { startStack, type Stack } from './harness/stack.js';

describe('publishing from Chromium and watching in Chromium', () => {
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

  async function publish(
    page: Page,
    meetingID: string,
    codec = 'video/VP8',
    profile?: string,
  ): Promise<ExternalSession> {
    const session = await api.openSession(meetingID);
    const { url, token } = session.ingest;
    await media(page, 'publishWithWhipWhep', { url, token, codec, ...(profile ? { profile } : {}) });
    return api.sessionBecomes(meetingID, session.sessionID, 'active');
  }

  async function decodesFrames(page: Page, count = 15): Promise<void> {
    await waitFor(async () => (await media(page, 'watched')).frames >= count, {
      timeoutMs: 60_000,
      what: `${count} frames to be decoded`,
    });
  }

  it('goes the whole way: room, WHIP, WHEP, HLS, and back in order', async () => {
    const publisher = await browser.openPage();
    const viewer = await browser.openPage();
    const meetingID = await api.createRoom();
    const { sessionID, tracks } = await publish(publisher, meetingID, 'video/H264');
    expect(tracks.map(track => [track.kind, track.codec.toLowerCase(), track.state]).sort()).toEqual([
      ['audio', 'opus', 'live'],
      ['video', 'h264', 'live'],
    ]);

    const playback = await api.openPlayback(meetingID, sessionID);
    await media(viewer, 'watchWithWhipWhep', { url: playback.endpoint, token: playback.token });
    await decodesFrames(viewer);
    await waitFor(async () => (await media(viewer, 'watched')).audioPackets > 0, { what: 'sound' });
    await api.playbackBecomes(meetingID, playback.playbackID, 'active');

    const { broadcastID } = await api.openBroadcast(meetingID, sessionID);
    const broadcast = await api.broadcastBecomes(meetingID, broadcastID, 'active');
    const probed = await probeRenditions(broadcast.playbackUrl);
    expect(probed.renditions.map(rendition => rendition.height)).toEqual(
      broadcast.renditions.map(({ height }) => height),
    );
    for (const rendition of probed.renditions) {
      expect(rendition.codec).toBe('h264');
      expect(rendition.width).toBeLessThanOrEqual(640);
      expect(rendition.height).toBeLessThanOrEqual(360);
      expect(rendition.segmentsStartWithKeyframe).toBe(true);
      expect(Math.abs(rendition.startsAtSeconds - probed.audioStartsAtSeconds)).toBeLessThanOrEqual(0.05);
    }

    const base = `/v1/meetings/${meetingID}`;
    const refused = await api.call('DELETE', `${base}/external-sessions/${sessionID}`);
    expect([refused.status, refused.body.code, refused.body.reason]).toEqual([409, 'CONFLICT', 'has_dependents']);
    for (const path of [
      `broadcasts/${broadcastID}`,
      `playbacks/${playback.playbackID}`,
      `external-sessions/${sessionID}`,
    ]) {
      for (const attempt of ['first', 'repeated']) {
        const answer = await api.call('DELETE', `${base}/${path}`, { reason: attempt });
        expect(answer.status).toBe(200);
      }
    }
    await publisher.close();
    await viewer.close();
  });

  it.each([
    ['video/VP8', undefined],
    ['video/VP9', undefined],
    ['video/AV1', undefined],
    ['video/H264', '42001f'],
    ['video/H264', '42e01f'],
    ['video/H264', '4d001f'],
  ])('shows %s %s to a WHEP viewer and by HLS', async (codec, profile) => {
    const publisher = await browser.openPage();
    const viewer = await browser.openPage();
    const meetingID = await api.createRoom();
    const { sessionID } = await publish(publisher, meetingID, codec, profile);
    const playback = await api.openPlayback(meetingID, sessionID);
    await media(viewer, 'watchWithWhipWhep', { url: playback.endpoint, token: playback.token });
    await decodesFrames(viewer);
    const { broadcastID } = await api.openBroadcast(meetingID, sessionID);
    const broadcast = await api.broadcastBecomes(meetingID, broadcastID, 'active');
    expect((await probeRenditions(broadcast.playbackUrl)).renditions.length).toBeGreaterThan(0);
    expect((await api.call('POST', '/v1/rooms', { action: 'end', meetingID })).status).toBe(200);
    await publisher.close();
    await viewer.close();
  });

  it('serves the players and publishers of Eyevinn', async () => {
    const publisher = await browser.openPage();
    const viewer = await browser.openPage();
    const meetingID = await api.createRoom();
    const session = await api.openSession(meetingID);
    await media(publisher, 'publishWithEyevinn', session.ingest);
    await api.sessionBecomes(meetingID, session.sessionID, 'active');
    const playback = await api.openPlayback(meetingID, session.sessionID);
    await media(viewer, 'watchWithEyevinn', { url: playback.endpoint, token: playback.token });
    await decodesFrames(viewer);
    await media(viewer, 'stopAll');
    await api.playbackBecomes(meetingID, playback.playbackID, 'ended');
    await media(publisher, 'stopAll');
    const ended = await api.sessionBecomes(meetingID, session.sessionID, 'ended');
    expect(ended.endReason).toBe('publisher_left');
    await publisher.close();
    await viewer.close();
  });
});
