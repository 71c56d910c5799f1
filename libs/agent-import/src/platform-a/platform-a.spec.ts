import type { AgentFields } from '../findings/imported-agent.js';
import { imported, importedA } from '../testing/definitions.js';

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
            { type: 'image', url: 'https://h.example/x.png' },
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
    [
      'a phrase that is no list',
      { endCallMessage: undefined, endCallPhrases: 'bye' },
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
    ['a webhook with a parameter “Key”', { server: { url: 'https://h.example/?Key=abc' } }, {}, { webhookUrl: null }],
    ['a webhook with a user name', { server: { url: 'https://abc@h.example/x' } }, {}, { webhookUrl: null }],
    ['a webhook with an empty user name', { server: { url: 'https://:abc@h.example/x' } }, {}, { webhookUrl: null }],
    [
      'a webhook with a password',
      { server: { url: 'https://me:pass1word@h.example/x' } },
      {},
      { webhookUrl: 'https://h.example/x' },
    ],
  ])('with %s is mapped', (_, fields, model, expected) => {
    expect(importedA(fields, model).agent).toMatchObject(expected);
  });

  it('may have only a name and a first message', () => {
    expect(imported({ name: 'A', firstMessage: 'Hi' }).agent).toMatchObject({
      name: 'A',
      firstMessage: 'Hi',
      instructions: '',
    });
  });
});
