import { outcomeOf, ResourceClient } from '../../testing/resource-client.js';
import { startTestGateway, type TestAccount, type TestGateway } from '../../testing/start-test-gateway.js';

const whole = { nickName: 'notes', sttNickName: 'my stt', llmNickName: 'my llm', ttsNickName: 'my tts' };

describe('translation configs', () => {
  let gateway: TestGateway;
  let owner: TestAccount;
  let configs: ResourceClient;
  let credentials: ResourceClient;
  let settings: ResourceClient;
  let credentialIDs: Record<string, string>;

  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.close());

  beforeEach(async () => {
    owner = await gateway.makeAccount();
    configs = new ResourceClient(gateway, '/v1/translationconfigs', owner);
    credentials = new ResourceClient(gateway, '/v1/aicredentials', owner);
    settings = new ResourceClient(gateway, '/v1/eventssettings', owner);
    credentialIDs = await makeCredentials();
  });

  const makeCredentials = async (): Promise<Record<string, string>> => {
    const ids: Record<string, string> = {};
    for (const kind of ['stt', 'llm', 'tts']) {
      const { body } = await credentials.post('create', { nickName: `my ${kind}`, kind, provider: 'x', apiKey: 'key' });
      ids[kind] = body.aiCredential.aiCredentialID as string;
    }
    return ids;
  };
  const create = async (fields: object = {}) => {
    const { status, body } = await configs.post('create', { ...whole, ...fields });
    expect([status, body.error]).toEqual([201, undefined]);
    return body.translationConfig;
  };

  it('wire credentials together, with defaults for the rest', async () => {
    expect(await create()).toEqual({
      translationConfigID: expect.stringMatching(/^tcfg_[A-Za-z0-9]{22}$/),
      ...whole,
      spokenLanguages: [],
      listenLanguages: [],
      outputMode: 'audio',
      autoDetectSpokenLanguage: true,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  it('write languages in the usual way, each once', async () => {
    const fields = { spokenLanguages: ['EN-us', 'en-US', 'pt-br'], listenLanguages: ['zh-hant-tw'] };
    expect(await create(fields)).toMatchObject({
      spokenLanguages: ['en-US', 'pt-BR'],
      listenLanguages: ['zh-Hant-TW'],
      autoDetectSpokenLanguage: false,
    });
  });

  it('answer text where there is no voice', async () => {
    expect(await create({ ttsNickName: null })).toMatchObject({ ttsNickName: null, outputMode: 'text' });
  });

  it('are listed, changed and deleted', async () => {
    const first = await create();
    const { translationConfigID } = first;
    const second = await create({ nickName: 'other' });
    expect((await configs.get()).body).toMatchObject({ translationConfigs: [second, first], total: 2 });
    expect((await configs.get({ nickName: 'notes' })).body).toMatchObject({ translationConfigs: [first], total: 1 });
    const changed = await configs.post('update', { translationConfigID, outputMode: 'text', ttsNickName: null });
    expect(changed.body.translationConfig).toMatchObject({ nickName: 'notes', outputMode: 'text', ttsNickName: null });
    for (let time = 0; time < 2; time += 1) {
      const { body } = await configs.post('delete', { translationConfigID });
      expect(body).toEqual({ success: true, deleted: true, translationConfigID });
    }
    expect(outcomeOf(await configs.get({ translationConfigID }))).toEqual([404, 'not_found']);
  });

  const languagesRule = 'spokenLanguages must be a list of at most 64 languages such as en or pt-BR.';
  it.each<[string, object, string]>([
    ['no nickname', { nickName: '' }, 'nickName must be text of 1 to 64 characters.'],
    ['no speech recognition', { sttNickName: null }, 'sttNickName must be text of 1 to 64 characters.'],
    ['an unknown credential', { sttNickName: 'x' }, 'sttNickName must name one of your AI credentials of kind stt.'],
    [
      'a credential of another kind',
      { llmNickName: 'my tts' },
      'llmNickName must name one of your AI credentials of kind llm.',
    ],
    [
      'spoken output without a voice',
      { ttsNickName: null, outputMode: 'audio' },
      'ttsNickName is needed when outputMode is audio.',
    ],
    [
      'no language at all',
      { autoDetectSpokenLanguage: false },
      'spokenLanguages must name a language when autoDetectSpokenLanguage is false.',
    ],
    ['what is no language', { spokenLanguages: ['en_US'] }, languagesRule],
    ['a language that is none', { spokenLanguages: 'en' }, languagesRule],
    ['too many languages', { spokenLanguages: Array.from({ length: 65 }, () => 'en') }, languagesRule],
    ['an unknown output', { outputMode: 'video' }, 'outputMode must be one of: audio, text.'],
    ['detection as text', { autoDetectSpokenLanguage: 'no' }, 'autoDetectSpokenLanguage must be true or false.'],
  ])('refuse %s', async (_, fields, error) => {
    const { status, body } = await configs.post('create', { ...whole, ...fields });
    expect([status, body]).toEqual([400, { success: false, error, code: 'BAD_REQUEST', reason: 'invalid_request' }]);
  });

  it('see only the credentials of their own account', async () => {
    const other = configs.as(await gateway.makeAccount());
    expect(outcomeOf(await other.post('create', whole))).toEqual([400, 'invalid_request']);
    const { translationConfigID } = await create();
    for (const answer of [
      await other.get({ translationConfigID }),
      await other.post('update', { translationConfigID, outputMode: 'text' }),
      await other.post('delete', { translationConfigID }),
    ]) {
      expect(outcomeOf(answer)).toEqual([404, 'not_found']);
    }
  });

  it('refuse a nickname that is taken', async () => {
    await create();
    expect(outcomeOf(await configs.post('create', whole))).toEqual([409, 'name_taken']);
  });

  it('keep a credential from being deleted or becoming of another kind', async () => {
    const { translationConfigID } = await create();
    const aiCredentialID = credentialIDs['stt'];
    expect(outcomeOf(await credentials.post('delete', { aiCredentialID }))).toEqual([409, 'in_use']);
    expect(outcomeOf(await credentials.post('update', { aiCredentialID, kind: 'llm' }))).toEqual([409, 'in_use']);
    await configs.post('delete', { translationConfigID });
    expect((await credentials.post('update', { aiCredentialID, kind: 'llm' })).status).toBe(200);
    expect((await credentials.post('delete', { aiCredentialID })).status).toBe(200);
  });

  it('follow a credential to its new nickname', async () => {
    const { translationConfigID } = await create();
    await credentials.post('update', { aiCredentialID: credentialIDs['stt'], nickName: 'better ears' });
    const { body } = await configs.get({ translationConfigID });
    expect(body.translationConfig).toMatchObject({ sttNickName: 'better ears' });
  });

  describe('used by event settings with AI notes', () => {
    let translationConfigID: string;

    beforeEach(async () => {
      ({ translationConfigID } = await create());
      const fields = { type: 'conference', enableAiNotes: true, translationConfigNickName: 'notes' };
      await settings.post('create', fields);
    });

    it('can be neither deleted nor renamed', async () => {
      const { status, body } = await configs.post('delete', { translationConfigID });
      expect([status, body]).toEqual([
        409,
        {
          success: false,
          error: 'Event settings with AI notes use this translation config.',
          code: 'CONFLICT',
          reason: 'in_use',
        },
      ]);
      expect(outcomeOf(await configs.post('update', { translationConfigID, nickName: 'x' }))).toEqual([409, 'in_use']);
      expect((await configs.post('update', { translationConfigID, nickName: 'notes' })).status).toBe(200);
    });

    it('can be deleted when the notes are disabled', async () => {
      await settings.post('update', { type: 'conference', enableAiNotes: false });
      expect((await configs.post('delete', { translationConfigID })).status).toBe(200);
    });
  });

  it('are either deleted or used after concurrent requests for both', async () => {
    const { translationConfigID } = await create();
    const fields = { type: 'webinar', enableAiNotes: true, translationConfigNickName: 'notes' };
    const [deleted, used] = await Promise.all([
      configs.post('delete', { translationConfigID }),
      settings.post('create', fields),
    ]);
    expect([
      [200, 400],
      [409, 201],
    ]).toContainEqual([deleted.status, used.status]);
  });
});
