import type { AgentFields, AgentReference } from './imported-agent.js';
import { finishing, imported, importedA, notesOf } from './testing/definitions.js';

describe('an assistant of platform A', () => {
  it('becomes an agent', () => {
    const { agent, platform, reference, toFinish, notes } = importedA();
    expect(platform).toBe('A');
    expect(agent).toEqual({
      name: 'Harbour Desk',
      role: 'Harbour Desk',
      instructions: 'You answer for the harbour office.\n\nBerths are given out by the hour.',
      firstMessage: 'Harbour office, good day {customer.name}.',
      speaksFirst: true,
      temperature: 0.4,
      responseGuidelines:
        'When the conversation is over, close with: “Fair winds.”\n' +
        'Saying one of these ends the conversation, so say them only then: “goodbye”, “cast off”.',
      maxSessionMinutes: 15,
      webhookUrl: 'https://harbour.example/hooks',
      todo: ['Recreate the tool “find_berth” (function) as a webhook tool.'],
      reference,
    });
    expect(reference).toEqual({
      provider: 'northwind',
      model: 'nw-4',
      voice: 'larynx / marina',
      transcriber: 'listener / l-2',
      language: 'en-GB',
    });
    expect(toFinish).toEqual([
      {
        kind: 'tool',
        code: 'tool',
        path: 'model.tools[0]',
        values: { name: 'find_berth', type: 'function', counterpart: 'webhook' },
      },
    ]);
    expect(notes).toEqual([]);
  });

  const message = (role: string, content: unknown) => ({ role, content });
  const speaksAnyway = 'assistant-speaks-first-with-model-generated-message';

  it.each<[string, object, object, Partial<AgentFields>]>([
    ['no name', { name: undefined }, {}, { name: 'Imported agent', role: 'Imported agent' }],
    ['a name on two lines', { name: ' Night\n desk ' }, {}, { name: 'Night desk', role: 'Night desk' }],
    ['a long name', { name: 'n'.repeat(200) }, {}, { name: 'n'.repeat(128), role: 'n'.repeat(128) }],
    ['variables in the name', { name: '{{ shop }} desk' }, {}, { name: '{shop} desk' }],
    [
      'messages of others between those of the system',
      {},
      { messages: [message('system', 'One.'), message('user', 'Hi.'), message('system', 'Two.')] },
      { instructions: 'One.\n\nTwo.' },
    ],
    ['only messages of others', {}, { messages: [message('user', 'Hi.')] }, { instructions: '' }],
    ['no messages', {}, { messages: undefined }, { instructions: '' }],
    ['a message without content', {}, { messages: [message('system', null)] }, { instructions: '' }],
    [
      'a message in parts',
      {},
      {
        messages: [
          message('system', [
            { type: 'text', text: 'One.' },
            { type: 'text', text: 'Two.' },
          ]),
        ],
      },
      { instructions: 'One.\nTwo.' },
    ],
    [
      'variables in the prompt',
      {},
      { messages: [message('system', 'Ask {{ name }}.')] },
      { instructions: 'Ask {name}.' },
    ],
    ['a prompt with the model', {}, { messages: undefined, systemPrompt: 'Older.' }, { instructions: 'Older.' }],
    ['a prompt as one message', {}, { messages: [], systemMessage: 'Oldest.' }, { instructions: 'Oldest.' }],
    ['a prompt beside the model', { systemPrompt: 'Beside.' }, { messages: [] }, { instructions: 'Beside.' }],
    [
      'prompts everywhere',
      { systemPrompt: 'No.' },
      { messages: [message('system', 'Yes.')], systemPrompt: 'No.', systemMessage: 'No.' },
      { instructions: 'Yes.' },
    ],
    [
      'a prompt with the model and others',
      { systemPrompt: 'No.' },
      { messages: [], systemPrompt: 'Yes.', systemMessage: 'No.' },
      { instructions: 'Yes.' },
    ],
    ['an empty first message', { firstMessage: '' }, {}, { firstMessage: null, speaksFirst: true }],
    ['no first message', { firstMessage: undefined }, {}, { firstMessage: null, speaksFirst: true }],
    ['a sound as first message', { firstMessage: 'https://cdn.example/hello.mp3' }, {}, { firstMessage: null }],
    ['a long first message', { firstMessage: 'f'.repeat(3000) }, {}, { firstMessage: 'f'.repeat(2000) }],
    ['a user who speaks first', { firstMessageMode: 'assistant-waits-for-user' }, {}, { speaksFirst: false }],
    ['an assistant that speaks first', { firstMessageMode: 'assistant-speaks-first' }, {}, { speaksFirst: true }],
    ['no word on who speaks first', { firstMessageMode: undefined }, {}, { speaksFirst: true }],
    [
      'a first message of the model',
      { firstMessageMode: speaksAnyway, firstMessage: '' },
      {},
      { speaksFirst: true, firstMessage: null },
    ],
    ['much heat', {}, { temperature: 1.7 }, { temperature: 1 }],
    ['the most heat', {}, { temperature: 1 }, { temperature: 1 }],
    ['no heat', {}, { temperature: 0 }, { temperature: 0 }],
    ['cold', {}, { temperature: -1 }, { temperature: 0 }],
    ['heat as text', {}, { temperature: '0.2' }, { temperature: 0.7 }],
    ['no temperature', {}, { temperature: undefined }, { temperature: 0.7 }],
    ['no farewell', { endCallMessage: '', endCallPhrases: [] }, {}, { responseGuidelines: null }],
    [
      'only a farewell',
      { endCallPhrases: undefined, endCallMessage: 'Bye, {{name}}.' },
      {},
      { responseGuidelines: 'When the conversation is over, close with: “Bye, {name}.”' },
    ],
    [
      'only phrases',
      { endCallMessage: undefined, endCallPhrases: ['bye', 7, ''] },
      {},
      { responseGuidelines: 'Saying one of these ends the conversation, so say them only then: “bye”.' },
    ],
    ['a session of ten seconds', { maxDurationSeconds: 10 }, {}, { maxSessionMinutes: 1 }],
    ['a session of a minute', { maxDurationSeconds: 60 }, {}, { maxSessionMinutes: 1 }],
    ['a session of a minute and a half', { maxDurationSeconds: 90 }, {}, { maxSessionMinutes: 2 }],
    ['a session of two hours', { maxDurationSeconds: 7200 }, {}, { maxSessionMinutes: 120 }],
    ['a session of half a day', { maxDurationSeconds: 43_200 }, {}, { maxSessionMinutes: 120 }],
    ['a session without an end', { maxDurationSeconds: undefined }, {}, { maxSessionMinutes: 10 }],
    [
      'an older webhook',
      { server: undefined, serverUrl: 'https://old.example/h' },
      {},
      { webhookUrl: 'https://old.example/h' },
    ],
    ['two webhooks', { serverUrl: 'https://old.example/h' }, {}, { webhookUrl: 'https://harbour.example/hooks' }],
    [
      'a newer webhook without https',
      { server: { url: 'http://new.example' }, serverUrl: 'https://old.example' },
      {},
      { webhookUrl: null },
    ],
    ['no webhook', { server: null }, {}, { webhookUrl: null }],
    ['a webhook that is no address', { server: { url: 'YOUR_URL/hook' } }, {}, { webhookUrl: null }],
    ['a webhook with a variable', { server: { url: 'https://{{host}}/hook' } }, {}, { webhookUrl: null }],
    ['a webhook with a key', { server: { url: 'https://h.example/?api_key=abc' } }, {}, { webhookUrl: null }],
    [
      'a webhook with a password',
      { server: { url: 'https://me:pass1word@h.example/x' } },
      {},
      { webhookUrl: 'https://h.example/x' },
    ],
  ])('with %s is mapped', (_, fields, model, expected) => {
    expect(importedA(fields, model).agent).toMatchObject(expected);
  });

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
  ])('with %s shows it for reference', (_, fields, model, expected) => {
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
      'information: The model makes the first message up; here the written one is said. Empty it to leave it to the model.',
    ],
    [
      'no first message',
      { firstMessage: '' },
      {},
      'information: The definition has no first message: the agent makes it up.',
    ],
    [
      'a temperature as text',
      {},
      { temperature: '0.2' },
      'warning: model.temperature: This value is no number, so it was not read. Set the agent’s field by hand.',
    ],
    [
      'a length as text',
      { maxDurationSeconds: '900' },
      {},
      'warning: maxDurationSeconds: This value is no number, so it was not read. Set the agent’s field by hand.',
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
  ])('with %s says so', (_, fields, model, note) => {
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
  ])('with %s says nothing', (_, fields, model) => {
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
      'Give the webhook an https address: the definition’s is none.',
    ],
    [
      'a webhook with a key',
      { server: { url: 'https://h.example/?token=abc' } },
      {},
      'webhook',
      'Give the webhook its address again: the definition’s, at h.example, carries a key.',
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
      `Write “${date}” anew: expressions are not worked out here, and it stands as it was.`,
    ]);
  });

  it('may be nothing but a name and a first message', () => {
    expect(imported({ name: 'A', firstMessage: 'Hi' }).agent).toMatchObject({
      name: 'A',
      firstMessage: 'Hi',
      instructions: '',
    });
  });
});
