import fc from 'fast-check';
import { importAgent } from '../import-agent.js';
import { pathsOf, replaced } from '../testing/arbitrary-definitions.js';
import { agent, assistant, llm, secretFields } from '../testing/definitions.js';

const characters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];
const hex = [...'0123456789abcdef'];
/** Generated text of letters and digits. Generated text without a digit is rare and looks like a word. */
const random = (unit: string[], minLength: number) =>
  fc.string({ unit: fc.constantFrom(...unit), minLength, maxLength: 60 }).map(text => `${text}7a`);

/** Keys in the providers' formats, which the importer recognises anywhere. */
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

/** A definition, and the path to one place in it. */
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

  it('in any text of the definition are not in the result', () => {
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

  /** Names and IDs are kept: a voice, model or tool with the name of a secret is not a secret. */
  const prose =
    /^(?:firstMessage|endCallMessage|content|general_prompt|begin_message|state_prompt|bakery|description)$/;
  const isProse = (path: string[]) => prose.test(path.at(-1) ?? '') || path.includes('endCallPhrases');

  it('in a separate field are removed from all prose that repeats them', () => {
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
});
