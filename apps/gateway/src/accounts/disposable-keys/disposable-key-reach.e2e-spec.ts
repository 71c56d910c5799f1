import { requiredOperationKey } from '../../platform/auth/auth.decorators.js';
import { collectRoutes, type Route } from '../../platform/http/route-table.js';
import { credential, TestKeys, type Issued } from './testing/test-keys.js';

const inRooms = ['joinRoom', 'readRooms', 'manageRooms', 'ingestMedia', 'playMedia', 'broadcastMedia'];

describe('the reach of a key', () => {
  let keys: TestKeys;
  beforeAll(async () => {
    keys = await TestKeys.open();
  });
  beforeEach(() => keys.renewOwner());
  afterAll(() => keys.close());

  const refused = { code: 'FORBIDDEN', reason: 'operation_not_granted' };
  const rooms = (body: object, authorization: string) =>
    keys.gateway.http.post('/v1/rooms').set('Authorization', authorization).send(body);
  const makeRoom = async (): Promise<string> => {
    const { body } = await rooms({ action: 'create', userName: 'Ada' }, keys.owner.authorization).expect(201);
    return body.room.meetingID as string;
  };

  describe('that creates keys', () => {
    const rights = ['manageKeys', 'readRooms', 'joinRoom'];

    it.each<[string, object, object]>([
      ['of more operations', {}, { operations: [...rights, 'createRoom'] }],
      ['of a higher role', { maxRole: 'participant' }, { operations: rights, maxRole: 'cohost' }],
      ['of any role', { maxRole: 'participant' }, { operations: rights }],
      ['for any domain', { domains: ['a.example.com'] }, { operations: rights }],
      ['for a wider domain', { domains: ['a.example.com'] }, { operations: rights, domains: ['*.example.com'] }],
      ['for longer', { validityDays: 3 }, { operations: rights, validityDays: 4 }],
      ['for ever', { validityDays: 3 }, { operations: rights }],
    ])('neither changes nor revokes a key %s', async (_, own, wider) => {
      const key = await keys.create({ operations: rights, ...own });
      const wide = await keys.create(wider);
      for (const change of [{ action: 'delete' }, { action: 'update', name: 'mine' }]) {
        const { body } = await keys.post({ ...change, keyID: wide.keyID }, credential(key)).expect(403);
        expect(body).toMatchObject(refused);
      }
      await keys.rooms(wide).expect(200);
      await keys.rooms(key).expect(200);
    });

    it('cannot give itself more rights', async () => {
      const bounds = { validityDays: 3, domains: ['a.example.com'], maxRole: 'viewer' };
      const key = await keys.create({ operations: rights, ...bounds });
      for (const wider of [
        { operations: [...rights, 'createRoom'] },
        { validityDays: null },
        { domains: null },
        { maxRole: 'participant' },
        { maxRole: null },
      ]) {
        const { body } = await keys.post({ action: 'update', keyID: key.keyID, ...wider }, credential(key)).expect(403);
        expect(body).toMatchObject(refused);
      }
    });
  });

  describe('that is bound to a room', () => {
    /** The routes that such a key may use, each with its operations. */
    const routesInRooms = (): Route[] =>
      collectRoutes(keys.gateway.app).filter(route => operationsOf(route).some(each => inRooms.includes(each)));
    const operationsOf = ({ handler, controller }: Route): readonly string[] =>
      (Reflect.getMetadata(requiredOperationKey, handler) ??
        Reflect.getMetadata(requiredOperationKey, controller) ??
        []) as string[];

    it('reaches no other room by any route', async () => {
      const [meetingID, other] = [await makeRoom(), await makeRoom()];
      const key = await keys.create({ operations: inRooms, meetingIDs: [meetingID] });
      const open: string[] = [];
      for (const { method, path } of routesInRooms()) {
        const [route = '', action] = path.split('/@');
        const url = route.replace(':meetingID', other).replaceAll(/:\w+/g, 'ext_nothing');
        const call = keys.gateway.http[method.toLowerCase() as 'get' | 'post' | 'delete'](url);
        const asked = call.set('Authorization', credential(key));
        // The own room in the same request does not help.
        const own = route.includes(':meetingID') ? { meetingID } : { meetingID: other };
        const { status, body } = await (method === 'POST'
          ? asked.send({ ...(action !== undefined && { action }), ...own })
          : asked.query({ ...(action !== undefined && { action }), ...own }));
        if (status !== 403 || body.reason !== refused.reason) open.push(`${method} ${path}: ${status} ${body.reason}`);
      }
      expect(routesInRooms().length).toBeGreaterThan(15);
      expect(open).toEqual([]);
      const left = keys.gateway.http.get('/v1/rooms').query({ meetingID: other });
      expect((await left.set('Authorization', keys.owner.authorization).expect(200)).body.room.state).toBe('active');
    });

    it('gives nobody a higher role with a former ticket', async () => {
      const meetingID = await makeRoom();
      const host = { action: 'join', userName: 'Hal', meetingID, role: 'host' };
      const { participant, join } = (await rooms(host, keys.owner.authorization).expect(201)).body;
      const back = { action: 'join', userName: 'Hal', meetingID, participantID: participant.participantID };
      const key = await keys.create({ operations: ['joinRoom'], meetingIDs: [meetingID], maxRole: 'viewer' });
      const { body } = await rooms({ ...back, ticket: join.token }, credential(key)).expect(403);
      expect(body).toMatchObject({ code: 'FORBIDDEN', reason: 'role_not_allowed' });
      await rooms({ ...back, ticket: join.token }, keys.owner.authorization).expect(201);
    });
  });

  describe('of a sub-user', () => {
    const subUsers = (body: object, authorization = keys.owner.authorization) =>
      keys.gateway.http.post('/v1/subusers').set('Authorization', authorization).send(body);
    const subUser = async (permissions: string[], role = 'member') => {
      const request = { action: 'create', name: 'G', email: `r-${(keys.made += 1)}@example.com`, role, permissions };
      const { subUserID, apiUserName, apiKeys } = (await subUsers(request).expect(201)).body.subUser;
      return { subUserID, authorization: `Bearer ${apiUserName}:${apiKeys.sandbox}` };
    };

    it('cannot give itself more rights, neither by permissions nor by the parent role', async () => {
      const { subUserID, authorization } = await subUser(['manageSubUsers', 'readRooms']);
      for (const wider of [{ permissions: ['manageSubUsers', 'createRoom'] }, { role: 'parent' }]) {
        const { body } = await subUsers({ action: 'update', subUserID, ...wider }, authorization).expect(403);
        expect(body).toMatchObject(refused);
      }
      const parent = { action: 'create', name: 'P', email: 'p@example.com', role: 'parent', permissions: [] };
      expect((await subUsers(parent, authorization).expect(403)).body).toMatchObject(refused);
      await subUsers({ action: 'update', subUserID, permissions: ['readRooms'] }, authorization).expect(200);
    });

    it('cannot change, rotate or delete a parent without the rights of a parent', async () => {
      const { authorization } = await subUser(['manageSubUsers']);
      const { subUserID } = await subUser([], 'parent');
      for (const change of [
        { action: 'delete' },
        { action: 'update', name: 'Mine' },
        { action: 'rotateKey', type: 'sandbox' },
      ]) {
        expect((await subUsers({ ...change, subUserID }, authorization).expect(403)).body).toMatchObject(refused);
      }
    });

    it('revokes no disposable key of the account that has more rights', async () => {
      const { authorization } = await subUser(['manageKeys', 'readRooms']);
      const wide: Issued = await keys.create({ operations: ['readRooms', 'createRoom'] });
      await keys.post({ action: 'delete', keyID: wide.keyID }, authorization).expect(403);
      await keys.rooms(wide).expect(200);
    });
  });
});
