import { importAgent } from '../import-agent.js';
import { findCredentials, isCredentialName } from './credentials.js';
import { assistant, importedA, importedB, notesOf, secretFields } from '../testing/definitions.js';

/** Fields with credentials beside other fields. Their names alone do not decide. */
const containers = ['headers', 'key'];

describe('secrets of a definition', () => {
  it('are removed from a prompt that repeats them, with a note of the line and the beginning', () => {
    const secret = '9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c';
    const messages = [{ role: 'system', content: `You help.\n\nThe key is ${secret}.` }];
    const found = importedA({ server: { url: 'https://h.example', secret } }, { messages });
    expect(found.agent.instructions).toBe('You help.\n\nThe key is [removed].');
    expect(found.notes).toEqual([
      {
        severity: 'warning',
        code: 'credential_removed',
        path: 'model.messages[0].content',
        values: { line: 3, excerpt: '9f8a…' },
      },
      {
        severity: 'information',
        code: 'credentials_ignored',
        path: '',
        values: { paths: ['server.secret'], more: 0 },
      },
    ]);
    expect(notesOf(found)).toEqual([
      'warning: model.messages[0].content: A credential was removed from line 3: “9f8a…”. Write it again if it is not a credential.',
      'information: Credentials were ignored: server.secret. Connect providers with AI credentials.',
    ]);
  });

  it('that may be words are kept in a prompt that repeats them, with a note', () => {
    const secret = 'correct-horse-42';
    const messages = [{ role: 'system', content: `The key is ${secret}.` }];
    const found = importedA({ server: { url: 'https://h.example', secret } }, { messages });
    expect(found.agent.instructions).toBe(`The key is ${secret}.`);
    expect(notesOf(found)).toContain(
      'warning: model.messages[0].content: This text repeats the value of a credential. Remove it if it is secret.',
    );
  });

  it('are noted only if they would have reached the agent', () => {
    const found = importedA({ _comment: 'sk-7f3Kq9Zt2LmX8vB4nC6wR1yD5hG0jS' });
    expect(found.notes).toEqual([]);
  });

  it('are named by at most twenty paths', () => {
    const server = Object.fromEntries(Array.from({ length: 23 }, (_, index) => [`s${index}_secret`, 'x']));
    const { notes } = importedA({ server: { url: 'https://h.example', server } });
    const note = notes.find(({ code }) => code === 'credentials_ignored');
    expect(note?.values).toMatchObject({ paths: { length: 20 }, more: 3 });
  });

  it('are refused above the importer’s limit', () => {
    const withSecrets = (count: number) => {
      const secrets = Array.from({ length: count }, (_, index) => `a1b2c3d4e5f6a7b8c9d0e1${1000 + index}`);
      return importAgent(JSON.stringify({ ...assistant, credentials: secrets }));
    };
    expect(withSecrets(200).ok).toBe(true);
    expect(withSecrets(201)).toEqual({ ok: false, code: 'too_many_credentials', values: { limit: 200 } });
  });

  it('count towards the limit also if they may be words', () => {
    const secrets = Array.from({ length: 201 }, (_, index) =>
      index % 2 === 0 ? `a1b2c3d4e5f6a7b8c9d0e1${1000 + index}` : `password-${index}`,
    );
    expect(importAgent(JSON.stringify({ ...assistant, credentials: secrets }))).toMatchObject({
      code: 'too_many_credentials',
    });
  });

  describe('differ from', () => {
    const promptOf = (content: string, fields: object = {}, model: object = {}) =>
      importedA(fields, { ...model, messages: [{ role: 'system', content }] }).agent.instructions;

    it.each([
      '# Basic Instructions',
      'Basic Requirements first.',
      'Basic troubleshooting',
      'Basic c29tZXRoaW5nIGVsc2U=',
    ])('plain words after Basic: %s', content => expect(promptOf(content)).toBe(content));

    it('the names of variables in aliases', () => {
      const name = 'appointmentConfirmationNumber';
      const tool = {
        type: 'apiRequest',
        name: 'ask',
        variableExtractionPlan: { aliases: [{ key: name, value: 'x' }] },
      };
      const found = importedA(
        { firstMessage: `It is {{${name}}}.` },
        { tools: [{ ...tool, parameters: [{ key: name }] }] },
      );
      expect(found.agent.firstMessage).toBe(`It is {${name}}.`);
      expect(found.notes).toEqual([]);
    });

    it('a header that names a tool', () => {
      const name = 'check_availability_v17';
      const tools = [{ type: 'function', function: { name }, server: { headers: { 'x-tool-name': name } } }];
      const found = importedA({}, { tools, messages: [{ role: 'system', content: `Use ${name}.` }] });
      expect(found.agent.instructions).toBe(`Use ${name}.`);
      expect(found.agent.todo).toEqual([`Recreate the tool “${name}” (function) as a webhook tool.`]);
    });

    it.each(['sk-SK-ViktoriaNeural', '0af37c21d4e94b6f8a1b2c3d4e5f6071', '3f2504e0-4f89-11d3-9a0c-0305e82c3301'])(
      'voices, models and tools that are called %s',
      name => {
        const fields = { voice: { voiceId: name }, credentialId: name };
        const { agent: made, reference } = importedA(fields, { model: name, toolIds: [name], tools: [] });
        expect([reference.voice, reference.model]).toEqual([name, name]);
        expect(made.todo).toEqual([`Recreate the tool with the id “${name}” as an agent tool.`]);
      },
    );
  });

  it('are not filled in for a variable', () => {
    const known = { default_dynamic_variables: { api_key: 'hunter2' }, general_prompt: 'Use {{api_key}}.' };
    expect(importedB({}, known).agent.instructions).toBe('Use {api_key}.');
  });

  it('do not include the description of a secret', () => {
    const parameters = {
      type: 'object',
      properties: { password: { type: 'string', description: 'Ask for it politely' } },
    };
    const tools = [{ type: 'function', function: { name: 'sign_in', parameters } }];
    const messages = [{ role: 'system', content: 'Ask for it politely, as a string.' }];
    expect(importedA({}, { tools, messages }).agent.instructions).toBe('Ask for it politely, as a string.');
  });

  it.each(secretFields.filter(name => !containers.includes(name)))('are recognised by the name %s', name => {
    expect(isCredentialName(name)).toBe(true);
  });

  it.each([
    'maxTokensUsed',
    'key',
    'headers',
    'key_points',
    'keyterm',
    'author',
    'boosted_keywords',
    'secretary',
    'toolIds',
    'voiceId',
    'name',
    'authority',
  ])('are not recognised by the name %s', name => {
    expect(isCredentialName(name)).toBe(false);
  });

  it.each([
    'Ring the harbour at +44 20 7946 0001, key in 42 and wait.',
    'Say: "task-based-learning-is-a-skill" and key_information_collector.',
    'The ticket 3f2504e0-4f89-11d3-9a0c-0305e82c3301 is open at https://desk.example/tickets?id=7.',
    'Bearer of good news: note mail@harbour.example',
    'f'.repeat(200),
  ])('are not found in plain text: %s', content => {
    const found = importedA({}, { messages: [{ role: 'system', content }] });
    expect(found.agent.instructions).toBe(content);
    expect(found.notes).toEqual([]);
  });
});

describe('finding credentials', () => {
  const generated = 'q9Zt2LmX8vB4nC6wR1yD';
  it.each<[string, unknown, string[], string[]]>([
    ['a field', { apiKey: 'hunter2' }, ['apiKey'], []],
    ['a field with a generated value', { a: [{ apiKey: generated }] }, ['a[0].apiKey'], [generated]],
    ['a value after a scheme', { authorization: `Bearer ${generated}` }, ['authorization'], [generated]],
    ['a list', { credentialIds: [generated, 'x'] }, ['credentialIds'], [generated]],
    ['an object', { credentials: { inner: { value: generated } } }, ['credentials'], [generated]],
    ['a header', { headers: { 'X-Api-Key': generated, 'x-name': 'n' } }, ['headers.X-Api-Key'], [generated]],
    ['headers as text', { headers: `X: ${generated}` }, ['headers'], [generated]],
    ['a value beside its name', { h: [{ key: 'Authorization', value: generated }] }, ['h[0].value'], [generated]],
    ['a value beside another name', { h: [{ name: 'api_key', value: generated }] }, ['h[0].value'], [generated]],
    ['a value beside a plain name', { h: [{ name: 'page', value: generated }] }, [], []],
    ['a bare key that is generated', { query: { key: generated } }, ['query.key'], [generated]],
    ['a bare key that is a name', { aliases: [{ key: 'customerName' }] }, [], []],
    ['a field with a strange name', { 'my secret': 'x' }, ['["my secret"]'], []],
    ['the schema of a parameter', { properties: { password: { type: 'string' } } }, [], []],
    ['a count', { maxTokens: 250 }, [], []],
    ['nothing in it', { apiKey: ' ', token: {}, secret: [], password: null }, [], []],
    ['no field', ['apiKey', 'token'], [], []],
  ])('finds %s', (_, definition, paths, values) => {
    expect(findCredentials(definition)).toMatchObject({ paths, values: new Set(values) });
  });

  it.each([
    ['hunter22', ['hunter22']],
    ['correct-horse-42', ['correct-horse-42']],
    ['hunter2', []],
    ['hunter-two', []],
    ['{{secret1}}', []],
    [generated, []],
  ])('classifies %s as doubtful or not', (secret, doubtful) => {
    expect(findCredentials({ secret }).doubtful).toEqual(new Set(doubtful));
  });
});
