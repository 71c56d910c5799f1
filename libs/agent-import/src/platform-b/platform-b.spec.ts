import type { AgentFields } from '../findings/imported-agent.js';
import { agent, imported, importedB, llm, notesOf } from '../testing/definitions.js';

describe('an agent and its LLM of platform B', () => {
  it('become an agent', () => {
    const { agent: made, platform, reference, notes } = importedB();
    expect(platform).toBe('B');
    expect(made).toEqual({
      name: 'Bakery Line',
      role: 'Bakery Line',
      instructions: 'You take orders for The Crust. The caller is {caller}.',
      firstMessage: 'Good morning!',
      speaksFirst: true,
      temperature: 0.2,
      responseGuidelines: null,
      maxSessionMinutes: 20,
      webhookUrl: 'https://bakery.example/hooks',
      todo: ['Recreate the tool “place_order” (custom) as a webhook tool.'],
      reference,
    });
    expect(reference).toEqual({
      provider: null,
      model: 'nw-4',
      voice: 'larynx-rye',
      transcriber: null,
      language: 'de-DE',
    });
    expect(notes).toEqual([
      {
        severity: 'information',
        code: 'variable_filled',
        path: 'llm.general_prompt',
        values: { name: 'bakery' },
      },
    ]);
  });

  const states = [
    { name: 'order', state_prompt: 'Take the order for {{caller}}.' },
    { name: 'greeting', state_prompt: 'Greet.' },
    { state_prompt: 'Close.' },
  ];
  const ordered = '## order\nTake the order for {caller}.';

  it.each<[string, object, object, Partial<AgentFields>]>([
    ['no name', { agent_name: undefined }, {}, { name: 'Imported agent', role: 'Imported agent' }],
    ['variables in the name', { agent_name: '{{bakery}} Line' }, {}, { name: 'The Crust Line' }],
    ['no prompt', {}, { general_prompt: null }, { instructions: '' }],
    [
      'no defaults',
      {},
      { default_dynamic_variables: null },
      { instructions: 'You take orders for {bakery}. The caller is {caller}.' },
    ],
    [
      'defaults that are no text',
      {},
      { default_dynamic_variables: { bakery: 7, caller: {} } },
      { instructions: 'You take orders for 7. The caller is {caller}.' },
    ],
    [
      'an empty default',
      {},
      { default_dynamic_variables: { bakery: '' } },
      { instructions: 'You take orders for . The caller is {caller}.' },
    ],
    [
      'a default with a variable in it',
      {},
      { default_dynamic_variables: { bakery: '{{shop}}' } },
      { instructions: 'You take orders for {shop}. The caller is {caller}.' },
    ],
    [
      'names with blanks and slashes',
      {},
      { general_prompt: '{{ customer zip }}, {{current_time_America/Los_Angeles}}, {{R&D line}}, {{opt-in}}' },
      { instructions: '{customer zip}, {current_time_America/Los_Angeles}, {R&D line}, {opt-in}' },
    ],
    [
      'a name that every object has',
      {},
      { general_prompt: '{{constructor}} {{__proto__}}' },
      { instructions: '{constructor} {__proto__}' },
    ],
    [
      'states',
      {},
      { general_prompt: 'Base.', states },
      { instructions: `Base.\n\n${ordered}\n\n## greeting\nGreet.\n\n## State 3\nClose.` },
    ],
    [
      'a starting state',
      {},
      { general_prompt: 'Base.', states, starting_state: 'greeting' },
      { instructions: `Base.\n\n## greeting\nGreet.\n\n${ordered}\n\n## State 3\nClose.` },
    ],
    [
      'a starting state that is none of them',
      {},
      { general_prompt: 'Base.', states: states.slice(0, 1), starting_state: 'x' },
      { instructions: `Base.\n\n${ordered}` },
    ],
    ['states alone', {}, { general_prompt: '', states: states.slice(0, 1) }, { instructions: ordered }],
    [
      'a variable in the first message',
      {},
      { begin_message: 'Hi {{caller}}, {{bakery}} here.' },
      { firstMessage: 'Hi {caller}, The Crust here.' },
    ],
    ['no first message', {}, { begin_message: null }, { firstMessage: null, speaksFirst: true }],
    [
      'no first message in the export',
      {},
      { begin_message: undefined, start_speaker: undefined },
      { firstMessage: null, speaksFirst: true },
    ],
    [
      'an empty first message',
      {},
      { begin_message: '', start_speaker: undefined },
      { firstMessage: null, speaksFirst: false },
    ],
    ['an empty first message of the agent', {}, { begin_message: '' }, { firstMessage: null, speaksFirst: false }],
    ['a user who speaks first', {}, { start_speaker: 'user' }, { firstMessage: 'Good morning!', speaksFirst: false }],
    ['an agent that speaks first', {}, { start_speaker: 'agent' }, { speaksFirst: true }],
    ['no word on who speaks first', {}, { start_speaker: undefined }, { speaksFirst: true }],
    ['no heat', {}, { model_temperature: 0 }, { temperature: 0 }],
    ['an older temperature', {}, { model_temperature: undefined, temperature: 0.9 }, { temperature: 0.9 }],
    ['two temperatures', {}, { temperature: 0.9 }, { temperature: 0.2 }],
    ['much heat', {}, { model_temperature: 1.2 }, { temperature: 1 }],
    ['no temperature', {}, { model_temperature: undefined }, { temperature: 0.7 }],
    ['a call of a minute', { max_call_duration_ms: 60_000 }, {}, { maxSessionMinutes: 1 }],
    ['a call of no time', { max_call_duration_ms: 0 }, {}, { maxSessionMinutes: 1 }],
    ['a call of two hours', { max_call_duration_ms: 7_200_000 }, {}, { maxSessionMinutes: 120 }],
    ['a longer call', { max_call_duration_ms: 7_200_001 }, {}, { maxSessionMinutes: 120 }],
    ['a call without an end', { max_call_duration_ms: undefined }, {}, { maxSessionMinutes: 30 }],
    ['a webhook without https', { webhook_url: 'http://bakery.example' }, {}, { webhookUrl: null }],
    ['no webhook', { webhook_url: null }, {}, { webhookUrl: null }],
  ])('with %s are mapped', (_, agentFields, llmFields, expected) => {
    expect(importedB(agentFields, llmFields).agent).toMatchObject(expected);
  });

  it.each<[string, object, object, object]>([
    ['a locale', { language: 'fr-CA' }, {}, { language: 'fr-CA' }],
    ['several locales', { language: ['fr-CA', 'en-US'] }, {}, { language: 'fr-CA, en-US' }],
    ['any language', { language: 'multi' }, {}, { language: 'multi' }],
    [
      'more locales than fit',
      { language: Array.from({ length: 20 }, () => 'en-US') },
      {},
      { language: expect.stringMatching(/^.{64}$/) },
    ],
    ['no language', { language: undefined }, {}, { language: null }],
    ['a speech model', {}, { model: null, s2s_model: 'nw-speech' }, { model: 'nw-speech' }],
    ['no voice', { voice_id: '' }, {}, { voice: null }],
  ])('with %s have it in the reference', (_, agentFields, llmFields, expected) => {
    expect(importedB(agentFields, llmFields).reference).toMatchObject(expected);
  });

  const { llm_id: _, ...llmWithoutID } = llm;
  it.each<[string, object]>([
    ['an agent with its LLM inside', { ...agent, retellLlmData: llm }],
    ['agent and LLM in one object', { ...agent, ...llm }],
    ['agent and LLM in one object without ids', { agent_name: agent.agent_name, ...llmWithoutID }],
    ['a list of one', [{ agent, llm }]],
    ['a list of one agent with its LLM inside', [{ ...agent, retellLlmData: llm }]],
    ['an agent that is wrapped', { agent: { ...agent, retellLlmData: llm } }],
    ['something beside them', { version: 3, agent, llm, phone_number: { number: '+4930123456' } }],
  ])('give the same agent as %s', (_name, definition) => {
    const { agent: made } = imported(definition);
    expect(made).toMatchObject({
      name: 'Bakery Line',
      instructions: importedB().agent.instructions,
      todo: importedB().agent.todo,
    });
  });

  it.each<[string, object]>([
    ['alone', llm],
    ['in an object', { llm }],
    ['without an id', { general_prompt: llm.general_prompt, model: 'nw-4' }],
  ])('may be the LLM %s, with the agent’s fields as they are by default', (_name, definition) => {
    const found = imported(definition);
    expect(found.agent).toMatchObject({ name: 'Imported agent', maxSessionMinutes: 30, webhookUrl: null });
    expect(found.agent.instructions).toContain('You take orders');
    expect(notesOf(found)).toContain(
      'warning: Only the LLM was pasted: name, session length, webhook, voice and language have their defaults.',
    );
  });
});
