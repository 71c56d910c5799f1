/** @weight 0.35 for 20 s */
import type { Page } from 'playwright-core';
import { type ApiClient, type ExternalSession } from './harness/api-client.js';
import { media, receives, TestBrowser, type Source } from './harness/browser.js';
import { probeRenditions } from './harness/hls-probe.js';
import { sharedStack } from './harness/shared-stack.js';

describe('publishing from Chromium and watching in Chromium', () => {
  let browser: TestBrowser;
  let api: ApiClient;

  beforeAll(async () => {
    ({ api } = await sharedStack());
    browser = await TestBrowser.open();
  });

  afterAll(async () => {
    await browser?.close();
  });

  async function publish(
    page: Page,
    meetingID: string,
    picture: Pick<Source, 'codec' | 'video'>,
  ): Promise<ExternalSession> {
    const session = await api.openSession(meetingID);
    const { url, token } = session.ingest;
    await media(page, 'publishWithWhipWhep', { url, token, ...picture });
    return api.sessionBecomes(meetingID, session.sessionID, 'active');
  }

  it('completes the whole path: room, WHIP, WHEP, HLS, and the end in order', async () => {
    const publisher = await browser.openPage();
    const viewer = await browser.openPage();
    const meetingID = await api.createRoom();
    const video = { width: 640, height: 360 };
    const { sessionID, tracks } = await publish(publisher, meetingID, { codec: 'video/H264', video });
    expect(tracks.map(track => [track.kind, track.codec.toLowerCase(), track.state]).sort()).toEqual([
      ['audio', 'opus', 'live'],
      ['video', 'h264', 'live'],
    ]);

    const playback = await api.openAdaptivePlayback(meetingID, sessionID);
    await media(viewer, 'watchWithWhipWhep', { url: playback.endpoint, token: playback.token });
    await receives(viewer, { frames: 10, audioPackets: 10 });
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

  // Browsers packetize these two codecs in their own ways. Tests of SFU and transcoder cover the others.
  it.each(['video/VP9', 'video/AV1'])('broadcasts %s of a browser', async codec => {
    const publisher = await browser.openPage();
    const meetingID = await api.createRoom();
    const { sessionID } = await publish(publisher, meetingID, { codec });
    const { broadcastID } = await api.openBroadcast(meetingID, sessionID);
    const { playbackUrl, renditions } = await api.broadcastBecomes(meetingID, broadcastID, 'active');
    const probed = await probeRenditions(playbackUrl);
    expect(probed.renditions.map(({ height }) => height)).toEqual(renditions.map(({ height }) => height));
    expect((await api.call('POST', '/v1/rooms', { action: 'end', meetingID })).status).toBe(200);
    await publisher.close();
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
    await receives(viewer, { frames: 10 });
    await media(viewer, 'stopAll');
    await api.playbackBecomes(meetingID, playback.playbackID, 'ended');
    await media(publisher, 'stopAll');
    const ended = await api.sessionBecomes(meetingID, session.sessionID, 'ended');
    expect(ended.endReason).toBe('publisher_left');
    await publisher.close();
    await viewer.close();
  });
});
