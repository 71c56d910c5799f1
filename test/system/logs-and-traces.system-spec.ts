/** @weight 0.45 for 15 s */
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EncoderPublisher, waitFor } from '@rtms/testing';
import type { DashboardUsers } from './harness/account.js';
import type { ApiClient, ExternalSession } from './harness/api-client.js';
import { media, TestBrowser } from './harness/browser.js';
import { logLines, type LogLine } from './harness/log-lines.js';
import { SecretKeeper } from './harness/secret-keeper.js';
import { startStack, type Stack } from './harness/stack.js';
import { TraceCollector, type CollectedSpan } from './harness/trace-collector.js';

/** The members that this test reads. The request decides which are present. */
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

/** Own stack: the services log at their most talkative and send traces to a collector of the test. */
describe('logs and traces', () => {
  const secretKey = randomBytes(32).toString('base64');
  const turnSecret = randomBytes(24).toString('base64url');
  const secrets = new SecretKeeper();
  const random = () => randomBytes(24).toString('base64url');
  let collector: TraceCollector;
  let stack: Stack;
  let users: DashboardUsers;
  let meetingID: string;

  beforeAll(async () => {
    collector = await TraceCollector.start();
    const turn = { TURN_URLS: 'turn:127.0.0.1:9?transport=tcp', TURN_SECRET: turnSecret };
    const env = { ...collector.env, ...turn, LOG_LEVEL: 'trace', RTMS_SECRET_KEY: secretKey, SEGMENT_SECONDS: '1' };
    stack = await startStack({ env });
    users = await stack.makeUsers();
    meetingID = await stack.api.createRoom();
  });

  afterAll(async () => {
    await stack?.close();
    await collector?.close();
  });

  /** A caller that has a trace of its own, and an id for its request. */
  function caller(requestID: string): { traceID: string; spanID: string; api: ApiClient } {
    const [traceID, spanID] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
    const headers = { 'X-Request-Id': requestID, traceparent: `00-${traceID}-${spanID}-01` };
    return { traceID, spanID, api: stack.api.as(stack.api.credential, headers) };
  }

  function span(traceID: string, service: string, name: string): Promise<CollectedSpan> {
    return collector.find(traceID, `rtms-${service}`, name);
  }

  async function line(service: string, wanted: (line: LogLine) => boolean, what: string): Promise<void> {
    await waitFor(async () => (await logLines(stack, service)).some(wanted), {
      everyMs: 100,
      what: `the ${service} to log ${what}`,
    });
  }

  async function publish(session: ExternalSession): Promise<EncoderPublisher> {
    const encoder = await EncoderPublisher.publish(session.ingest);
    await stack.api.sessionBecomes(meetingID, session.sessionID, 'active');
    return encoder;
  }

  it('follow one request in one trace, from the caller’s span to the media node’s, each span below the one that caused it', async () => {
    const { api, traceID, spanID } = caller('one-trace');
    await api.openSession(meetingID);
    const http = await span(traceID, 'gateway', 'POST /v1/meetings/:meetingID/external-sessions');
    const request = await span(traceID, 'gateway', 'request rtms.sfu.*.session.open');
    const respond = await span(traceID, 'sfu', 'respond rtms.sfu.*.session.open');
    expect([http.parentID, request.parentID, respond.parentID]).toEqual([spanID, http.spanID, request.spanID]);
    expect(http.attributes).toMatchObject({
      'http.response.status_code': 201,
      'http.route': '/v1/meetings/:meetingID/external-sessions',
      'rtms.request_id': 'one-trace',
    });
    expect(respond.attributes['rtms.request_id']).toBe('one-trace');
    await line('gateway', ({ requestID, trace_id }) => requestID === 'one-trace' && trace_id === traceID, 'the trace');
    await line('sfu', ({ requestID, trace_id }) => requestID === 'one-trace' && trace_id === traceID, 'the trace');
  });

  it('follow a request to the events that it causes', async () => {
    const { api, traceID } = caller('broadcast-made');
    const session = await stack.api.openSession(meetingID);
    const encoder = await publish(session);
    const { broadcastID } = await api.openBroadcast(meetingID, session.sessionID);
    await stack.api.broadcastBecomes(meetingID, broadcastID, 'active');
    const started = await span(traceID, 'transcoder', 'respond rtms.transcoder.*.broadcast.start');
    const asked = await span(traceID, 'transcoder', 'request rtms.sfu.*.feed.open');
    const fed = await span(traceID, 'sfu', 'respond rtms.sfu.*.feed.open');
    expect([asked.parentID, fed.parentID]).toEqual([started.spanID, asked.spanID]);
    const published = await span(traceID, 'transcoder', 'publish rtms.fact.broadcast.active.*');
    const applied = await span(traceID, 'gateway', 'process rtms.fact.broadcast.active.*');
    expect(applied.parentID).toBe(published.spanID);

    const ofRequest = ({ requestID }: LogLine) => requestID === 'broadcast-made';
    await line('gateway', each => ofRequest(each) && each.msg.startsWith('POST /v1/meetings/'), 'the request');
    await line('transcoder', each => ofRequest(each) && each.command === 'broadcast.start', 'the command');
    await line('sfu', each => ofRequest(each) && each.command === 'feed.open', 'the command that followed');
    await line('transcoder', each => ofRequest(each) && each.fact === 'broadcast.active', 'the fact');
    await line('gateway', each => ofRequest(each) && each.type === 'broadcast.active', 'the fact');
    await encoder.leave();
  });

  it('contain no secret in a span', async () => {
    const session = await stack.api.openSession(meetingID);
    const encoder = await publish(session);
    await encoder.leave();
    await stack.api.sessionBecomes(meetingID, session.sessionID, 'ended');
    await collector.spans.find(({ name }) => name.startsWith('DELETE /whip'));
    const sent = collector.bodies.join('\n');
    const key = stack.api.credential.split(':')[1] ?? '';
    const sentSecrets = [session.ingest.token, key, stack.adminToken];
    for (const secret of sentSecrets) expect(secret.length).toBeGreaterThan(16);
    expect(sentSecrets.filter(secret => sent.includes(secret))).toEqual([]);
    expect(sent).not.toMatch(/eyJ[\w-]{8,}\./);
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
    secrets.keep('the TURN server’s secret', turnSecret);
    secrets.keep('the account’s key', stack.api.credential.split(':')[1]);
    const { username, password } = new URL(stack.databaseUrl);
    secrets.keep('the database’s password', `${username}:${password}@`);
    for (const service of ['gateway', 'sfu', 'transcoder'] as const)
      secrets.keep(`the ${service}’s password of the bus`, stack.nats.environment(service).NATS_PASSWORD);
  }

  /** Credentials that an account stores here, in accepted and in refused requests. */
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
    const { email, password } = users;
    secrets.keep('the owner’s password', password);
    secrets.keep('the administrator’s password', users.adminPassword);
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
    const asked = await ask('OPTIONS', playback.endpoint, { as: playback.token });
    secrets.keep('a TURN credential', /credential="([^"]+)"/.exec(asked.headers.get('link') ?? '')?.[1]);
    const browser = await TestBrowser.open();
    const viewer = await browser.openPage();
    await media(viewer, 'watchWithWhipWhep', { url: playback.endpoint, token: playback.token });
    await api.playbackBecomes(meetingID, playback.playbackID, 'active');
    const { broadcastID } = await api.openBroadcast(meetingID, session.sessionID);
    const { playbackUrl } = await api.broadcastBecomes(meetingID, broadcastID, 'active');
    await play(playbackUrl);
    await askWrongly(session.ingest, playback);
    await browser.close();
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

  /** Failures produce the longest log lines. */
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

  it('harm nothing while the collector does not answer, neither the work nor the stop of a service', async () => {
    await collector.close();
    keepConfigured();
    await storeCredentials();
    await publishAndWatch();
    await useDashboard();
    await line(
      'gateway',
      ({ msg }) => msg === 'cannot send traces to the collector',
      'the warning about the collector',
    );
    const services = [stack.gateway, stack.sfu, stack.transcoder];
    expect(await Promise.all(services.map(service => service.stop()))).toEqual([0, 0, 0]);
  });

  it('contain no secret in a log, on success or failure', async () => {
    const written = await logs();
    expect(written.map(([name]) => name)).toEqual(['gateway.log', 'sfu.log', 'transcoder.log']);
    // Otherwise the search would prove little.
    expect(secrets.size).toBeGreaterThan(18);
    for (const [, text] of written) expect(text.split('\n').length).toBeGreaterThan(20);
    expect(written.map(([, text]) => text).join('\n')).toContain('"level":"debug"');
    expect(written.flatMap(([name, text]) => secrets.foundIn(text).map(what => `${what} in ${name}`))).toEqual([]);
  });
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
