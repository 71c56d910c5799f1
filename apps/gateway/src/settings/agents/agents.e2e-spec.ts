import { importAgent } from '@rtms/agent-import';
import { outcomeOf, ResourceClient } from '../../testing/resource-client.js';
import { startTestGateway, type TestAccount, type TestGateway } from '../../testing/start-test-gateway.js';

describe('agents', () => {
  let gateway: TestGateway;
  let owner: TestAccount;
  let agents: ResourceClient;

  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.close());

  beforeEach(async () => {
    owner = await gateway.makeAccount();
    agents = new ResourceClient(gateway, '/v1/agents', owner);
  });

  const create = async (fields: object = {}) => {
    const { status, body } = await agents.post('create', { name: 'Ada', ...fields });
    expect([status, body.error]).toEqual([201, undefined]);
    return body.agent;
  };

  it('have defaults for all fields except the name', async () => {
    expect(await create()).toEqual({
      agentID: expect.stringMatching(/^agent_[A-Za-z0-9]{22}$/),
      name: 'Ada',
      role: 'Ada',
      instructions: '',
      firstMessage: null,
      speaksFirst: true,
      temperature: 0.7,
      responseGuidelines: null,
      maxSessionMinutes: 30,
      webhookUrl: null,
      todo: [],
      reference: { provider: null, model: null, voice: null, transcriber: null, language: null },
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  it('store every field', async () => {
    const fields = {
      role: 'Receptionist',
      instructions: 'Be kind to {name}.',
      firstMessage: 'Hello {name}',
      speaksFirst: false,
      temperature: 0,
      responseGuidelines: 'Close with thanks.',
      maxSessionMinutes: 120,
      webhookUrl: 'https://app.example/hooks',
      todo: ['Set the transfer on the number.'],
      reference: { provider: 'openai', model: 'gpt-4o', voice: 'alloy', transcriber: 'nova-3', language: 'en-US' },
    };
    expect(await create(fields)).toMatchObject(fields);
  });

  it('accept the result of the importer', async () => {
    const messages = [{ role: 'system', content: 'Answer {{caller}}.' }];
    const model = { provider: 'openai', model: 'gpt-4o', temperature: 2, messages, toolIds: ['t-1'] };
    const result = importAgent(JSON.stringify({ name: 'Desk', model, server: { url: 'https://app.example/hooks' } }));
    const { agent } = result as Extract<typeof result, { ok: true }>;
    expect(await create(agent)).toMatchObject({ ...agent, instructions: 'Answer {caller}.', temperature: 1 });
  });

  it('count instructions in whole characters', async () => {
    const instructions = '🙂'.repeat(4096);
    expect(await create({ instructions })).toMatchObject({ instructions });
    const { body } = await agents.post('create', { name: 'Ada', instructions: `${instructions}!` });
    expect(body).toMatchObject({ error: 'instructions must be text of at most 4096 characters.' });
  });

  it('are listed, changed and deleted', async () => {
    const first = await create({ webhookUrl: 'https://app.example' });
    const { agentID } = first;
    const second = await create({ name: 'Grace' });
    expect((await agents.get()).body).toMatchObject({ agents: [second, first], total: 2 });
    expect((await agents.get({ name: 'Grace' })).body).toMatchObject({ agents: [second], total: 1 });
    const { body } = await agents.post('update', { agentID, temperature: 1, webhookUrl: null, todo: ['a'] });
    const updatedAt = expect.any(String) as unknown;
    expect(body.agent).toEqual({ ...first, temperature: 1, webhookUrl: null, todo: ['a'], updatedAt });
    for (let time = 0; time < 2; time += 1) {
      expect((await agents.post('delete', { agentID })).body).toEqual({ success: true, deleted: true, agentID });
    }
    expect(outcomeOf(await agents.get({ agentID }))).toEqual([404, 'not_found']);
  });

  it('are no business of another account', async () => {
    const { agentID } = await create();
    const stranger = agents.as(await gateway.makeAccount());
    for (const answer of [
      await stranger.get({ agentID }),
      await stranger.post('update', { agentID, name: 'x' }),
      await stranger.post('delete', { agentID }),
    ]) {
      expect(outcomeOf(answer)).toEqual([404, 'not_found']);
    }
  });

  const todoRule = 'todo must be a list of at most 100 texts of 1 to 512 characters.';
  const temperatureRule = 'temperature must be a number from 0 to 1.';
  const minutesRule = 'maxSessionMinutes must be a whole number of minutes from 1 to 120.';
  it.each<[string, object, string]>([
    ['no name', { name: undefined }, 'name must be text of 1 to 128 characters.'],
    ['much heat', { temperature: 1.01 }, temperatureRule],
    ['cold', { temperature: -0.1 }, temperatureRule],
    ['heat as text', { temperature: '0.5' }, temperatureRule],
    ['no time', { maxSessionMinutes: 0 }, minutesRule],
    ['much time', { maxSessionMinutes: 121 }, minutesRule],
    ['half a minute', { maxSessionMinutes: 1.5 }, minutesRule],
    [
      'a hook without https',
      { webhookUrl: 'http://app.example' },
      'webhookUrl must be an https address of at most 2048 characters, without a password.',
    ],
    ['things to do that are no list', { todo: 'call' }, todoRule],
    ['too many things to do', { todo: Array.from({ length: 101 }, () => 'x') }, todoRule],
    ['a thing to do that is no text', { todo: [7] }, todoRule],
    ['a reference that is a list', { reference: [] }, 'reference must be an object.'],
    ['a reference that is text', { reference: 'x' }, 'reference must be an object.'],
    ['a long voice', { reference: { voice: 'x'.repeat(129) } }, 'voice must be text of 1 to 128 characters.'],
  ])('refuse %s', async (_, fields, error) => {
    const { status, body } = await agents.post('create', { name: 'Ada', ...fields });
    expect([status, body]).toEqual([400, { success: false, error, code: 'BAD_REQUEST', reason: 'invalid_request' }]);
  });

  it('name unknown fields of the reference', async () => {
    const { body } = await agents.post('create', { name: 'Ada', reference: { colour: 'red' } });
    expect(body).toMatchObject({ reason: 'unknown_field', error: 'Unknown field: colour.' });
  });
});
