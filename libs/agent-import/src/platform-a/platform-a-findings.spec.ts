import type { AgentReference } from '../findings/imported-agent.js';
import { finishing, importedA, notesOf } from '../testing/definitions.js';

describe('an assistant of platform A', () => {
  const speaksAnyway = 'assistant-speaks-first-with-model-generated-message';

  it.each<[string, object, object, Partial<AgentReference>]>([
    ['a voice as text', { voice: 'marina' }, {}, { voice: 'marina' }],
    [
      'no voice and no transcriber',
      { voice: null, transcriber: undefined },
      {},
      { voice: null, transcriber: null, language: null },
    ],
    ['a transcriber without a model', { transcriber: { provider: 'listener' } }, {}, { transcriber: 'listener' }],
    [
      'the speech model of a transcriber',
      { transcriber: { provider: 'x', speechModel: 'y' } },
      {},
      { transcriber: 'x / y' },
    ],
    ['languages', { transcriber: { languages: ['en', 'fr'] } }, {}, { language: 'en, fr' }],
    [
      'the language of the voice',
      { transcriber: null, voice: { voiceId: 'v', language: 'it' } },
      {},
      { language: 'it' },
    ],
    ['long names', {}, { model: 'm'.repeat(300) }, { model: 'm'.repeat(128) }],
    ['a model as text', { model: 'nw-3' }, {}, { provider: null, model: 'nw-3' }],
  ])('with %s has it in the reference', (_, fields, model, expected) => {
    const { agent, reference } = importedA(fields, model);
    expect(reference).toMatchObject(expected);
    expect(agent.reference).toBe(reference);
  });

  it.each<[string, object, object, string]>([
    [
      'a voicemail text',
      { voicemailMessage: 'Call back.' },
      {},
      'information: The voicemail settings are not used: agents leave no voicemail.',
    ],
    ['no prompt', {}, { messages: [] }, 'warning: The definition has no prompt.'],
    ['no name', { name: '' }, {}, 'warning: The definition has no name: the agent is called “Imported agent”.'],
    [
      'messages of others',
      {},
      { messages: [{ role: 'user', content: 'Hi.' }] },
      'warning: 1 of the model’s messages were left out: only those of the system are instructions.',
    ],
    ['much heat', {}, { temperature: 1.5 }, 'warning: The temperature 1.5 became 1.'],
    [
      'a long session',
      { maxDurationSeconds: 43_200 },
      {},
      'warning: The definition ends a session after 43,200 s; here it is 120 min, of 1 to 120.',
    ],
    [
      'no end to a session',
      { maxDurationSeconds: null },
      {},
      'information: The definition sets no end to a session: it is the other platform’s 10 min.',
    ],
    [
      'a long prompt',
      {},
      { messages: [{ role: 'system', content: 'p'.repeat(5000) }] },
      'warning: The instructions had 5,000 characters: the first 4,096 are kept.',
    ],
    [
      'a message that the model makes',
      { firstMessageMode: speaksAnyway },
      {},
      'information: On the other platform the model writes the first message. Here the agent says this text; empty it to leave it to the model.',
    ],
    [
      'a message that the model makes, and no text',
      { firstMessageMode: speaksAnyway, firstMessage: '' },
      {},
      'information: The model writes the first message.',
    ],
    [
      'no first message',
      { firstMessage: '' },
      {},
      'information: The definition has no first message: the agent chooses its own words.',
    ],
    [
      'a temperature as text',
      {},
      { temperature: '0.2' },
      'warning: model.temperature: This value is not a number, so it was not read. Set the agent’s field by hand.',
    ],
    [
      'a length as text',
      { maxDurationSeconds: '900' },
      {},
      'warning: maxDurationSeconds: This value is not a number, so it was not read. Set the agent’s field by hand.',
    ],
    [
      'two prompts',
      { systemPrompt: 'Older.' },
      {},
      'warning: systemPrompt: The definition has several prompts, and this one was left out.',
    ],
    [
      'two webhooks',
      { serverUrl: 'https://old.example' },
      {},
      'warning: serverUrl: The definition has several webhooks, and this one was left out.',
    ],
  ])('with %s has a note', (_, fields, model, note) => {
    expect(notesOf(importedA(fields, model))).toContain(note);
  });

  it.each<[string, object, object]>([
    ['the same prompt twice', { systemPrompt: 'Same.' }, { messages: [], systemPrompt: 'Same.' }],
    ['the same webhook twice', { serverUrl: 'https://harbour.example/hooks' }, {}],
    [
      'no first message that waits for the user',
      { firstMessage: '', firstMessageMode: 'assistant-waits-for-user' },
      {},
    ],
  ])('with %s has no note', (_, fields, model) => {
    expect(importedA(fields, model).notes).toEqual([]);
  });

  it('never has its voicemail text in the agent', () => {
    expect(JSON.stringify(importedA({ voicemailMessage: 'Mailbox words' }))).not.toContain('Mailbox words');
  });

  it.each<[string, object, object, 'webhook' | 'firstMessage' | 'instructions', string]>([
    [
      'a webhook without https',
      { server: { url: 'http://h.example' } },
      {},
      'webhook',
      'Enter an https address for the webhook: the definition has none.',
    ],
    [
      'a webhook with a key',
      { server: { url: 'https://h.example/?token=abc' } },
      {},
      'webhook',
      'Enter the webhook’s address again: the definition’s address, at h.example, contains a key.',
    ],
    [
      'a sound to begin with',
      { firstMessage: 'http://cdn.example/a.wav' },
      {},
      'firstMessage',
      'Write the first message: the definition plays a sound file.',
    ],
    ['no prompt', {}, { messages: null }, 'instructions', 'Write the instructions: the definition has no prompt.'],
  ])('with %s has it listed to finish', (_, fields, model, kind, text) => {
    expect(finishing(importedA(fields, model), kind)).toEqual([text]);
  });

  it('keeps an expression as it is, and lists it once', () => {
    const date = '{{ "now" | date: "%A" }}';
    const found = importedA({ firstMessage: `It is ${date}.`, endCallMessage: date });
    expect(found.agent.firstMessage).toBe(`It is ${date}.`);
    expect(finishing(found, 'variable')).toEqual([
      `Rewrite “${date}”: the importer does not evaluate expressions and kept the text.`,
    ]);
  });
});
