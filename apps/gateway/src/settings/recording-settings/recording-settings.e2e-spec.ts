import { startTestGateway, type TestAccount, type TestGateway } from '../../testing/start-test-gateway.js';

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('recording settings over HTTP', () => {
  let gateway: TestGateway;
  let owner: TestAccount;

  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway?.close());
  beforeEach(async () => {
    owner = await gateway.makeAccount();
  });

  const post = (body: object, account = owner) =>
    gateway.http.post('/v1/recordingsettings').set('Authorization', account.authorization).send(body);
  const get = (query: object = {}, account = owner) =>
    gateway.http.get('/v1/recordingsettings').set('Authorization', account.authorization).query(query);
  const create = async (fields: object = {}): Promise<Record<string, unknown>> => {
    const { body } = await post({ action: 'create', ...fields }).expect(201);
    return body.recordingSetting as Record<string, unknown>;
  };

  it('have defaults', async () => {
    const { body } = await post({ action: 'create' }).expect(201);
    expect(body).toEqual({
      success: true,
      recordingSetting: {
        recordingSettingID: expect.stringMatching(/^rset_[A-Za-z0-9]{16,}$/),
        mediaOptions: 'video',
        audioOptions: 'all',
        videoOptions: 'all',
        videoType: 'fullDisplay',
        videoOptimized: false,
        recordingDisplayType: 'all',
        addHLS: false,
        nameTags: true,
        backgroundColor: '#000000',
        nameTagsColor: '#ffffff',
        orientation: 'landscape',
        maxDurationSeconds: 86400,
        pausesLimit: 10,
        retentionDays: 30,
        createdAt: expect.stringMatching(rfc3339),
        updatedAt: expect.stringMatching(rfc3339),
      },
    });
  });

  it('store every field', async () => {
    const fields = {
      mediaOptions: 'audio',
      audioOptions: 'onScreen',
      videoOptions: 'mainScreen',
      videoType: 'bestDisplay',
      videoOptimized: true,
      recordingDisplayType: 'media',
      addHLS: true,
      nameTags: false,
      backgroundColor: '#1a2B3c',
      nameTagsColor: '#000001',
      orientation: 'portrait',
      maxDurationSeconds: 60,
      pausesLimit: 0,
      retentionDays: 3650,
    };
    expect(await create(fields)).toMatchObject(fields);
    expect((await get()).body.recordingSettings).toMatchObject([fields]);
  });

  it.each<[object, string]>([
    [{ mediaOptions: 'text' }, 'mediaOptions must be one of: video, audio.'],
    [{ audioOptions: ['all'] }, 'audioOptions must be one of: all, onScreen, host.'],
    [{ videoOptions: '' }, 'videoOptions must be one of: all, mainScreen.'],
    [{ videoType: 'best' }, 'videoType must be one of: fullDisplay, bestDisplay, all.'],
    [{ videoOptimized: 'no' }, 'videoOptimized must be true or false.'],
    [{ recordingDisplayType: 1 }, 'recordingDisplayType must be one of: video, media, all.'],
    [{ addHLS: 0 }, 'addHLS must be true or false.'],
    [{ nameTags: {} }, 'nameTags must be true or false.'],
    [{ backgroundColor: 'red' }, 'backgroundColor must be a colour such as #1a2b3c.'],
    [{ backgroundColor: '#12345g' }, 'backgroundColor must be a colour such as #1a2b3c.'],
    [{ nameTagsColor: '#123456\n' }, 'nameTagsColor must be a colour such as #1a2b3c.'],
    [{ orientation: 'square' }, 'orientation must be one of: landscape, portrait, all.'],
    [{ maxDurationSeconds: 59 }, 'maxDurationSeconds must be a whole number of seconds from 60 to 86400.'],
    [{ maxDurationSeconds: 86401 }, 'maxDurationSeconds must be a whole number of seconds from 60 to 86400.'],
    [{ pausesLimit: -1 }, 'pausesLimit must be a whole number of pauses from 0 to 100.'],
    [{ pausesLimit: 0.5 }, 'pausesLimit must be a whole number of pauses from 0 to 100.'],
    [{ retentionDays: 0 }, 'retentionDays must be a whole number of days from 1 to 3650.'],
    [{ retentionDays: 3651 }, 'retentionDays must be a whole number of days from 1 to 3650.'],
  ])('refuse %j', async (fields, error) => {
    const { body } = await post({ action: 'create', ...fields }).expect(400);
    expect(body).toEqual({ success: false, error, code: 'BAD_REQUEST', reason: 'invalid_request' });
    expect((await get()).body.total).toBe(0);
  });

  it('are one record for each account, also after concurrent requests', async () => {
    const asked = Array.from({ length: 8 }, () => post({ action: 'create' }));
    const answers = await Promise.all(asked);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'CONFLICT',
      reason: 'already_exists',
    });
  });

  it('change only the fields that are sent', async () => {
    const { updatedAt: _, ...record } = await create({ addHLS: true });
    const { body } = await post({ action: 'update', retentionDays: 7, addHLS: null }).expect(200);
    expect(body.recordingSetting).toMatchObject({ ...record, retentionDays: 7 });
    const { recordingSettingID } = record;
    const named = await post({ action: 'update', recordingSettingID, pausesLimit: 3 }).expect(200);
    expect(named.body.recordingSetting).toMatchObject({ retentionDays: 7, pausesLimit: 3 });
    expect((await get({ recordingSettingID }).expect(200)).body).toEqual(named.body);
  });

  it('are listed as one record or none', async () => {
    await post({ action: 'update', retentionDays: 7 }).expect(404);
    expect((await get()).body).toEqual({
      success: true,
      recordingSettings: [],
      total: 0,
      startIndex: 0,
      pageSize: 20,
    });
  });

  it('cannot be deleted', async () => {
    const { body } = await post({ action: 'delete' }).expect(400);
    expect(body).toMatchObject({ reason: 'unknown_action' });
  });

  it('are invisible to other accounts', async () => {
    const stranger = await gateway.makeAccount();
    const { recordingSettingID } = await create();
    const unknown = `rset_${'0'.repeat(22)}`;
    const answers = await Promise.all(
      [recordingSettingID, unknown].flatMap(id => [
        get({ recordingSettingID: id }, stranger),
        post({ action: 'update', recordingSettingID: id, addHLS: true }, stranger),
      ]),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect((await get({}, stranger)).body.total).toBe(0);
  });
});
