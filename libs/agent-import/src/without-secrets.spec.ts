import fc from 'fast-check';
import { importAgent } from './import-agent.js';
import { isSecretName } from './secret-name.js';
import { pathsOf, replaced } from './testing/arbitrary-definitions.js';
import { agent, assistant, importedA, importedB, llm, notesOf } from './testing/definitions.js';

const characters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];
const hex = [...'0123456789abcdef'];
const random = (unit: string[], minLength: number) =>
  fc.string({ unit: fc.constantFrom(...unit), minLength, maxLength: 60 });

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
  random(hex, 32).map(key => `0a${key}`),
  random(hex, 32).map(key => `AC0a${key}`),
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

  it('in a field of their own are taken out of every text that repeats them', () => {
    const secret = fc.oneof(
      random(characters, 14).map(text => `q9${text}`),
      fc.uuid(),
    );
    const twoPlaces = place.chain(({ definition, path }) =>
      fc.record({
        definition: fc.constant(definition),
        path: fc.constant(path),
        other: fc.constantFrom(...pathsOf(definition)),
      }),
    );
    fc.assert(
      fc.property(twoPlaces, fc.constantFrom(...secretFields), secret, ({ definition, path, other }, field, one) => {
        const repeated = replaced(definition, other, old => (typeof old === 'string' ? `${old} ${one}.` : old));
        const put = (old: unknown) => (typeof old === 'object' ? { ...old, [field]: one } : old);
        const inside = replaced(repeated, path, put);
        const outside = Array.isArray(inside) ? ['0'] : [];
        expect(resultOf(replaced(inside, outside, put))).not.toContain(one);
      }),
      { numRuns: 1000 },
    );
  });

  it('are taken out of other texts that repeat them', () => {
    const secret = 'correct-horse-42';
    const messages = [{ role: 'system', content: `The key is ${secret}.` }];
    const found = importedA({ server: { url: 'https://h.example', secret } }, { messages });
    expect(found.agent.instructions).toBe('The key is [removed].');
    expect(notesOf(found)).toEqual([
      'information: Keys and credentials of the definition were ignored: connect providers with AI credentials.',
      'warning: What looked like a key in a text was taken out of it.',
    ]);
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

  it.each(secretFields)('are known by the name %s', name => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each([
    'maxTokensUsed',
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
    expect(isSecretName(name)).toBe(false);
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
