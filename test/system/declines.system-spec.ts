import { EncoderPublisher, waitFor } from '@rtms/testing';
import pg from 'pg';
import { lockNumbers } from '../../apps/gateway/src/database/advisory-lock.js';
import type { ApiAnswer, ApiClient } from './harness/api-client.js';
import { startStack, type Stack } from './harness/stack.js';

describe('a broadcast is declined', () => {
  let stack: Stack;
  let api: ApiClient;
  let accountID: string;
  let meetingID: string;
  let sourceSessionID: string;
  let encoder: EncoderPublisher | undefined;

  const administer = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${stack.gateway.url}/admin/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${stack.adminToken}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  const publish = async (audioAlone = false): Promise<string> => {
    const session = await api.openSession(meetingID, audioAlone ? ['audio'] : ['video', 'audio']);
    encoder = await EncoderPublisher.publish({ ...session.ingest, ...(audioAlone && { video: false }) });
    await api.sessionBecomes(meetingID, session.sessionID, 'active');
    return session.sessionID;
  };
  const start = (source = sourceSessionID): Promise<ApiAnswer> =>
    api.call('POST', `/v1/meetings/${meetingID}/broadcasts`, { sourceSessionID: source });
  const expectDeclined = async (status: number, code: string, reason: string): Promise<void> => {
    const answer = await start();
    expect([answer.status, answer.body.code, answer.body.reason]).toEqual([status, code, reason]);
    const list = await api.call('GET', `/v1/meetings/${meetingID}/broadcasts`);
    expect(list.body).toMatchObject({ total: 0 });
  };
  const expectTaken = async (): Promise<void> => {
    const { status, body } = await start();
    expect(status).toBe(201);
    await api.call('DELETE', `/v1/meetings/${meetingID}/broadcasts/${body.broadcast.broadcastID}`);
    meetingID = await api.createRoom();
    await encoder?.vanish();
  };

  beforeAll(async () => {
    stack = await startStack();
    api = stack.api;
    const { accounts } = (await administer('GET', '/accounts')) as { accounts: { accountID: string }[] };
    accountID = accounts[0]!.accountID;
  });

  beforeEach(async () => {
    meetingID = await api.createRoom();
    sourceSessionID = await publish();
  });

  afterEach(() => encoder?.vanish());

  afterAll(async () => {
    await stack?.close();
  });

  it.each([
    ['for the account', () => ({ accountID })],
    ['on the platform', () => ({})],
  ])(
    'while HLS is switched off %s',
    async (_, scope) => {
      await administer('PUT', '/features', { ...scope(), feature: 'hls', enabled: false });
      await expectDeclined(403, 'FORBIDDEN', 'feature_disabled');
      await administer('PUT', '/features', { ...scope(), feature: 'hls', enabled: true });
      await expectTaken();
    },
    60_000,
  );

  it('without the entitlement', async () => {
    await administer('PUT', `/accounts/${accountID}/entitlements`, { entitlement: 'hls', granted: false });
    await expectDeclined(403, 'FORBIDDEN', 'not_entitled');
    await administer('PUT', `/accounts/${accountID}/entitlements`, { entitlement: 'hls', granted: true });
    await expectTaken();
  });

  it('of a source without a picture', async () => {
    await encoder?.vanish();
    sourceSessionID = await publish(true);
    await expectDeclined(409, 'CONFLICT', 'source_has_no_video');
  });

  it('of a source that has ended', async () => {
    await api.call('DELETE', `/v1/meetings/${meetingID}/external-sessions/${sourceSessionID}`);
    await expectDeclined(409, 'CONFLICT', 'source_not_active');
  });

  it('in a room that has ended', async () => {
    await api.call('POST', '/v1/rooms', { action: 'end', meetingID });
    await expectDeclined(409, 'CONFLICT', 'room_ended');
  });

  it('while no transcoder answers, whether it left in order or died', async () => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      await stack.transcoder.stop(signal);
      await expectDeclined(503, 'SERVICE_UNAVAILABLE', 'controller_unavailable');
      await stack.transcoder.start();
    }
    await waitFor(async () => (await start()).status === 201, { timeoutMs: 60_000, what: 'a transcoder to be known' });
  });

  /** Whoever meters ends the rooms of an account without minutes within seconds. */
  async function whileNobodyMeters(work: () => Promise<void>): Promise<void> {
    const client = new pg.Client({ connectionString: stack.databaseUrl });
    await client.connect();
    try {
      await client.query('SELECT pg_advisory_lock($1)', [lockNumbers.metering]);
      await work();
    } finally {
      await client.end();
    }
  }

  it('without minutes', async () => {
    await whileNobodyMeters(async () => {
      await administer('PUT', `/accounts/${accountID}/balance`, { type: 'sandbox', meetingMinutes: 0 });
      await expectDeclined(403, 'FORBIDDEN', 'balance_exhausted');
      await administer('PUT', `/accounts/${accountID}/balance`, { type: 'sandbox', meetingMinutes: 1000 });
    });
  });
});
