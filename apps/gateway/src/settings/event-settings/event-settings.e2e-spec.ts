import { startTestGateway, type TestAccount, type TestGateway } from '../../testing/start-test-gateway.js';

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('event settings over HTTP', () => {
  let gateway: TestGateway;
  let owner: TestAccount;

  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway?.close());
  beforeEach(async () => {
    owner = await gateway.makeAccount();
  });

  const post = (body: object, account = owner, resource = 'eventssettings') =>
    gateway.http.post(`/v1/${resource}`).set('Authorization', account.authorization).send(body);
  const get = (query: object = {}, account = owner) =>
    gateway.http.get('/v1/eventssettings').set('Authorization', account.authorization).query(query);
  const create = async (fields: object = {}, account = owner): Promise<Record<string, unknown>> => {
    const { body } = await post({ action: 'create', ...fields }, account).expect(201);
    return body.eventsSetting as Record<string, unknown>;
  };
  const createRoom = async (fields: object = {}): Promise<{ meetingID: string; [field: string]: unknown }> => {
    const { body } = await post({ action: 'create', userName: 'Ada', ...fields }, owner, 'rooms').expect(201);
    return body.room as { meetingID: string };
  };
  const addTranslationConfig = async (nickName: string) => {
    for (const kind of ['stt', 'llm']) {
      const credential = { nickName: kind, kind, provider: 'example', model: 'one', apiKey: 'key-of-a-provider' };
      await post({ action: 'create', ...credential }, owner, 'aicredentials').expect(201);
    }
    const config = { nickName, sttNickName: 'stt', llmNickName: 'llm' };
    const { body } = await post({ action: 'create', ...config }, owner, 'translationconfigs').expect(201);
    return body.translationConfig as { translationConfigID: string };
  };

  describe('create', () => {
    it('answers a record with defaults', async () => {
      const { body } = await post({ action: 'create' }).expect(201);
      expect(body).toEqual({
        success: true,
        eventsSetting: {
          eventsSettingID: expect.stringMatching(/^eset_[A-Za-z0-9]{16,}$/),
          type: 'conference',
          audioSetting: 'allow',
          videoSetting: 'allow',
          screenshareSetting: 'allow',
          chatSetting: 'allow',
          targetResolution: 'hd',
          addCoHost: false,
          enableAiNotes: false,
          translationConfigNickName: null,
          createdAt: expect.stringMatching(rfc3339),
          updatedAt: expect.stringMatching(rfc3339),
        },
      });
    });

    it('stores every field', async () => {
      const fields = {
        type: 'webinar',
        audioSetting: 'approval',
        videoSetting: 'disallow',
        screenshareSetting: 'approval',
        chatSetting: 'disallow',
        targetResolution: 'QnHD',
        addCoHost: true,
        translationConfigNickName: 'notes',
      };
      expect(await create(fields)).toMatchObject(fields);
    });

    it.each<[object, string]>([
      [{ type: 'party' }, 'type must be one of: conference, webinar, broadcast, chat.'],
      [{ audioSetting: 'maybe' }, 'audioSetting must be one of: allow, approval, disallow.'],
      [{ videoSetting: 1 }, 'videoSetting must be one of: allow, approval, disallow.'],
      [{ screenshareSetting: '' }, 'screenshareSetting must be one of: allow, approval, disallow.'],
      [{ chatSetting: 'approval' }, 'chatSetting must be one of: allow, disallow.'],
      [{ targetResolution: '4k' }, 'targetResolution must be one of: sd, hd, fhd, qhd, QnHD.'],
      [{ addCoHost: 'true' }, 'addCoHost must be true or false.'],
      [{ enableAiNotes: 1 }, 'enableAiNotes must be true or false.'],
      [{ translationConfigNickName: '' }, 'translationConfigNickName must be text of 1 to 64 characters.'],
      [{ enableAiNotes: true }, 'translationConfigNickName is required when enableAiNotes is true.'],
      [
        { enableAiNotes: true, translationConfigNickName: 'unknown' },
        'translationConfigNickName must name one of your translation configs.',
      ],
    ])('refuses %j', async (fields, error) => {
      const { body } = await post({ action: 'create', ...fields }).expect(400);
      expect(body).toEqual({ success: false, error, code: 'BAD_REQUEST', reason: 'invalid_request' });
      expect((await get()).body.total).toBe(0);
    });

    it('accepts one record of each type', async () => {
      await create({ type: 'chat' });
      await create({ type: 'webinar' });
      const { body } = await post({ action: 'create', type: 'chat' }).expect(409);
      expect(body).toMatchObject({ code: 'CONFLICT', reason: 'already_exists' });
    });

    it('accepts one of many concurrent requests for a type', async () => {
      const asked = Array.from({ length: 8 }, () => post({ action: 'create', type: 'chat' }));
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      expect(statuses.sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
    });
  });

  describe('update', () => {
    it('changes only the fields that are sent', async () => {
      const { updatedAt, ...record } = await create({ type: 'chat', addCoHost: true });
      const { eventsSettingID } = record;
      const { body } = await post({ action: 'update', eventsSettingID, videoSetting: 'disallow' }).expect(200);
      expect(body.eventsSetting).toMatchObject({ ...record, videoSetting: 'disallow' });
      expect(Date.parse(body.eventsSetting.updatedAt as string)).toBeGreaterThanOrEqual(
        Date.parse(updatedAt as string),
      );
      expect((await get({ eventsSettingID }).expect(200)).body.eventsSetting).toEqual(body.eventsSetting);
    });

    it('finds the record by its type', async () => {
      await create({ type: 'webinar' });
      const { eventsSettingID } = await create({ type: 'chat' });
      const { body } = await post({ action: 'update', type: 'chat', chatSetting: 'disallow' }).expect(200);
      expect(body.eventsSetting).toMatchObject({ eventsSettingID, type: 'chat', chatSetting: 'disallow' });
    });

    it('changes the only record when none is named', async () => {
      await create({ type: 'webinar' });
      const { body } = await post({ action: 'update', addCoHost: true }).expect(200);
      expect(body.eventsSetting).toMatchObject({ type: 'webinar', addCoHost: true });
    });

    it.each([[[]], [['chat', 'webinar']]])('asks for a name when there are %j', async types => {
      for (const type of types) await create({ type });
      const { body } = await post({ action: 'update', addCoHost: true }).expect(400);
      expect(body.error).toBe('Name the event settings to change by type or by eventsSettingID.');
    });

    it('changes the type of a record with an identifier, unless the type exists', async () => {
      const { eventsSettingID } = await create({ type: 'chat' });
      await create({ type: 'webinar' });
      const { body } = await post({ action: 'update', eventsSettingID, type: 'broadcast' }).expect(200);
      expect(body.eventsSetting).toMatchObject({ eventsSettingID, type: 'broadcast' });
      const taken = await post({ action: 'update', eventsSettingID, type: 'webinar' }).expect(409);
      expect(taken.body).toMatchObject({ code: 'CONFLICT', reason: 'already_exists' });
    });

    it('applies both of two concurrent updates', async () => {
      await create();
      await Promise.all([
        post({ action: 'update', addCoHost: true }).expect(200),
        post({ action: 'update', audioSetting: 'disallow' }).expect(200),
      ]);
      expect((await get()).body.eventsSettings).toMatchObject([{ addCoHost: true, audioSetting: 'disallow' }]);
    });
  });

  describe('AI notes', () => {
    it('need an existing translation config when either field is sent', async () => {
      await addTranslationConfig('notes');
      const { eventsSettingID } = await create({ enableAiNotes: true, translationConfigNickName: 'notes' });
      await post({ action: 'update', translationConfigNickName: null }).expect(400);
      await post({ action: 'update', translationConfigNickName: 'others' }).expect(400);
      await post({ action: 'update', enableAiNotes: false, translationConfigNickName: null }).expect(200);
      await post({ action: 'update', enableAiNotes: true }).expect(400);
      const { body } = await get({ eventsSettingID }).expect(200);
      expect(body.eventsSetting).toMatchObject({ enableAiNotes: false, translationConfigNickName: null });
    });

    it('prevent the deletion of their translation config', async () => {
      const { translationConfigID } = await addTranslationConfig('notes');
      await create({ enableAiNotes: true, translationConfigNickName: 'notes' });
      const remove = { action: 'delete', translationConfigID };
      const refused = await post(remove, owner, 'translationconfigs').expect(409);
      expect(refused.body).toMatchObject({ code: 'CONFLICT', reason: 'in_use' });
      await post({ action: 'update', enableAiNotes: false }).expect(200);
      await post(remove, owner, 'translationconfigs').expect(200);
    });

    it('cannot use translation configs of other accounts', async () => {
      await addTranslationConfig('notes');
      const wanted = { action: 'create', enableAiNotes: true, translationConfigNickName: 'notes' };
      await post(wanted, await gateway.makeAccount()).expect(400);
    });
  });

  describe('get', () => {
    it('lists the newest first, in pages with a total', async () => {
      for (const type of ['chat', 'webinar', 'broadcast']) await create({ type });
      const { body } = await get({ startIndex: 1, pageSize: 1 }).expect(200);
      expect(body).toMatchObject({ success: true, total: 3, startIndex: 1, pageSize: 1 });
      expect(body.eventsSettings).toMatchObject([{ type: 'webinar' }]);
    });

    it('filters by type', async () => {
      for (const type of ['chat', 'webinar']) await create({ type });
      const { body } = await get({ type: 'chat' }).expect(200);
      expect(body).toMatchObject({ total: 1, eventsSettings: [{ type: 'chat' }] });
    });

    it.each([{ pageSize: 101 }, { pageSize: 0 }, { startIndex: -1 }, { type: 'party' }])('refuses %j', async query => {
      expect((await get(query).expect(400)).body).toMatchObject({ code: 'BAD_REQUEST', reason: 'invalid_request' });
    });
  });

  describe('delete', () => {
    it('can be repeated', async () => {
      const { eventsSettingID } = await create();
      const expected = { success: true, deleted: true, eventsSettingID };
      expect((await post({ action: 'delete', eventsSettingID }).expect(200)).body).toEqual(expected);
      expect((await post({ action: 'delete', eventsSettingID }).expect(200)).body).toEqual(expected);
      await get({ eventsSettingID }).expect(404);
      await create();
    });

    it('accepts the type instead of the identifier', async () => {
      await create({ type: 'chat' });
      const expected = { success: true, deleted: true, type: 'chat' };
      expect((await post({ action: 'delete', type: 'chat' }).expect(200)).body).toEqual(expected);
      expect((await post({ action: 'delete', type: 'chat' }).expect(200)).body).toEqual(expected);
      expect((await get()).body.total).toBe(0);
    });

    it('asks for a name', async () => {
      const { body } = await post({ action: 'delete' }).expect(400);
      expect(body.error).toBe('Name the event settings by eventsSettingID or by type.');
    });
  });

  describe('tenancy', () => {
    it('gives the same answer for a foreign and an unknown record', async () => {
      const stranger = await gateway.makeAccount();
      const record = await create();
      const unknown = `eset_${'0'.repeat(22)}`;
      const answers = await Promise.all(
        [record['eventsSettingID'], unknown].flatMap(eventsSettingID => [
          get({ eventsSettingID }, stranger),
          post({ action: 'update', eventsSettingID, addCoHost: true }, stranger),
          post({ action: 'delete', eventsSettingID }, stranger),
        ]),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      expect((await get({}, stranger)).body).toMatchObject({ eventsSettings: [], total: 0 });
      expect((await get({ eventsSettingID: record['eventsSettingID'] }).expect(200)).body.eventsSetting).toEqual(
        record,
      );
    });
  });

  describe('rooms', () => {
    it('copy the settings in force for their type, and keep them', async () => {
      await create({ type: 'webinar', videoSetting: 'approval', addCoHost: true });
      const { meetingID, settings } = await createRoom({ eventType: 'webinar' });
      expect(settings).toEqual({
        type: 'webinar',
        audioSetting: 'allow',
        videoSetting: 'approval',
        screenshareSetting: 'allow',
        chatSetting: 'allow',
        targetResolution: 'hd',
        addCoHost: true,
        enableAiNotes: false,
        translationConfigNickName: null,
      });
      await post({ action: 'update', type: 'webinar', videoSetting: 'disallow' }).expect(200);
      const { body } = await gateway.http
        .get('/v1/rooms')
        .set('Authorization', owner.authorization)
        .query({ meetingID })
        .expect(200);
      expect(body.room.settings).toEqual(settings);
      expect(await createRoom({ eventType: 'webinar' })).toMatchObject({ settings: { videoSetting: 'disallow' } });
    });

    it('have the type of the account’s settings', async () => {
      await create({ type: 'broadcast', chatSetting: 'disallow' });
      expect(await createRoom()).toMatchObject({ eventType: 'broadcast', settings: { chatSetting: 'disallow' } });
      expect(await createRoom({ eventType: 'chat' })).toMatchObject({
        eventType: 'chat',
        settings: { type: 'chat', chatSetting: 'allow' },
      });
    });
  });
});
