import { startTestGateway, type TestAccount, type TestGateway } from '../testing/start-test-gateway.js';

describe('rooms over HTTP', () => {
  let gateway: TestGateway;
  let owner: TestAccount;

  beforeAll(async () => {
    gateway = await startTestGateway();
    owner = await gateway.makeAccount();
  });
  afterAll(() => gateway?.close());

  const post = (body: object, account = owner) =>
    gateway.http.post('/v1/rooms').set('Authorization', account.authorization).send(body);
  const get = (query: object, account = owner) =>
    gateway.http.get('/v1/rooms').set('Authorization', account.authorization).query(query);
  const create = async (fields: object = {}): Promise<Record<string, any>> => {
    const { body } = await post({ action: 'create', userName: 'Ada', ...fields }).expect(201);
    return body.room;
  };

  it('creates a room with defaults, a host and a ticket for the socket', async () => {
    const { body } = await post({ action: 'create', userName: 'Ada' }).expect(201);
    console.log(body);
    expect(body.room).toMatchObject({ state: 'active' });
  });
});
