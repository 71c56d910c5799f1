import { leaseBucket, leaseKey, sfuCommands, type NodeLease } from '@rtms/contracts';
import { ManualClock } from '@rtms/testing';
import { FeaturesService } from '../accounts/features/features.service.js';
import { startTestGateway, testAdminToken, type TestGateway } from '../testing/start-test-gateway.js';

const lease: NodeLease = {
  nodeID: 'sfu-1',
  role: 'sfu',
  epoch: 1,
  publicUrl: 'http://sfu.test',
  internalUrl: 'http://sfu.internal',
  load: 0,
  capacity: 10,
  draining: false,
};

interface AccountNames {
  accountID: string;
  apiUserName: string;
}

describe('the administration', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.close());

  const call = (method: 'get' | 'post' | 'put', path: string, body?: object, at = gateway) => {
    const request = at.http[method](`/admin/v1${path}`).set('Authorization', `Bearer ${testAdminToken}`);
    return body === undefined ? request : request.send(body);
  };
  const createAccount = async (): Promise<AccountNames> => {
    const { body } = await call('post', '/accounts', { name: 'Studio' }).expect(201);
    return body.account;
  };

  it.each([undefined, 'Bearer wrong', `Basic ${testAdminToken}`])('is closed to %s', async header => {
    const request = gateway.http.get('/admin/v1/accounts');
    const { body } = await (header === undefined ? request : request.set('Authorization', header)).expect(401);
    expect(body).toMatchObject({ success: false, code: 'UNAUTHORIZED', reason: 'invalid_credentials' });
  });

  it('treats null in an optional field as absent', async () => {
    await call('post', '/accounts', { name: 'Studio', apiUserName: null }).expect(201);
    await call('put', '/features', { feature: 'whip', enabled: true, accountID: null }).expect(200);
    const user = { email: 'null@example.com', role: 'administrator', accountID: null, password: null };
    await call('post', '/dashboard-users', user).expect(201);
  });

  it('is closed to account keys', async () => {
    const { authorization } = await gateway.makeAccount();
    await gateway.http.get('/admin/v1/accounts').set('Authorization', authorization).expect(401);
  });

  describe('accounts', () => {
    it('are created, listed, disabled and enabled', async () => {
      const { body: created } = await call('post', '/accounts', { name: 'Studio', apiUserName: 'studio1' }).expect(201);
      const { accountID } = created.account as { accountID: string };
      expect(created.account).toMatchObject({ name: 'Studio', apiUserName: 'studio1', state: 'active' });
      const { body: list } = await call('get', '/accounts?pageSize=1').expect(200);
      expect(list).toMatchObject({ success: true, startIndex: 0, pageSize: 1 });
      const { body: disabled } = await call('post', `/accounts/${accountID}/disable`).expect(200);
      expect(disabled.account.state).toBe('disabled');
      const { body: enabled } = await call('post', `/accounts/${accountID}/enable`).expect(200);
      expect(enabled.account.state).toBe('active');
      await call('get', `/accounts/${accountID}`).expect(200);
    });

    it('have unique API usernames', async () => {
      await call('post', '/accounts', { name: 'A', apiUserName: 'taken123' }).expect(201);
      const { body } = await call('post', '/accounts', { name: 'B', apiUserName: 'taken123' }).expect(409);
      expect(body).toMatchObject({ code: 'CONFLICT', reason: 'name_taken' });
    });

    it.each([{ name: '' }, { name: 'A', apiUserName: 'short' }, { name: 'A', apiUserName: 'has-a-dash' }, {}])(
      'are not made from %j',
      async body => {
        expect((await call('post', '/accounts', body).expect(400)).body.reason).toBe('invalid_request');
      },
    );

    it('that are unknown are not found', async () => {
      await call('post', '/accounts/acct_nobody/disable').expect(404);
      await call('get', '/accounts/acct_nobody/keys').expect(404);
      await call('post', '/accounts/acct_nobody/keys', { type: 'sandbox' }).expect(404);
    });
  });

  describe('keys', () => {
    it('are shown once and authenticate requests', async () => {
      const { accountID, apiUserName } = await createAccount();
      const { body } = await call('post', `/accounts/${accountID}/keys`, { type: 'sandbox' }).expect(201);
      const { apiKey, keyID, maskedKey } = body.key as Record<string, string>;
      expect(apiKey).toMatch(/^[A-Za-z0-9]{64}$/);
      await gateway.http
        .get('/v1/rooms')
        .set('Authorization', `Bearer ${apiUserName}:${apiKey ?? ''}`)
        .expect(200);
      const { body: list } = await call('get', `/accounts/${accountID}/keys`).expect(200);
      expect(list.keys).toEqual([expect.objectContaining({ keyID, maskedKey, type: 'sandbox', state: 'active' })]);
      expect(JSON.stringify(list)).not.toContain(apiKey);
    });

    it('exist once for each type', async () => {
      const { accountID } = await createAccount();
      await call('post', `/accounts/${accountID}/keys`, { type: 'sandbox' }).expect(201);
      await call('post', `/accounts/${accountID}/keys`, { type: 'production' }).expect(201);
      expect((await call('post', `/accounts/${accountID}/keys`, { type: 'sandbox' }).expect(409)).body.code).toBe(
        'CONFLICT',
      );
    });

    it('are rotated with an overlap', async () => {
      const { accountID } = await createAccount();
      await call('post', `/accounts/${accountID}/keys`, { type: 'sandbox' }).expect(201);
      await call('post', `/accounts/${accountID}/keys/rotate`, { type: 'sandbox', overlapHours: 72 }).expect(201);
      const { body } = await call('get', `/accounts/${accountID}/keys`).expect(200);
      expect(body.keys.map((key: { state: string }) => key.state)).toEqual(['active', 'overlapping']);
    });

    it.each([{ overlapHours: 73 }, { overlapHours: -1 }, { overlapHours: '1' }, { type: 'golden' }])(
      'are not rotated with %j',
      async fields => {
        const { accountID } = await createAccount();
        await call('post', `/accounts/${accountID}/keys/rotate`, { type: 'sandbox', ...fields }).expect(400);
      },
    );
  });

  it('lists only the disposable keys of the account', async () => {
    const { authorization, accountID } = await gateway.makeAccount();
    const key = { action: 'create', name: 'Kiosk', type: 'sandbox', operations: ['createRoom'] };
    const made = await gateway.http
      .post('/v1/disposable-keys')
      .set('Authorization', authorization)
      .send(key)
      .expect(201);
    const { body } = await call('get', `/accounts/${accountID}/disposable-keys`).expect(200);
    expect(body).toMatchObject({ total: 1, disposableKeys: [{ name: 'Kiosk', state: 'active', type: 'sandbox' }] });
    expect(JSON.stringify(body)).not.toContain(made.body.disposableKey.apiKey);
    const other = await createAccount();
    expect((await call('get', `/accounts/${other.accountID}/disposable-keys`).expect(200)).body.total).toBe(0);
    await call('get', '/accounts/acct_nobody/disposable-keys').expect(404);
  });

  describe('features', () => {
    it('are enabled and disabled for the platform', async () => {
      const { body } = await call('put', '/features', { feature: 'srt', enabled: true }).expect(200);
      expect(body.features).toEqual({ whip: true, whep: true, hls: true, srt: true, rtmp: false, rtmps: false });
      await call('post', '/features', { feature: 'srt', enabled: false }).expect(200);
      expect((await call('get', '/features').expect(200)).body.features.srt).toBe(false);
    });

    it('are disabled for one account only', async () => {
      const [one, other] = [await createAccount(), await createAccount()];
      await call('put', '/features', { feature: 'hls', enabled: false, accountID: one.accountID }).expect(200);
      const features = gateway.app.get(FeaturesService, { strict: false });
      await expect(features.requireEnabled(one.accountID, 'hls')).rejects.toMatchObject({ reason: 'feature_disabled' });
      await expect(features.requireEnabled(other.accountID, 'hls')).resolves.toBeUndefined();
      const { body } = await call('get', `/features?accountID=${one.accountID}`).expect(200);
      expect(body.features).toMatchObject({ hls: false, whip: true });
    });

    it.each([{ feature: 'x', enabled: true }, { feature: 'hls' }, { feature: 'hls', enabled: 'no' }])(
      'are not switched by %j',
      async body => {
        await call('put', '/features', body).expect(400);
      },
    );

    it('of an unknown account are not found', async () => {
      await call('put', '/features', { feature: 'hls', enabled: true, accountID: 'acct_nobody' }).expect(404);
      await call('get', '/features?accountID=acct_nobody').expect(404);
    });
  });

  describe('limits', () => {
    const plan = { value: 500, default: 500 };

    it('are those of the plan until an administrator changes them', async () => {
      const { accountID } = await createAccount();
      const other = await createAccount();
      const path = `/accounts/${accountID}/limits`;
      expect((await call('get', path).expect(200)).body.limits).toMatchObject({ viewersPerPlayback: plan });
      const { body } = await call('put', path, { viewersPerPlayback: 7 }).expect(200);
      expect(body.limits).toMatchObject({
        viewersPerPlayback: { value: 7, default: 500 },
        viewersPerAccount: { value: 5_000, default: 5_000 },
      });
      expect((await call('get', path).expect(200)).body).toEqual(body);
      const { body: others } = await call('get', `/accounts/${other.accountID}/limits`).expect(200);
      expect(others.limits.viewersPerPlayback).toEqual(plan);
      const { body: reset } = await call('put', path, { viewersPerPlayback: null, viewersPerAccount: 0 }).expect(200);
      expect(reset.limits).toMatchObject({ viewersPerPlayback: plan, viewersPerAccount: { value: 0 } });
    });

    it.each([{ viewersPerPlayback: -1 }, { viewersPerPlayback: 1.5 }, { viewersPerAccount: '9' }, { viewers: 1 }])(
      'are not set by %j',
      async body => {
        const { accountID } = await createAccount();
        await call('put', `/accounts/${accountID}/limits`, body).expect(400);
      },
    );

    it('of an unknown account are not found', async () => {
      await call('get', '/accounts/acct_nobody/limits').expect(404);
      await call('put', '/accounts/acct_nobody/limits', { viewersPerPlayback: 1 }).expect(404);
    });
  });

  describe('nodes', () => {
    let still: TestGateway;

    beforeAll(async () => {
      // Its clock stands still, so that the lease of the node lasts as long as the test.
      still = await startTestGateway({ clock: new ManualClock(Date.now()) });
    });
    afterAll(() => still?.close());

    const ask = (method: 'get' | 'post', path: string, body?: object) => call(method, path, body, still);

    it('are listed and drained', async () => {
      const leases = await still.bus.keyValue<NodeLease>(leaseBucket);
      await leases.put(leaseKey(lease), lease);
      const commands: unknown[] = [];
      const responder = await still.bus.respond(sfuCommands.drain.forNode('sfu-1'), request => {
        commands.push(request);
        return Promise.resolve({});
      });
      expect((await ask('get', '/nodes')).body.nodes).toHaveLength(1);
      const { body } = await ask('post', '/nodes/sfu-1/drain', { force: true }).expect(200);
      expect(body.node).toMatchObject({ nodeID: 'sfu-1', role: 'sfu', draining: true });
      await ask('post', '/nodes/sfu-1/undrain').expect(200);
      expect(commands).toEqual([{ draining: true }, { draining: false }]);
      await responder.close();
      const { body: failure, headers } = await ask('post', '/nodes/sfu-1/drain', { force: true }).expect(503);
      expect(failure).toMatchObject({ code: 'SERVICE_UNAVAILABLE', reason: 'controller_unavailable' });
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    });

    it('that are unknown are not found', async () => {
      await ask('post', '/nodes/nobody/drain').expect(404);
    });
  });

  it('rotates the signing key', async () => {
    const { body } = await call('post', '/signing-keys/rotate').expect(200);
    expect(body.signingKey.publishedKids).toContain(body.signingKey.kid);
  });
});
