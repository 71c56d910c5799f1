/** @seconds 29 */
import { encoderProtocols, ingestQuestions, ServiceError, type EncoderProtocol } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import type { FakeIngest } from './testing/fake-ingest.js';
import { MediaTestBed } from '../../testing/media-test-bed.js';

interface Access {
  protocol: string;
  url?: string;
  passphrase?: string;
  latencyMs?: number;
  streamKey?: string;
  tokenExpiresAt?: string;
  problem?: string | null;
}

/** For tokens and for keys that nobody has used. A test passes this time: each second costs the gateway work. */
const tokenTtlSeconds = 20;
const firstUseMs = tokenTtlSeconds * 1_000;

describe('sessions of encoders that publish by SRT, RTMP or RTMPS', () => {
  let bed: MediaTestBed;
  let node: FakeIngest;

  beforeAll(async () => {
    const accountLimits = { encoderPlaces: 100, sessionsPerRoom: 100 };
    bed = await MediaTestBed.start({ config: { accountLimits, tokenTtlSeconds } });
  });
  afterAll(() => bed?.close());
  afterEach(() => node?.refusals.clear());

  const body = (protocol: EncoderProtocol) => ({
    displayName: 'OBS',
    ingest: { protocol, tracks: ['video', 'audio'] },
  });
  const open = async (protocol: EncoderProtocol) => {
    const { status, body: answer } = await bed.post('external-sessions', body(protocol));
    expect([status, answer.reason]).toEqual([201, undefined]);
    return answer['externalSession'] as { sessionID: string; ingest: Access };
  };
  const ingestOf = async (sessionID: string) => (await bed.get('external-sessions', sessionID))['ingest'] as Access;
  const setFeature = (feature: string, enabled: boolean) =>
    bed.gateway.http
      .put('/admin/v1/features')
      .set('Authorization', `Bearer ${bed.gateway.config.adminToken}`)
      .send({ feature, enabled })
      .expect(200);
  const claimsOf = (token: string): unknown =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  const failure = (reason: string) => expect.objectContaining({ failure: expect.objectContaining({ reason }) });

  it.each(encoderProtocols)('are refused while %s is switched off', async protocol => {
    expect(await bed.post('external-sessions', body(protocol))).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', reason: 'feature_disabled' },
    });
    await setFeature(protocol, true);
  });

  it('leave nothing behind when no ingest node takes them', async () => {
    const count = async () => (await bed.request('get', bed.path('external-sessions'))).body['total'];
    const before = await count();
    expect(await bed.post('external-sessions', body('srt'))).toMatchObject({
      status: 503,
      body: { reason: 'controller_unavailable' },
    });
    node = await bed.startIngest('ingest-1');
    node.refusals.set('ingest.open', new ServiceError('capacity_reached'));
    expect(await bed.post('external-sessions', body('rtmp'))).toMatchObject({
      status: 503,
      body: { reason: 'capacity_reached' },
    });
    expect(await count()).toBe(before);
  });

  it('get the address and the passphrase of SRT once', async () => {
    const { sessionID, ingest } = await open('srt');
    expect(ingest).toEqual({
      protocol: 'srt',
      mode: 'listener',
      tracks: ['video', 'audio'],
      webrtcRenditions: false,
      url: `srt://ingest-1.test:20000?streamid=${sessionID}`,
      passphrase: expect.stringMatching(/^[\w-]{32}$/),
      latencyMs: 200,
      tokenExpiresAt: bed.date(firstUseMs).toISOString(),
      problem: null,
    });
    expect(await node.command('ingest.open', request => request['sessionID'] === sessionID)).toMatchObject({
      passphrase: ingest.passphrase,
    });
    expect(await ingestOf(sessionID)).toEqual({
      ...{ protocol: 'srt', mode: 'listener', tracks: ['video', 'audio'], webrtcRenditions: false, problem: null },
    });
  });

  it.each([
    ['rtmp', 1935],
    ['rtmps', 1936],
  ] as const)('get the address and the stream key of %s once', async (protocol, port) => {
    const { sessionID, ingest } = await open(protocol);
    expect(ingest).toMatchObject({
      url: `${protocol}://ingest-1.test:${port}/live`,
      streamKey: expect.stringMatching(/^[\w-]{32}$/),
    });
    expect(ingest).not.toHaveProperty('passphrase');
    expect(node.received('ingest.open').at(-1)).toEqual({ sessionID, protocol });
    expect(await ingestOf(sessionID)).toEqual({
      ...{ protocol, tracks: ['video', 'audio'], webrtcRenditions: false, problem: null },
    });
    const { body: list } = await bed.request('get', bed.path('external-sessions'));
    expect(JSON.stringify(list)).not.toContain(ingest.streamKey);
  });

  it('are published by an ingest node with a WHIP token of the session', async () => {
    const { sessionID, ingest } = await open('rtmp');
    const admission = await node.admit('rtmp', { streamKey: ingest.streamKey ?? '' });
    expect(admission).toMatchObject({
      ...{ sessionID, tracks: ['video', 'audio'] },
      whipUrl: `http://sfu-1.test/whip/${sessionID}`,
      token: expect.stringMatching(/^ey/),
    });
    expect(claimsOf(admission.token)).not.toHaveProperty('hasBFrames');
    const renewal = await node.admit('rtmp', { streamKey: ingest.streamKey ?? '' }, true, { hasBFrames: true });
    expect(claimsOf(renewal.token)).toMatchObject({ sub: sessionID, purpose: 'ingest', hasBFrames: true });
  });

  it('tell the ingest node to make smaller pictures', async () => {
    const ingest = { protocol: 'rtmp', tracks: ['video'], webrtcRenditions: true };
    const { body: answer } = await bed.post('external-sessions', { displayName: 'OBS', ingest });
    const { ingest: access } = answer['externalSession'] as { ingest: Access };
    expect(access).toMatchObject(ingest);
    const admission = await node.admit('rtmp', { streamKey: access.streamKey ?? '' });
    expect(admission).toMatchObject({ tracks: ['video'], webrtcRenditions: true });
  });

  it.each([
    ['whip', ['video'], 'needs the protocol srt, rtmp or rtmps'],
    ['service-webrtc', ['video'], 'needs the protocol srt, rtmp or rtmps'],
    ['srt', ['audio'], 'needs video in ingest.tracks'],
  ])('are refused with smaller pictures of %s %j', async (protocol, tracks, rule) => {
    const ingest = { protocol, tracks, webrtcRenditions: true };
    const { status, body: answer } = await bed.post('external-sessions', { displayName: 'OBS', ingest });
    expect(status).toBe(400);
    expect(JSON.stringify(answer)).toContain(`ingest.webrtcRenditions ${rule}`);
  });

  it('admit no encoder with another key, protocol or node', async () => {
    const { ingest } = await open('rtmp');
    const srt = await open('srt');
    const other = await bed.startIngest('ingest-2');
    for (const attempt of [
      () => node.admit('rtmp', { streamKey: 'x'.repeat(32) }),
      () => node.admit('rtmps', { streamKey: ingest.streamKey ?? '' }),
      () => node.admit('rtmp', {}),
      () => node.admit('srt', { sessionID: 'ext_none' }),
      () => other.admit('srt', { sessionID: srt.sessionID }),
    ])
      await expect(attempt()).rejects.toEqual(failure('invalid_credentials'));
    await other.die();
  });

  it('admit an encoder that comes in time, and its reconnects later', async () => {
    const [late, early] = [await open('rtmp'), await open('rtmp')];
    const admit = ({ ingest }: typeof late) => node.admit('rtmp', { streamKey: ingest.streamKey ?? '' });
    await admit(early);
    await bed.advance(firstUseMs + 1_000);
    await admit(early);
    await expect(admit(late)).rejects.toEqual(failure('token_expired'));
    expect(await ingestOf(late.sessionID)).toMatchObject({ problem: 'key_expired' });
  });

  it('admit no second publisher, but the way of the first one over another SFU node', async () => {
    const { sessionID, ingest } = await open('rtmp');
    const admit = (isRenewal: boolean) => node.admit('rtmp', { streamKey: ingest.streamKey ?? '' }, isRenewal);
    await admit(false);
    await bed.sfu.activate(sessionID);
    await expect(admit(false)).rejects.toEqual(failure('already_publishing'));
    expect(await ingestOf(sessionID)).toMatchObject({ problem: 'already_publishing' });
    expect(await admit(true)).toMatchObject({ sessionID });
    await bed.sfu.loseSource(sessionID);
    expect(await admit(false)).toMatchObject({ sessionID });
    expect(await ingestOf(sessionID)).toMatchObject({ problem: null });
    await bed.remove('external-sessions', sessionID);
    await expect(admit(false)).rejects.toEqual(failure('session_ended'));
  });

  it('show why an encoder was refused', async () => {
    const { sessionID } = await open('srt');
    const report = { nodeID: 'ingest-1', sessionID, problem: 'wrong_passphrase' as const };
    await bed.nodeBuses.sfu.request(ingestQuestions.report, report);
    expect(await ingestOf(sessionID)).toMatchObject({ problem: 'wrong_passphrase' });
    const unusable = { ...report, problem: 'anything' as never };
    await expect(bed.nodeBuses.sfu.request(ingestQuestions.report, unusable)).rejects.toEqual(
      failure('invalid_request'),
    );
  });

  it('are opened again on the port of their node after its restart, and closed when they have ended', async () => {
    const [lost, held, unused] = [await open('srt'), await open('srt'), await open('srt')];
    for (const { sessionID } of [lost, held]) await node.admit('srt', { sessionID });
    await bed.advance(firstUseMs + 1_000);
    const first = await node.compare(held.sessionID, unused.sessionID, 'ext_none');
    expect(first.ended.sort()).toEqual(['ext_none', unused.sessionID].sort());
    expect(first.missing).toContainEqual({
      ...{ sessionID: lost.sessionID, protocol: 'srt', port: 20_000 },
      passphrase: lost.ingest.passphrase,
    });
    expect(first.missing).toHaveLength(1);
    await bed.remove('external-sessions', held.sessionID);
    expect((await node.compare(held.sessionID)).ended).toEqual([held.sessionID]);
  });

  it.each(['srt', 'rtmp'] as const)('get a new address and secret of %s when the token is renewed', async protocol => {
    const { sessionID, ingest } = await open(protocol);
    const renew = () => bed.request('post', bed.path('external-sessions', sessionID), { action: 'renewToken' });
    await bed.advance(firstUseMs + 1_000);
    const renewed = ((await renew()).body['externalSession'] as { ingest: Access }).ingest;
    const [secret, former] = [renewed, ingest].map(each => each.passphrase ?? each.streamKey);
    expect(secret).toMatch(/^[\w-]{32}$/);
    expect(secret).not.toBe(former);
    if (protocol === 'rtmp') {
      await expect(node.admit('rtmp', { streamKey: former ?? '' })).rejects.toEqual(failure('invalid_credentials'));
      await node.admit('rtmp', { streamKey: secret ?? '' });
    } else {
      expect(node.received('ingest.open').at(-1)).toMatchObject({ sessionID, passphrase: secret });
    }
    await bed.remove('external-sessions', sessionID);
    expect(await renew()).toMatchObject({ status: 409, body: { reason: 'session_ended' } });
  });

  it('store no secret in clear', async () => {
    const [srt, rtmp] = [await open('srt'), await open('rtmp')];
    const rows = JSON.stringify(
      await bed.gateway.app
        .get(DataSource)
        .query("SELECT *, encode(encrypted_passphrase, 'escape'), encode(key_hash, 'escape') AS hash FROM ingest_keys"),
    );
    expect(rows).toContain(srt.sessionID);
    expect(rows).not.toContain(srt.ingest.passphrase);
    expect(rows).not.toContain(rtmp.ingest.streamKey);
  });

  it('take at most the places of their account, three with smaller pictures', async () => {
    const { account, meetingID } = bed;
    bed.account = await bed.gateway.makeAccount();
    bed.meetingID = await bed.createRoom();
    await bed.gateway.http
      .put(`/admin/v1/accounts/${bed.account.accountID}/limits`)
      .set('Authorization', `Bearer ${bed.gateway.config.adminToken}`)
      .send({ encoderPlaces: 4 })
      .expect(200);
    const { sessionID } = await open('srt');
    const ingest = { protocol: 'rtmp', tracks: ['video'], webrtcRenditions: true };
    const openLarge = () => bed.post('external-sessions', { displayName: 'OBS', ingest });
    expect((await openLarge()).status).toBe(201);
    expect(await bed.post('external-sessions', body('rtmp'))).toMatchObject({
      status: 403,
      body: { reason: 'limit_reached', limit: { name: 'encoderPlaces', value: 4 } },
    });
    await bed.openSession();
    await bed.remove('external-sessions', sessionID);
    expect((await openLarge()).status).toBe(403);
    await open('rtmp');
    Object.assign(bed, { account, meetingID });
  });

  describe('that the service calls', () => {
    const secrets = { passphrase: 'correct-horse-battery', streamID: 'read:stage-7' };
    const caller = {
      protocol: 'srt',
      mode: 'caller',
      tracks: ['video', 'audio'],
      url: 'srt://encoder.example.com:9000',
    };
    const ask = (ingest: object) => bed.post('external-sessions', { displayName: 'Encoder', ingest });
    const openCall = async () => {
      const { status, body: answer } = await ask({ ...caller, ...secrets });
      expect([status, answer.error]).toEqual([201, undefined]);
      return answer['externalSession'] as { sessionID: string; ingest: Access };
    };

    it('show the address and never the secrets, which only their node gets', async () => {
      const { sessionID, ingest } = await openCall();
      expect(ingest).toEqual({ ...caller, webrtcRenditions: false, problem: null });
      expect(await ingestOf(sessionID)).toEqual(ingest);
      const sent = await node.command('ingest.call', request => request['sessionID'] === sessionID);
      expect(sent).toEqual({ sessionID, url: caller.url, ...secrets, allowsPrivate: false });
      const rows: object[] = await bed.gateway.app
        .get(DataSource)
        .query("SELECT *, encode(encrypted_call_secrets, 'escape') FROM ingest_keys WHERE call_url IS NOT NULL");
      expect(rows).toHaveLength(1);
      for (const secret of Object.values(secrets)) expect(JSON.stringify(rows)).not.toContain(secret);
      expect(await node.admit('srt', { sessionID })).toMatchObject({ sessionID, tracks: caller.tracks });
      const renewed = await bed.request('post', bed.path('external-sessions', sessionID), { action: 'renewToken' });
      expect(renewed).toMatchObject({ status: 400, body: { error: expect.stringContaining('the service calls') } });
    });

    it.each<[object, string]>([
      [{ url: 'srt://127.0.0.1:9000' }, 'url must be a public address'],
      [{ url: 'srt://127.1:9000' }, 'url must be a public address'],
      [{ url: 'srt://[fe80::1]:9000' }, 'url must be a public address'],
      [{ url: 'srt://localhost:9000' }, 'url must be a public address'],
      [{ url: 'srt://encoder.example.com' }, 'url must have a port'],
      [{ url: 'srt://encoder.example.com:9000?mode=listener' }, 'url must have no parameters'],
      [{ url: 'rtmp://encoder.example.com:9000' }, 'url must begin with srt://'],
      [{ url: undefined }, 'ingest.url is required'],
      [{ mode: undefined }, 'ingest.url needs the protocol srt with the mode caller'],
      [{ protocol: 'rtmp' }, 'ingest.mode needs the protocol srt'],
      [{ passphrase: 'too short' }, 'passphrase must be 10 to 79 characters'],
    ])('are refused with %j', async (changes, rule) => {
      const { status, body: answer } = await ask({ ...caller, ...changes });
      expect([status, answer.error]).toEqual([400, expect.stringContaining(rule)]);
    });

    it('show a problem that their own node reports, and none of another node', async () => {
      const { sessionID } = await openCall();
      const report = (nodeID: string) =>
        bed.nodeBuses.sfu.request(ingestQuestions.report, { nodeID, sessionID, problem: 'encoder_unreachable' });
      await report('ingest-9');
      expect(await ingestOf(sessionID)).toMatchObject({ problem: null });
      await report('ingest-1');
      expect(await ingestOf(sessionID)).toMatchObject({ problem: 'encoder_unreachable' });
    });

    it('move to another node when their node is lost, and end on the lost one', async () => {
      await openCall();
      const { sessionID } = await openCall();
      const other = await bed.startIngest('ingest-3');
      const missing = async (from: FakeIngest, free: number) =>
        ((await from.compareCalls(free)).calls ?? []).map(each => each.sessionID);
      expect(await missing(node, 0)).toContain(sessionID);
      expect(await missing(other, 5)).toEqual([]);
      await bed.lose(node);
      expect(await missing(other, 0)).toEqual([]);
      const taken = await missing(other, 1);
      expect(taken).toHaveLength(1);
      // The place is for the call that the node has taken and does not hold yet.
      expect(await missing(other, 1)).toEqual(taken);
      expect(await missing(other, 20)).toContain(sessionID);
      expect((await node.compareCalls(5, sessionID)).ended).toEqual([sessionID]);
      expect(await other.compareCalls(5, sessionID)).toMatchObject({ ended: [] });
      await bed.remove('external-sessions', sessionID);
      expect((await other.compareCalls(5, sessionID)).ended).toEqual([sessionID]);
    });
  });
});
