/** @weight 0.25 for 45 s */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EncoderPublisher, waitFor } from '@rtms/testing';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { Page } from 'playwright-core';
import { ApiClient, type ExternalSession } from './harness/api-client.js';
import { isStillWatching, media, TestBrowser } from './harness/browser.js';
import { HlsPlayer } from './harness/hls-player.js';
import { adminProgramIn, runFromPage } from './harness/page-commands.js';
import { startStack, type Stack } from './harness/stack.js';

const tokenSeconds = 30;
const environment = {
  RTMS_SECRET_KEY: randomBytes(32).toString('base64'),
  RTMS_ADMIN_TOKEN: randomBytes(24).toString('base64url'),
};

describe('keys and secrets that change while somebody publishes and others watch', () => {
  let stack: Stack;
  let browser: TestBrowser;
  let encoder: EncoderPublisher;
  let viewer: Page;
  let player: HlsPlayer;
  let session: ExternalSession;
  let meetingID: string;
  let broadcastID: string;
  let env: Record<string, string>;
  let oldPlayback: { endpoint: string; token: string };

  beforeAll(async () => {
    stack = await startStack({
      env: { ...environment, TOKEN_TTL_SECONDS: String(tokenSeconds), SEGMENT_SECONDS: '1' },
    });
    const lines = Object.entries(environment).map(([name, value]) => `${name}=${value}\n`);
    await writeFile(join(stack.folder, 'gateway.env'), lines.join(''));
    env = { RTMS_ADMIN_URL: stack.gateway.url, PATH: await adminProgramIn(stack.folder) };
    browser = await TestBrowser.open();
    meetingID = await stack.api.createRoom();
    session = await stack.api.openSession(meetingID);
    encoder = await EncoderPublisher.publish(session.ingest);
    await stack.api.sessionBecomes(meetingID, session.sessionID, 'active');
    ({ broadcastID } = await stack.api.openBroadcast(meetingID, session.sessionID));
    viewer = await browser.openPage();
    const { endpoint: url, token } = await stack.api.openAdaptivePlayback(meetingID, session.sessionID);
    await media(viewer, 'watchWithWhipWhep', { url, token });
    const { playbackUrl } = await stack.api.broadcastBecomes(meetingID, broadcastID, 'active');
    player = await HlsPlayer.open(playbackUrl);
  });

  afterAll(async () => {
    await encoder?.leave();
    await browser?.close();
    await stack?.close();
  });

  const settings = async (): Promise<Record<string, string>> => {
    const lines = (await readFile(join(stack.folder, 'gateway.env'), 'utf8')).split('\n').filter(Boolean);
    return Object.fromEntries(lines.map(line => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]));
  };
  const follow = async (heading: string): Promise<string> => {
    const { RTMS_ADMIN_TOKEN = '' } = await settings();
    const around = { cwd: stack.folder, env: { RTMS_ADMIN_TOKEN, ...env } };
    return runFromPage('operations/rotation.md', heading, around);
  };
  const restartGateway = async (): Promise<void> => {
    await stack.gateway.stop();
    stack.gateway.configure(await settings());
    await stack.gateway.start();
  };
  const adminStatus = async (token: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${stack.gateway.url}/admin/v1/nodes`, { headers })).status;
  };
  /** Whether the token opens the endpoint. The body is no offer, so that no viewer begins. */
  const knock = async ({ endpoint, token }: { endpoint: string; token: string }): Promise<number> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/sdp' };
    return (await fetch(endpoint, { method: 'POST', headers, body: 'no offer' })).status;
  };
  /** On the first connections, which were never lost. */
  const nobodyWasDropped = async (): Promise<void> => {
    await isStillWatching(viewer, stack.sfu, { frames: 1 });
    await player.grows();
    expect(await player.playlist()).not.toContain('#EXT-X-DISCONTINUITY\n');
    expect((await stack.api.session(meetingID, session.sessionID)).state).toBe('active');
    expect((await stack.api.broadcast(meetingID, broadcastID)).state).toBe('active');
  };

  it('are the signing key: old tokens work until they expire, new ones at once', async () => {
    oldPlayback = await stack.api.openPlayback(meetingID, session.sessionID);
    const formerKid = decodeProtectedHeader(oldPlayback.token).kid;
    const { kid } = JSON.parse(await follow('A new signing key')).signingKey as { kid: string };
    const renew = async () => {
      const path = `/v1/meetings/${meetingID}/external-sessions/${session.sessionID}`;
      return (await stack.api.call('POST', path, { action: 'renewToken' })).body.externalSession.ingest.token;
    };
    await waitFor(async () => decodeProtectedHeader(await renew()).kid === kid, { what: 'a token of the new key' });
    expect(kid).not.toBe(formerKid);
    const renewed = await stack.api.openPlayback(meetingID, session.sessionID);
    expect(decodeProtectedHeader(renewed.token).kid).toBe(kid);
    expect(await knock(renewed)).toBe(400);
    const answer = await knock(oldPlayback);
    // On a busy machine its time may be over.
    const hasExpired = Date.now() >= 1000 * (decodeJwt(oldPlayback.token).exp ?? 0);
    expect(hasExpired ? [400, 401] : [400]).toContain(answer);
    const { playbackUrl } = await stack.api.broadcast(meetingID, broadcastID);
    expect(decodeProtectedHeader(new URL(playbackUrl).searchParams.get('token') ?? '').kid).toBe(kid);
    await HlsPlayer.open(playbackUrl);
    await nobodyWasDropped();
  });

  it('are the secret key and the administrator token: both work until the former one is removed', async () => {
    const before = await settings();
    const former = before['RTMS_ADMIN_TOKEN'] ?? '';
    await follow('A new secret key');
    await follow('A new administrator token');
    const next = (await settings())['RTMS_ADMIN_TOKEN'] ?? '';
    expect([await adminStatus(former), await adminStatus(next)]).toEqual([200, 401]);
    await restartGateway();
    expect([await adminStatus(former), await adminStatus(next)]).toEqual([200, 200]);
    const rotated = JSON.parse(await follow('Encrypting under the new secret key')) as { rotation: object };
    expect(rotated.rotation).toMatchObject({ unreadable: 0, done: true });
    expect(Object.values(rotated.rotation)).toContainEqual(expect.any(Number));

    await follow('Forgetting the former secret key');
    await follow('Forgetting the former administrator token');
    await restartGateway();
    const after = await settings();
    expect(after['RTMS_SECRET_KEY']).not.toBe(before['RTMS_SECRET_KEY']);
    expect(after).not.toHaveProperty('RTMS_PREVIOUS_SECRET_KEYS');
    expect([await adminStatus(former), await adminStatus(next)]).toEqual([401, 200]);
    expect(await knock(await stack.api.openPlayback(meetingID, session.sessionID))).toBe(400);
    await nobodyWasDropped();
  });

  it('are the API key: former and new one work during the overlap', async () => {
    env['ACCOUNT_ID'] = stack.accountID;
    const { key } = JSON.parse(await follow('A new API key')) as { key: { apiUserName: string; apiKey: string } };
    const renewed = new ApiClient(stack.gateway.url, `${key.apiUserName}:${key.apiKey}`);
    for (const api of [renewed, stack.api])
      expect((await api.session(meetingID, session.sessionID)).state).toBe('active');
  });

  it('refuse an old token once it has expired', async () => {
    const isRefused = async () => (await knock(oldPlayback)) === 401;
    await waitFor(isRefused, { everyMs: 500, what: 'the refusal of the old token' });
    await nobodyWasDropped();
  });
});
