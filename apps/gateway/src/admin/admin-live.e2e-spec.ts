import { serviceVersion } from '@rtms/health';
import { MediaTestBed } from '../testing/media-test-bed.js';
import { testAdminToken } from '../testing/start-test-gateway.js';

describe('live work for the administrator', () => {
  let bed: MediaTestBed;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
  });
  afterAll(() => bed.close());

  const get = async (path: string) => {
    const request = bed.gateway.http.get(`/admin/v1${path}`).set('Authorization', `Bearer ${testAdminToken}`);
    return (await request.expect(200)).body;
  };

  it('lists active rooms of all accounts, or of one, in pages', async () => {
    const second = await bed.createRoom();
    const other = await bed.gateway.makeAccount();
    await bed.advance(1_000);
    const body = { action: 'create', userName: 'Ada' };
    await bed.gateway.http.post('/v1/rooms').set('Authorization', other.authorization).send(body).expect(201);
    const { rooms, total } = await get('/rooms?pageSize=2');
    expect([total, rooms.length]).toEqual([3, 2]);
    expect(rooms[0]).toMatchObject({ accountID: other.accountID, state: 'active', reservedCount: 1 });
    const own = await get(`/rooms?accountID=${bed.account.accountID}&startIndex=1`);
    expect([own.total, own.rooms.length]).toEqual([2, 1]);
    await bed.request('post', '/v1/rooms', { action: 'end', meetingID: second });
    expect((await get(`/rooms?accountID=${bed.account.accountID}`)).total).toBe(1);
    expect((await get('/rooms?accountID=acct_unknown')).total).toBe(0);
  });

  it('lists live external sessions with their node', async () => {
    const sessionID = await bed.openActiveSession();
    const { externalSessions, total } = await get(`/external-sessions?accountID=${bed.account.accountID}`);
    expect(total).toBe(1);
    expect(externalSessions[0]).toMatchObject({
      ...{ accountID: bed.account.accountID, meetingID: bed.meetingID, sessionID },
      ...{ nodeID: 'sfu-1', state: 'active', protocol: 'whip' },
    });
    await bed.sfu.report(sessionID, { type: 'external_session.ended', reason: 'publisher_left' });
    await bed.expectState('external-sessions', sessionID, 'ended');
    expect((await get('/external-sessions')).total).toBe(0);
  });

  it('counts the live work of each account, the account with the most first, in pages', async () => {
    const { accounts, total } = await get('/live-accounts');
    const own = { accountID: bed.account.accountID, rooms: 1, externalSessions: 0, playbacks: 0, broadcasts: 0 };
    expect(accounts).toContainEqual(expect.objectContaining(own));
    const third = await bed.gateway.makeAccount();
    for (const userName of ['Ada', 'Bo']) {
      const body = { action: 'create', userName };
      await bed.gateway.http.post('/v1/rooms').set('Authorization', third.authorization).send(body).expect(201);
    }
    const first = await get('/live-accounts?pageSize=1');
    expect(first).toMatchObject({ total: Number(total) + 1, accounts: [{ accountID: third.accountID, rooms: 2 }] });
    expect((await get('/live-accounts?pageSize=1&startIndex=1')).accounts[0].accountID).not.toBe(third.accountID);
    for (const { meetingID } of (await get(`/rooms?accountID=${third.accountID}`)).rooms) {
      const body = { action: 'end', meetingID };
      await bed.gateway.http.post('/v1/rooms').set('Authorization', third.authorization).send(body).expect(200);
    }
    expect((await get('/live-accounts')).total).toBe(total);
  });

  it('reports gateway, database, bus, nodes and counts', async () => {
    const { status } = await get('/status');
    expect(status).toMatchObject({ gatewayVersion: serviceVersion, database: { isUp: true }, bus: { isUp: true } });
    expect(status.nodes).toContainEqual(expect.objectContaining({ nodeID: 'sfu-1', role: 'sfu', isOutdated: true }));
    expect((await get('/nodes')).nodes).toEqual(status.nodes);
    expect(status.live).toMatchObject({ rooms: 2, externalSessions: 0, broadcasts: 0 });
  });

  it('reports the database as down', async () => {
    await bed.gateway.asOwner('ALTER TABLE playbacks RENAME TO playbacks_away');
    const { status } = await get('/status');
    await bed.gateway.asOwner('ALTER TABLE playbacks_away RENAME TO playbacks');
    expect([status.database.isUp, status.live]).toEqual([false, null]);
  });
});
