import { startTestGateway, testAdminToken, type TestGateway } from '../../testing/start-test-gateway.js';
import { AdminClient } from './admin-client.js';
import { adminProgram } from './admin-program.js';

interface AccountNames {
  accountID: string;
  apiUserName: string;
}

describe('the administrator’s command line', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.close());

  const run = async <Answer>(...words: string[]): Promise<Answer> => {
    const printed: object[] = [];
    const client = () => new AdminClient({ url: `${gateway.url}/`, token: testAdminToken });
    await adminProgram({ client, print: answer => printed.push(answer) }).parseAsync(['node', 'rtms-admin', ...words]);
    return printed[0] as Answer;
  };

  it('creates accounts and keys', async () => {
    const { account } = await run<{ account: AccountNames }>('accounts', 'create', 'Radio', '--user-name', 'radio123');
    expect(account.apiUserName).toBe('radio123');
    const { key } = await run<{ key: { type: string } }>('keys', 'create', account.accountID, 'production');
    expect(key.type).toBe('production');
    const rotation = ['keys', 'rotate', account.accountID, 'production', '--overlap-hours', '1'];
    const rotated = await run<{ key: { state: string } }>(...rotation);
    expect(rotated.key.state).toBe('active');
    await run('accounts', 'disable', account.accountID);
    const { accounts } = await run<{ accounts: { accountID: string; state: string }[] }>('accounts', 'list');
    expect(accounts.find(each => each.accountID === account.accountID)?.state).toBe('disabled');
  });

  it('disables and deletes accounts and keys', async () => {
    const { account: studio } = await run<{ account: AccountNames }>('accounts', 'create', 'Studio');
    const { accountID } = studio;
    const stateOf = async (...words: string[]) => {
      const { account, key } = await run<Record<'account' | 'key', { state: string; name: string }>>(...words);
      return (account ?? key).state;
    };
    const { key } = await run<{ key: { keyID: string } }>('keys', 'create', accountID, 'sandbox');
    await expect(run('keys', 'disable', accountID, key.keyID)).rejects.toThrow(/last working sandbox key/);
    expect(await stateOf('keys', 'disable', accountID, key.keyID, '--force')).toBe('disabled');
    expect(await stateOf('keys', 'enable', accountID, key.keyID)).toBe('active');
    await expect(run('keys', 'delete', accountID, key.keyID)).rejects.toThrow(/last working sandbox key/);
    expect(await stateOf('keys', 'delete', accountID, key.keyID, '--force')).toBe('revoked');
    const { account } = await run<{ account: { name: string } }>('accounts', 'rename', accountID, 'Nord');
    expect(account.name).toBe('Nord');
    expect(await stateOf('accounts', 'delete', accountID)).toBe('deleted');
    expect(await stateOf('accounts', 'restore', accountID)).toBe('disabled');
    expect(await stateOf('accounts', 'enable', accountID)).toBe('active');
  });

  it('enables and disables features', async () => {
    const { features } = await run<{ features: { rtmp: boolean } }>('features', 'set', 'rtmp', 'on');
    expect(features.rtmp).toBe(true);
    const off = await run<{ features: { rtmp: boolean } }>('features', 'set', 'rtmp', 'off');
    expect(off.features.rtmp).toBe(false);
  });

  it('lists rooms and sessions, and reads the status', async () => {
    const account = await gateway.makeAccount();
    const body = { action: 'create', userName: 'Ada' };
    await gateway.http.post('/v1/rooms').set('Authorization', account.authorization).send(body).expect(201);
    const { rooms } = await run<{ rooms: AccountNames[] }>('rooms', 'list', '--account', account.accountID);
    expect(rooms.map(({ accountID }) => accountID)).toEqual([account.accountID]);
    expect(await run('sessions', 'list')).toMatchObject({ externalSessions: [], total: 0 });
    expect(await run('status')).toMatchObject({ status: { database: { isUp: true }, live: { rooms: 1 } } });
  });

  it('sets limits', async () => {
    const { account: studio } = await run<{ account: AccountNames }>('accounts', 'create', 'Studio');
    const { accountID } = studio;
    const set = (value: string) =>
      run<{ limits: Record<string, unknown> }>('limits', 'set', accountID, 'viewersPerAccount', value);
    expect((await set('12')).limits['viewersPerAccount']).toEqual({ value: 12, default: 5_000 });
    expect((await set('default')).limits['viewersPerAccount']).toEqual({ value: 5_000, default: 5_000 });
  });

  it('prints the error message of the service', async () => {
    await expect(run('drain', 'nobody')).rejects.toThrow('There is no such node.');
    const nowhere = new AdminClient({ url: 'http://127.0.0.1:1', token: 'x' });
    await expect(nowhere.get('/nodes')).rejects.toThrow(/RTMS_ADMIN_URL/);
  });
});
