import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EncoderPublisher } from '@rtms/testing';
import { media, TestBrowser } from './harness/browser.js';
import { SecretKeeper } from './harness/secret-keeper.js';
import { startStack, type Stack } from './harness/stack.js';

/** The members that this test reads; which are there depends on what was asked. */
interface AnswerBody {
  account: { accountID: string };
  session: { csrfToken: string };
  totp: { secret: string };
  room: { meetingID: string };
  join: { token: string };
}

interface Answer {
  status: number;
  text: string;
  body: AnswerBody;
  headers: Headers;
}

describe('the logs of all services at their most talkative', () => {
  const secretKey = randomBytes(32).toString('base64');
  const secrets = new SecretKeeper();
  const random = () => randomBytes(24).toString('base64url');
  let stack: Stack;
  let browser: TestBrowser;

  beforeAll(async () => {
    stack = await startStack({ env: { LOG_LEVEL: 'trace', RTMS_SECRET_KEY: secretKey } });
    browser = await TestBrowser.open();
  });

  afterAll(async () => {
    await browser?.close();
    await stack?.close();
  });

  async function ask(method: string, address: string, options: Asked = {}): Promise<Answer> {
    const url = address.startsWith('http') ? address : `${stack.gateway.url}${address}`;
    const { as = stack.api.credential, body, headers } = options;
    const response = await fetch(url, {
      method,
      headers: { ...(as !== '' && { authorization: `Bearer ${as}` }), 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = parsed(text);
    secrets.keepAllOf(`${method} ${address}`, json);
    return { status: response.status, text, body: json, headers: response.headers };
  }

  async function created(path: string, body: object, as?: string): Promise<AnswerBody> {
    const answer = await ask('POST', path, { body, ...(as !== undefined && { as }) });
    if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  }

  function keepConfigured(): void {
    secrets.keep('the secret key', secretKey);
    secrets.keep('the administrator’s token', stack.adminToken);
    secrets.keep('the account’s key', stack.api.credential.split(':')[1]);
    const { username, password } = new URL(stack.databaseUrl);
    secrets.keep('the database’s password', `${username}:${password}@`);
    for (const service of ['gateway', 'sfu', 'transcoder'] as const)
      secrets.keep(`the ${service}’s password of the bus`, stack.nats.environment(service).NATS_PASSWORD);
  }

  /** Credentials that an account keeps here, in words that are taken and in such that are refused. */
  async function storeCredentials(): Promise<void> {
    const [apiKey, sipPassword] = [secrets.keep('an AI key', random()), secrets.keep('a SIP password', random())];
    await created('/v1/aicredentials', {
      action: 'create',
      nickName: 'stt',
      kind: 'stt',
      provider: 'deepgram',
      apiKey,
    });
    await ask('POST', '/v1/aicredentials', { body: { action: 'create', nickName: 7, kind: apiKey, apiKey } });
    const peer = { host: 'sip.example.com', username: 'trunk', password: sipPassword };
    await created('/v1/sipconfigs', { action: 'create', contactNumber: '+14155550100', peer });
    await ask('POST', '/v1/sipconfigs', { body: { action: 'create', contactNumber: sipPassword, peer } });
    const kind = { type: 'development', operations: ['join'] };
    await ask('POST', '/v1/disposable-keys', { body: { action: 'create', name: 'page', ...kind } });
    await ask('POST', '/v1/subusers', { body: { action: 'create', name: 'ann', email: 'ann@example.com' } });
    const { account } = await created('/admin/v1/accounts', { name: 'another' }, stack.adminToken);
    const { accountID } = account;
    await created(`/admin/v1/accounts/${accountID}/keys`, { type: 'sandbox' }, stack.adminToken);
  }

  async function useDashboard(): Promise<void> {
    const { email, password } = stack.signIn;
    secrets.keep('the owner’s password', password);
    secrets.keep('the administrator’s password', stack.signIn.adminPassword);
    const wrong = secrets.keep('a password that was mistyped', random());
    await ask('POST', '/dashboard/api/session', { as: '', body: { email, password: wrong } });
    const signedIn = await ask('POST', '/dashboard/api/session', { as: '', body: { email, password } });
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    secrets.keep('the session’s cookie', cookie.split('=')[1]);
    const { csrfToken } = signedIn.body.session;
    const headers = { cookie, 'x-csrf-token': secrets.keep('the CSRF token', csrfToken) };
    const totp = await ask('POST', '/dashboard/api/totp', { as: '', headers });
    secrets.keep('the secret of the second factor', totp.body.totp.secret);
    const newPassword = secrets.keep('a new password', random());
    const change = { currentPassword: password, newPassword };
    expect((await ask('POST', '/dashboard/api/password', { as: '', headers, body: change })).status).toBe(200);
  }

  /** From the room over WHIP and WHEP to a segment, and back. */
  async function publishAndWatch(): Promise<void> {
    const { api } = stack;
    const room = { action: 'create', userName: 'host', duration: 60, capacity: 10 };
    const { meetingID } = (await created('/v1/rooms', room)).room;
    const joining = { action: 'join', meetingID, userName: 'ann', role: 'participant' };
    const { join } = await created('/v1/rooms', joining);
    secrets.keep('the token of a room’s member', join.token);
    const session = await api.openSession(meetingID);
    secrets.keep('the token of a publisher', session.ingest.token);
    const encoder = await EncoderPublisher.publish(session.ingest);
    await api.sessionBecomes(meetingID, session.sessionID, 'active');
    const playback = await api.openAdaptivePlayback(meetingID, session.sessionID);
    secrets.keep('the token of a viewer', playback.token);
    const viewer = await browser.openPage();
    await media(viewer, 'watchWithWhipWhep', { url: playback.endpoint, token: playback.token });
    await api.playbackBecomes(meetingID, playback.playbackID, 'active');
    const { broadcastID } = await api.openBroadcast(meetingID, session.sessionID);
    const { playbackUrl } = await api.broadcastBecomes(meetingID, broadcastID, 'active');
    await play(playbackUrl);
    await askWrongly(session.ingest, playback);
    await viewer.close();
    await encoder.leave();
    await api.broadcastBecomes(meetingID, broadcastID, 'ended');
  }

  async function play(playbackUrl: string): Promise<void> {
    secrets.keep('the token of a player', new URL(playbackUrl).searchParams.get('token') ?? undefined);
    const { text } = await ask('GET', playbackUrl, { as: '' });
    const variant = text.split('\n').find(line => line.endsWith('.m3u8') && !line.startsWith('#')) ?? '';
    secrets.keep('the signature of a player’s path', variant.split('/')[3]);
    const address = new URL(variant, playbackUrl).href;
    expect((await ask('GET', address, { as: '' })).status).toBe(200);
    await ask('GET', address.replace('.m3u8', '.none'), { as: '' });
    await ask('GET', address.replace('/index', '/../../other'), { as: '' });
  }

  /** What fails is what is told at most length. */
  async function askWrongly(ingest: { url: string; token: string }, playback: { endpoint: string; token: string }) {
    const [key, token] = [secrets.keep('a key that is none', random()), ingest.token];
    await ask('GET', '/v1/rooms', { as: `nobody:${key}` });
    await ask('GET', `/v1/rooms?apiKey=${key}&token=${token}`, { as: `Basic ${key}` });
    await ask('POST', '/v1/rooms', { body: `{"apiKey":"${key}",` });
    await ask('POST', '/v1/rooms', { body: { action: 'create', apiKey: key, [key]: token } });
    await ask('GET', '/admin/v1/accounts', { as: key });
    for (const [url, own, other] of [
      [ingest.url, token, playback.token],
      [playback.endpoint, playback.token, token],
    ] as const) {
      const headers = { 'content-type': 'application/sdp' };
      await ask('POST', url, { as: own, headers, body: 'v=0\r\nthis is no session description\r\n' });
      await ask('POST', url, { as: other, headers, body: 'v=0\r\n' });
      await ask('POST', `${url}?token=${own}`, { as: '', headers, body: 'v=0\r\n' });
      await ask('DELETE', `${url}/nothing`, { as: own });
    }
  }

  async function logs(): Promise<(readonly [string, string])[]> {
    const names = (await readdir(stack.folder)).filter(name => name.endsWith('.log')).sort();
    return Promise.all(names.map(async name => [name, await readFile(join(stack.folder, name), 'utf8')] as const));
  }

  it('hold none of the secrets that were used, whatever went well and whatever failed', async () => {
    keepConfigured();
    await storeCredentials();
    await publishAndWatch();
    await useDashboard();
    await Promise.all([stack.gateway, stack.sfu, stack.transcoder].map(service => service.stop()));
    const written = await logs();
    expect(written.map(([name]) => name)).toEqual(['gateway.log', 'sfu.log', 'transcoder.log']);
    // Else the search would prove little.
    expect(secrets.size).toBeGreaterThan(18);
    for (const [, text] of written) expect(text.split('\n').length).toBeGreaterThan(20);
    expect(written.map(([, text]) => text).join('\n')).toContain('"level":"debug"');
    expect(written.flatMap(([name, text]) => secrets.foundIn(text).map(what => `${what} in ${name}`))).toEqual([]);
  }, 240_000);
});

interface Asked {
  /** Sent as `Authorization: Bearer …`; default: the account’s own; empty: nothing is sent. */
  as?: string;
  body?: object | string;
  headers?: Record<string, string>;
}

function parsed(text: string): AnswerBody {
  try {
    return JSON.parse(text) as AnswerBody;
  } catch {
    return {} as AnswerBody;
  }
}
