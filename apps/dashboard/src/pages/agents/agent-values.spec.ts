import { agentRules, countCharacters, fieldsOf, newAgentValues, valuesOf } from './agent-values.js';

const stored = {
  name: 'Harbour desk',
  role: 'Harbour desk',
  instructions: 'Give out berths.',
  firstMessage: null,
  speaksFirst: false,
  temperature: 0.4,
  responseGuidelines: null,
  maxSessionMinutes: 15,
  webhookUrl: null,
  reference: { provider: 'northwind', model: null, voice: null, transcriber: null, language: 'en-GB' },
};

describe('the values of an agent’s form', () => {
  it('turn an agent into values and back', () => {
    expect(fieldsOf(valuesOf(stored))).toEqual(stored);
  });

  it('use the name as the role if the role is empty', () => {
    expect(fieldsOf({ ...newAgentValues, name: ' Desk ' })).toMatchObject({ name: 'Desk', role: 'Desk' });
  });

  it('count an emoji as one character', () => {
    expect(countCharacters('a🛥️')).toBe(3);
  });
});

describe('a field of an agent’s form', () => {
  it.each([
    ['a name', agentRules.name('Desk'), null],
    ['no name', agentRules.name('  '), 'Enter a name.'],
    ['a name of 129 characters', agentRules.name('n'.repeat(129)), 'Enter at most 128 characters.'],
    ['4,096 emojis of instructions', agentRules.instructions('😀'.repeat(4096)), null],
    ['4,097 characters', agentRules.instructions('i'.repeat(4097)), 'Enter at most 4,096 characters.'],
    ['the highest temperature', agentRules.temperature(1), null],
    ['a temperature above it', agentRules.temperature(1.1), 'Enter a number from 0 to 1.'],
    ['no temperature', agentRules.temperature(''), 'Enter a number from 0 to 1.'],
    ['120 minutes', agentRules.maxSessionMinutes(120), null],
    ['half a minute', agentRules.maxSessionMinutes(1.5), 'Enter whole minutes from 1 to 120.'],
    ['no webhook', agentRules.webhookUrl(''), null],
    ['a webhook', agentRules.webhookUrl('https://app.example/hook'), null],
    ['a webhook without TLS', agentRules.webhookUrl('http://app.example/hook'), 'Enter an https address.'],
    ['a long language', agentRules.reference.language('l'.repeat(65)), 'Enter at most 64 characters.'],
  ])('reports the problem of %s', (_case, problem, expected) => {
    expect(problem).toBe(expected);
  });
});
