import fc from 'fast-check';
import { importAgent } from './import-agent.js';
import { findCredentials, isCredentialName } from './credentials.js';
import { pathsOf, replaced } from './testing/arbitrary-definitions.js';
import { agent, assistant, importedA, importedB, llm, notesOf } from './testing/definitions.js';

const characters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];
const hex = [...'0123456789abcdef'];
/** Generated text, of letters and digits: text without any digit is rare and looks like a word. */
const random = (unit: string[], minLength: number) =>
  fc.string({ unit: fc.constantFrom(...unit), minLength, maxLength: 60 }).map(text => `${text}7a`);

/** Keys as providers give them out: known by their form, wherever they stand. */
const knownKey = fc.oneof(
  random(characters, 24).map(key => `sk-proj-${key}`),
  random(characters, 24).map(key => `sk_live_${key}`),
  random(characters, 36).map(key => `ghp_${key}`),
  random(characters, 24).map(key => `xoxb-1234-${key}`),
  random(characters, 20).map(key => `key_${key}`),
  random(characters, 20).map(key => `cal_live_${key}`),
  random(characters, 20).map(key => `whsec_${key}`),
  random(characters, 35).map(key => `AIza${key}`),
  random(characters, 20).map(key => `SG.${key}.${key}`),
  random(characters, 20).map(key => `eyJhbGciOi${key}.${key}.${key}`),
  random(hex, 28).map(key => `key_${key}`),
  random(characters, 28).map(key => `GOCSPX-${key}`),
  random(characters, 36).map(key => `npm_${key}`),
  random([...'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'], 16).map(key => `AKIA${key.slice(0, 16)}`),
);

const secretFields = [
  ...['apiKey', 'api_key', 'cal_api_key', 'x-api-key', 'secret', 'serverUrlSecret', 'webhook_secret', 'clientSecret'],
  ...[
    'token',
    'access_token',
    'authToken',
    'password',
    'credentialId',
    'credentialIds',
    'credentials',
    'Authorization',
  ],
  ...['headers', 'privateKey', 'signature', 'accountSid', 'bearerToken', 'cookie', 'key'],
];
/** Fields that hold credentials beside others: their names alone prove nothing. */
const containers = ['headers', 'key'];

const wholeA = {
  ...assistant,
  serverUrl: 'https://old.example',
  voicemailMessage: 'Call back.',
  model: {
    ...assistant.model,
    toolIds: ['t-1'],
    knowledgeBase: { fileIds: ['f-1'], server: { url: 'https://k.example' } },
    tools: [
      { type: 'function', function: { name: 'find', description: 'Finds.' }, server: { url: 'https://t.example' } },
      { type: 'transferCall', destinations: [{ type: 'number', number: '+442079460001', message: 'Wait.' }] },
    ],
  },
};
const wholeB = {
  agent: { ...agent, voicemail_option: { action: { type: 'static_text', text: 'x' } } },
  llm: {
    ...llm,
    states: [
      {
        name: 's',
        state_prompt: 'Say {{x}}.',
        edges: [{ destination_state_name: 't', description: 'd' }],
        tools: [{ name: 'u' }],
      },
    ],
    general_tools: [
      { type: 'book_appointment_cal', name: 'book', event_type_id: 7 },
      { type: 'transfer_call', name: 'to', transfer_destination: { type: 'predefined', number: '+4930123456' } },
    ],
    knowledge_base_ids: ['kb_1'],
  },
};
const squad = { name: 'Team', members: [{ assistant: { name: 'First' } }, { assistantId: 'a-2' }] };
const definitions: object[] = [
  wholeA,
  { assistant: wholeA },
  wholeB,
  { ...wholeB.agent, retellLlmData: wholeB.llm },
  squad,
  [wholeA, wholeB],
];

/** A definition, and the way to one place in it. */
const place = fc
  .constantFrom(...definitions)
  .chain(definition =>
    fc.record({ definition: fc.constant(definition), path: fc.constantFrom(...pathsOf(definition)) }),
  );

const resultOf = (definition: unknown) => JSON.stringify(importAgent(JSON.stringify(definition)));

describe('secrets of a definition', () => {
  it('in a field of their own, at any place, are nowhere in the result', () => {
    const secret = fc.oneof(
      knownKey,
      random(characters, 9).map(text => `q9${text}`),
      fc.uuid(),
    );
    const form = fc.constantFrom<(secret: string) => unknown>(
      one => one,
      one => [one],
      one => ({ value: one }),
      one => ({ Authorization: `Bearer ${one}` }),
    );
    fc.assert(
      fc.property(place, fc.constantFrom(...secretFields), secret, form, ({ definition, path }, field, one, wrap) => {
        const put = (old: unknown) =>
          typeof old === 'object' && old !== null && !Array.isArray(old)
            ? { ...old, [field]: wrap(one) }
            : { [field]: wrap(one), old };
        expect(resultOf(replaced(definition, path, put))).not.toContain(one);
      }),
      { numRuns: 1000 },
    );
  });

  it('in any text of the definition are nowhere in the result', () => {
    const around = fc.constantFrom<(old: unknown, key: string) => string>(
      (_, key) => key,
      (old, key) => `${String(old)} ${key}`,
      (old, key) => `${key}\n${String(old)}`,
      (_, key) => `Authorization: Bearer ${key}`,
      (_, key) => `https://hooks.example/?v=${key}`,
    );
    fc.assert(
      fc.property(place, knownKey, around, ({ definition, path }, key, write) => {
        const put = (old: unknown) => (typeof old === 'object' ? [key] : write(old, key));
        expect(resultOf(replaced(definition, path, put))).not.toContain(key);
      }),
      { numRuns: 1000 },
    );
  });

  /** Names and ids stay as they are: a voice, model or tool that is called like a secret is none. */
  const prose =
    /^(?:firstMessage|endCallMessage|content|general_prompt|begin_message|state_prompt|bakery|description)$/;
  const isProse = (path: string[]) => prose.test(path.at(-1) ?? '') || path.includes('endCallPhrases');

  it('in a field of their own are taken out of all prose that repeats them', () => {
    const secret = fc.oneof(random(characters, 24), random(hex, 32), fc.uuid());
    const twoPlaces = place.chain(({ definition, path }) =>
      fc.record({
        definition: fc.constant(definition),
        path: fc.constant(path),
        other: fc.constantFrom(
          ...(pathsOf(definition).filter(isProse).length > 0 ? pathsOf(definition).filter(isProse) : [path]),
        ),
      }),
    );
    fc.assert(
      fc.property(twoPlaces, fc.constantFrom(...secretFields), secret, ({ definition, path, other }, field, one) => {
        const repeated = replaced(definition, other, old =>
          typeof old === 'string' && isProse(other) ? `${old} ${one}.` : old,
        );
        const put = (old: unknown) => (typeof old === 'object' ? { ...old, [field]: one } : old);
        const inside = replaced(repeated, path, put);
        const outside = Array.isArray(inside) ? ['0'] : [];
        expect(resultOf(replaced(inside, outside, put))).not.toContain(one);
      }),
      { numRuns: 1000 },
    );
  });

  it('are taken out of a prompt that repeats them, with the line and the beginning said', () => {
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
      'warning: model.messages[0].content: A credential was taken out of line 3: “9f8a…”. Write it again if it is none.',
      'information: Credentials were ignored: server.secret. Connect providers with AI credentials.',
    ]);
  });

  it('that could be words stay in a prompt that repeats them, with a note', () => {
    const secret = 'correct-horse-42';
    const messages = [{ role: 'system', content: `The key is ${secret}.` }];
    const found = importedA({ server: { url: 'https://h.example', secret } }, { messages });
    expect(found.agent.instructions).toBe(`The key is ${secret}.`);
    expect(notesOf(found)).toContain(
      'warning: model.messages[0].content: This text repeats the value of a credential. Take it out if it is meant to be secret.',
    );
  });

  it('are noted only where they would have reached the agent', () => {
    const found = importedA({ _comment: 'sk-7f3Kq9Zt2LmX8vB4nC6wR1yD5hG0jS' });
    expect(found.notes).toEqual([]);
  });

  it('are named by at most twenty paths', () => {
    const server = Object.fromEntries(Array.from({ length: 23 }, (_, index) => [`s${index}_secret`, 'x']));
    const { notes } = importedA({ server: { url: 'https://h.example', server } });
    const note = notes.find(({ code }) => code === 'credentials_ignored');
    expect(note?.values).toMatchObject({ paths: { length: 20 }, more: 3 });
  });

  it('are refused when there are more than the importer looks for', () => {
    const withSecrets = (count: number) => {
      const secrets = Array.from({ length: count }, (_, index) => `a1b2c3d4e5f6a7b8c9d0e1${1000 + index}`);
      return importAgent(JSON.stringify({ ...assistant, credentials: secrets }));
    };
    expect(withSecrets(200).ok).toBe(true);
    expect(withSecrets(201)).toEqual({ ok: false, code: 'too_many_credentials', values: { limit: 200 } });
  });

  describe('are told from', () => {
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

  it('are not what a description of a secret says', () => {
    const parameters = {
      type: 'object',
      properties: { password: { type: 'string', description: 'Ask for it politely' } },
    };
    const tools = [{ type: 'function', function: { name: 'sign_in', parameters } }];
    const messages = [{ role: 'system', content: 'Ask for it politely, as a string.' }];
    expect(importedA({}, { tools, messages }).agent.instructions).toBe('Ask for it politely, as a string.');
  });

  it.each(secretFields.filter(name => !containers.includes(name)))('are known by the name %s', name => {
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
  ])('are not known by the name %s', name => {
    expect(isCredentialName(name)).toBe(false);
  });

  it.each([
    'Ring the harbour at +44 20 7946 0001, key in 42 and wait.',
    'Say: "task-based-learning-is-a-skill" and key_information_collector.',
    'The ticket 3f2504e0-4f89-11d3-9a0c-0305e82c3301 is open at https://desk.example/tickets?id=7.',
    'Bearer of good news: note mail@harbour.example',
    'f'.repeat(200),
  ])('are not seen in plain text: %s', content => {
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
  ])('looks at %s', (_, definition, paths, values) => {
    expect(findCredentials(definition)).toMatchObject({ paths, values: new Set(values) });
  });

  it.each([
    ['hunter22', ['hunter22']],
    ['correct-horse-42', ['correct-horse-42']],
    ['hunter2', []],
    ['hunter-two', []],
    ['{{secret1}}', []],
    [generated, []],
  ])('doubts %s as it should', (secret, doubtful) => {
    expect(findCredentials({ secret }).doubtful).toEqual(new Set(doubtful));
  });
});
