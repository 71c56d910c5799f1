import { startTestGateway, type TestAccount, type TestGateway } from '../../testing/start-test-gateway.js';

describe('domains over HTTP', () => {
  let gateway: TestGateway;
  let owner: TestAccount;

  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  beforeEach(async () => {
    owner = await gateway.makeAccount('production');
  });
  afterAll(() => gateway.close());

  const post = (body: object, account = owner) =>
    gateway.http.post('/v1/domains').set('Authorization', account.authorization).send(body);
  const get = (query: object = {}, account = owner) =>
    gateway.http.get('/v1/domains').set('Authorization', account.authorization).query(query);
  const create = async (domain: string, account = owner): Promise<{ domainID: string; domain: string }> =>
    (await post({ action: 'create', domain }, account).expect(201)).body.domain;

  it('are stored in one form', async () => {
    const { body } = await post({ action: 'create', domain: '*.BÜCHER.example.' }).expect(201);
    expect(body).toEqual({
      success: true,
      domain: {
        domainID: expect.stringMatching(/^dom_[A-Za-z0-9]{16,}$/),
        domain: '*.xn--bcher-kva.example',
        enabled: true,
        createdAt: expect.stringMatching(/Z$/),
      },
    });
    expect((await get({ domainID: body.domain.domainID }).expect(200)).body).toEqual(body);
  });

  it('are registered once in an account, in any spelling', async () => {
    await create('app.example.com');
    const { body } = await post({ action: 'create', domain: 'APP.example.com.' }).expect(409);
    expect(body).toMatchObject({ code: 'CONFLICT', reason: 'name_taken' });
    const other = await create('other.example.com');
    const change = { action: 'update', domainID: other.domainID, domain: 'App.Example.com' };
    expect((await post(change).expect(409)).body.reason).toBe('name_taken');
    await create('app.example.com', await gateway.makeAccount());
  });

  it('are registered once by two concurrent requests', async () => {
    const answers = await Promise.all([1, 2].map(() => post({ action: 'create', domain: 'once.example.com' })));
    expect(answers.map(answer => answer.status).sort()).toEqual([201, 409]);
  });

  it.each([
    ['https://app.example.com', 'host name'],
    ['app.example.com:443', 'host name'],
    ['app.example.com/', 'host name'],
    ['co.uk', 'public suffix'],
    ['*.com', 'public suffix'],
    ['', 'host name'],
    [7, 'host name'],
    [null, 'host name'],
    [undefined, 'host name'],
    [[], 'host name'],
    [['app.example.com'], 'host name'],
  ])('cannot be %j', async (domain, message) => {
    const { body } = await post({ action: 'create', domain }).expect(400);
    expect(body).toMatchObject({ success: false, code: 'BAD_REQUEST', reason: 'invalid_request' });
    expect(body.error).toContain(message);
  });

  it('change only the fields that are sent, from the next request on', async () => {
    const { domainID, domain } = await create('app.example.com');
    const from = (origin: string) =>
      gateway.http.get('/v1/rooms').set({ Authorization: owner.authorization, Origin: origin });
    await from('https://app.example.com').expect(200);
    const off = await post({ action: 'update', domainID, enabled: false }).expect(200);
    expect(off.body.domain).toMatchObject({ domainID, domain, enabled: false });
    await from('https://app.example.com').expect(403);
    await post({ action: 'update', domainID, enabled: true, domain: 'www.example.com' }).expect(200);
    await from('https://www.example.com').expect(200);
    await from('https://app.example.com').expect(403);
    await post({ action: 'update', domainID }).expect(200);
    await post({ action: 'delete', domainID }).expect(200);
    await from('https://www.example.com').expect(403);
  });

  it('can be deleted repeatedly', async () => {
    const { domainID } = await create('app.example.com');
    const first = await post({ action: 'delete', domainID }).expect(200);
    expect(first.body).toEqual({ success: true, deleted: true, domainID });
    expect((await post({ action: 'delete', domainID }).expect(200)).body).toEqual(first.body);
    await get({ domainID }).expect(404);
    await create('app.example.com');
  });

  it('are listed newest first, in pages', async () => {
    for (const name of ['a', 'b', 'c']) await create(`${name}.example.com`);
    const { body } = await get({ startIndex: 1, pageSize: 1 }).expect(200);
    expect(body).toMatchObject({ success: true, total: 3, startIndex: 1, pageSize: 1 });
    expect(body.domains.map((each: { domain: string }) => each.domain)).toEqual(['b.example.com']);
  });

  it('of another account are not found', async () => {
    const { domainID } = await create('app.example.com');
    const stranger = await gateway.makeAccount();
    const notFound = (await get({ domainID: `dom_${'0'.repeat(22)}` }).expect(404)).body;
    expect((await get({ domainID }, stranger).expect(404)).body).toEqual(notFound);
    for (const action of ['update', 'delete']) {
      expect((await post({ action, domainID }, stranger).expect(404)).body).toEqual(notFound);
    }
    expect((await get({}, stranger)).body).toMatchObject({ domains: [], total: 0 });
  });
});
