import { outcomeOf, ResourceClient } from '../../testing/resource-client.js';
import { startTestGateway, type TestAccount, type TestGateway } from '../../testing/start-test-gateway.js';

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const whole = { nickName: 'ears', kind: 'stt', provider: 'deepgram', apiKey: 'dg-0123456789abcdef-wxyz' };

describe('AI credentials', () => {
  let gateway: TestGateway;
  let owner: TestAccount;
  let credentials: ResourceClient;

  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.close());

  beforeEach(async () => {
    owner = await gateway.makeAccount();
    credentials = new ResourceClient(gateway, '/v1/aicredentials', owner);
  });

  const create = async (fields: object = {}) => {
    const { status, body } = await credentials.post('create', { ...whole, ...fields });
    expect(status).toBe(201);
    return body.aiCredential;
  };

  it('are answered with a masked key', async () => {
    expect(await create()).toEqual({
      aiCredentialID: expect.stringMatching(/^cred_[A-Za-z0-9]{22}$/),
      nickName: 'ears',
      kind: 'stt',
      provider: 'deepgram',
      model: null,
      maskedApiKey: '********wxyz',
      baseUrl: null,
      options: {},
      createdAt: expect.stringMatching(rfc3339),
      updatedAt: expect.stringMatching(rfc3339),
    });
  });

  it('show no character of a short key', async () => {
    expect(await create({ apiKey: 'short' })).toMatchObject({ maskedApiKey: '********' });
  });

  it('store every field', async () => {
    const fields = {
      model: 'nova-3',
      baseUrl: 'https://stt.example/v1',
      options: { toString: 1, deep: { list: [1] } },
    };
    expect(await create(fields)).toMatchObject(fields);
  });

  it('are found by identifier, nickname and kind, newest first', async () => {
    const ears = await create();
    const voice = await create({ nickName: 'voice', kind: 'tts' });
    expect((await credentials.get({ aiCredentialID: ears.aiCredentialID })).body).toEqual({
      success: true,
      aiCredential: ears,
    });
    expect((await credentials.get()).body).toEqual({
      success: true,
      aiCredentials: [voice, ears],
      total: 2,
      startIndex: 0,
      pageSize: 20,
    });
    expect((await credentials.get({ nickName: 'ears' })).body).toMatchObject({ aiCredentials: [ears], total: 1 });
    expect((await credentials.get({ kind: 'tts' })).body).toMatchObject({ aiCredentials: [voice], total: 1 });
    expect((await credentials.get({ startIndex: 1, pageSize: 1 })).body).toMatchObject({ aiCredentials: [ears] });
  });

  it('change only the fields that are sent', async () => {
    const before = await create({ model: 'nova-3', baseUrl: 'https://stt.example', options: { a: 1 } });
    const { aiCredentialID } = before;
    const { body } = await credentials.post('update', { aiCredentialID, model: null, provider: 'other' });
    const updatedAt = expect.stringMatching(rfc3339) as unknown;
    expect(body.aiCredential).toEqual({ ...before, model: null, provider: 'other', updatedAt });
    const renewed = await credentials.post('update', { aiCredentialID, apiKey: 'dg-another-key-of-some-length' });
    expect(renewed.body.aiCredential).toMatchObject({ maskedApiKey: '********ngth', options: { a: 1 } });
  });

  it('need the key again with a new host', async () => {
    const { aiCredentialID } = await create({ baseUrl: 'https://stt.example/v1' });
    const change = async (fields: object) => {
      const { status, body } = await credentials.post('update', { aiCredentialID, ...fields });
      return status === 200 ? body.aiCredential.baseUrl : [status, body.reason, body.error];
    };
    const refusal =
      'Send the apiKey too when the baseUrl has another host. The service sends no stored key to a new host.';
    for (const baseUrl of [
      'https://elsewhere.example/v1',
      'https://stt.example:8443/v1',
      'https://a.stt.example',
      null,
    ]) {
      expect(await change({ baseUrl })).toEqual([400, 'invalid_request', refusal]);
    }
    expect(await change({ provider: 'other', baseUrl: 'https://STT.example/v2' })).toBe('https://STT.example/v2');
    const apiKey = 'dg-another-key-of-some-length';
    expect(await change({ baseUrl: 'https://elsewhere.example', apiKey })).toBe('https://elsewhere.example');
    expect(await change({ baseUrl: null, apiKey })).toBeNull();
    expect(await change({ baseUrl: 'https://stt.example' })).toEqual([400, 'invalid_request', refusal]);
  });

  it('can be deleted twice', async () => {
    const { aiCredentialID } = await create();
    const answer = { success: true, deleted: true, aiCredentialID };
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await credentials.post('delete', { aiCredentialID });
      expect([status, body]).toEqual([200, answer]);
    }
    expect(outcomeOf(await credentials.get({ aiCredentialID }))).toEqual([404, 'not_found']);
    await create();
  });

  it('have unique nicknames in an account', async () => {
    const { aiCredentialID } = await create();
    expect(outcomeOf(await credentials.post('create', whole))).toEqual([409, 'name_taken']);
    const other = await create({ nickName: 'other' });
    const rename = { aiCredentialID: other.aiCredentialID, nickName: 'ears' };
    expect(outcomeOf(await credentials.post('update', rename))).toEqual([409, 'name_taken']);
    expect((await credentials.as(await gateway.makeAccount()).post('create', whole)).status).toBe(201);
    expect((await credentials.post('update', { aiCredentialID, nickName: 'ears' })).status).toBe(200);
  });

  it('accept one of many concurrent requests for a nickname', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => credentials.post('create', whole)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  it('are invisible to other accounts', async () => {
    const { aiCredentialID } = await create();
    const stranger = credentials.as(await gateway.makeAccount());
    const unknown = await stranger.get({ aiCredentialID: 'cred_unknown' });
    for (const answer of [
      await stranger.get({ aiCredentialID }),
      await stranger.post('update', { aiCredentialID, model: 'x' }),
      await stranger.post('delete', { aiCredentialID }),
    ]) {
      expect([answer.status, answer.body]).toEqual([404, unknown.body]);
    }
    expect((await stranger.get()).body).toMatchObject({ total: 0 });
  });

  const nickRule = 'nickName must be text of 1 to 64 characters.';
  const optionsRule = 'options must be an object of at most 4 KiB.';
  const urlRule = 'baseUrl must be an https address of at most 2048 characters, without a password.';
  it.each<[string, object, string]>([
    ['no nickname', { nickName: undefined }, nickRule],
    ['a blank nickname', { nickName: ' ' }, nickRule],
    ['a long nickname', { nickName: 'x'.repeat(65) }, nickRule],
    ['a nickname of characters that count as none', { nickName: `a${'\uFE0F'.repeat(64)}` }, nickRule],
    ['an unknown kind', { kind: 'llms' }, 'kind must be one of: stt, llm, tts, realtime.'],
    ['no provider', { provider: null }, 'provider must be text of 1 to 64 characters.'],
    ['an empty key', { apiKey: '' }, 'apiKey must be text of 1 to 4096 characters.'],
    ['no key', { apiKey: undefined }, 'apiKey must be text of 1 to 4096 characters.'],
    ['a long key', { apiKey: 'x'.repeat(4097) }, 'apiKey must be text of 1 to 4096 characters.'],
    ['a model that is a list', { model: [] }, 'model must be text of 1 to 128 characters.'],
    ['an address without https', { baseUrl: 'http://stt.example' }, urlRule],
    ['an address with a password', { baseUrl: 'https://a:b@stt.example' }, urlRule],
    ['options that are a list', { options: [] }, optionsRule],
    ['many options', { options: { x: 'é'.repeat(2048) } }, optionsRule],
  ])('refuse %s', async (_, fields, error) => {
    const { status, body } = await credentials.post('create', { ...whole, ...fields });
    expect([status, body]).toEqual([400, { success: false, error, code: 'BAD_REQUEST', reason: 'invalid_request' }]);
  });

  it('need their identifier for a change', async () => {
    const error = 'aiCredentialID must be the identifier of an AI credential.';
    for (const action of ['update', 'delete']) {
      expect((await credentials.post(action, {})).body).toMatchObject({ code: 'BAD_REQUEST', error });
    }
  });
});
