import type { AgentFields } from './imported-agent.js';
import { agent, finishing, imported, importedB, llm, notesOf, shown } from './testing/definitions.js';

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
  ])('with %s show it for reference', (_, agentFields, llmFields, expected) => {
    expect(importedB(agentFields, llmFields).reference).toMatchObject(expected);
  });

  const transfer = (fields: object) => ({ general_tools: [{ type: 'transfer_call', name: 'to_baker', ...fields }] });
  it.each<[string, object, string]>([
    ['a number', { transfer_destination: { type: 'predefined', number: '+4930123456' } }, '+4930123456.'],
    ['an extension', { transfer_destination: { number: '+4930123456', extension: '9' } }, '+4930123456,9.'],
    ['an older number', { number: '+4930123457' }, '+4930123457.'],
    ['a hidden number', { parameters: { number: '+4930123458' } }, '+4930123458.'],
    ['a hidden destination', { parameters: { transfer_destination: { number: '+4930123459' } } }, '+4930123459.'],
    ['a destination in plain text', { transfer_destination: '+4930123450' }, '+4930123450.'],
    [
      'words',
      { transfer_destination: { type: 'inferred', prompt: 'the baker' } },
      'whom the conversation asks for: “the baker”.',
    ],
    ['an agent', { agent_id: 'agent_2' }, 'the assistant “agent_2”, an agent of its own here.'],
    [
      'an agent that screens the call',
      { transfer_option: { agentic_transfer_config: { transfer_agent: { agent_id: 'agent_3' } } } },
      'the assistant “agent_3”, an agent of its own here.',
    ],
    ['nothing', {}, 'a number that the definition does not name.'],
    ['a placeholder', { number: '[[NUMBER]]' }, 'a real number: [[NUMBER]] is a placeholder.'],
    ['a variable', { number: '{{baker_number}}' }, 'the number that the variable {{baker_number}} holds.'],
  ])('that transfer to %s have it listed to finish', (_, fields, where) => {
    const found = importedB({}, transfer(fields));
    const text = `Turn on human handoff and set the transfer “to_baker” to ${where}`;
    expect(found.toFinish.map(shown)).toEqual([`transfer | ${text}`]);
    expect(found.agent.todo).toEqual([text]);
  });

  it.each([
    ['end_call', 'an agent tool'],
    ['book_appointment_cal', 'a calendar tool'],
    ['check_availability_cal', 'a calendar tool'],
    ['press_digit', 'an agent tool'],
    ['send_sms', 'an integration tool'],
    ['custom', 'a webhook tool'],
    ['mcp', 'an integration tool'],
    ['code', 'an automation tool'],
    ['agent_swap', 'an agent tool'],
    ['bridge_transfer', 'an agent tool'],
    ['extract_dynamic_variable', 'an agent tool'],
  ])('with a tool of kind %s have it listed as %s', (type, counterpart) => {
    const found = importedB({}, { general_tools: [{ type, name: 'mine', url: 'https://x.example/y' }] });
    expect(found.toFinish.map(shown)).toEqual([`tool | Recreate the tool “mine” (${type}) as ${counterpart}.`]);
  });

  it('that swap to another agent have that agent listed', () => {
    const found = importedB({}, { general_tools: [{ type: 'agent_swap', name: 'to_night', agent_id: 'agent_2' }] });
    expect(found.toFinish.map(shown)).toEqual([
      'transfer | Turn on human handoff and set the transfer “to_night” to the assistant “agent_2”, an agent of its own here.',
    ]);
  });

  it('have tools of every place listed', () => {
    const tools = { tools: [{ type: 'custom', name: 'a' }], mcps: [{ name: 'b', url: 'https://m.example' }] };
    expect(finishing(importedB({}, { general_tools: 'elsewhere.json', ...tools }), 'tool')).toEqual([
      'Recreate the tools that the definition keeps elsewhere: it only says “elsewhere.json”.',
      'Recreate the tool “a” (custom) as a webhook tool.',
      'Recreate the tool “b” (mcp) as an integration tool.',
    ]);
  });

  it('have what a state can do and where it leads listed under its title', () => {
    const state = {
      name: 'order',
      state_prompt: 'Take the order.',
      edges: [
        { destination_state_name: 'pay', description: 'the order is complete' },
        { destination_state_name: 'end' },
        {},
      ],
      tools: [
        { type: 'custom', name: 'price' },
        { type: 'transfer_call', name: 'help', number: '+4930123456' },
      ],
    };
    const { toFinish, agent: made } = importedB({}, { general_tools: [], states: [state] });
    expect(toFinish.map(shown)).toEqual([
      'transition | State “order” | Check that the instructions say when to go on to “pay”: the order is complete',
      'transition | State “order” | Check that the instructions say when to go on to “end”.',
      'tool | State “order” | Recreate the tool “price” (custom) as a webhook tool.',
      'transfer | State “order” | Turn on human handoff and set the transfer “help” to +4930123456.',
    ]);
    expect(made.todo[1]).toBe('State “order”: Check that the instructions say when to go on to “end”.');
  });

  it('have their knowledge listed', () => {
    const found = importedB({ knowledge_base_ids: ['kb_2'] }, { knowledge_base_ids: ['kb_1', 'kb_2', null] });
    expect(finishing(found, 'knowledge')).toEqual([
      'Upload the file of “kb_1” to the agent’s knowledge.',
      'Upload the file of “kb_2” to the agent’s knowledge.',
    ]);
  });

  it.each<[string, object, object, string]>([
    [
      'voicemail settings',
      { voicemail_option: { action: { type: 'hangup' } } },
      {},
      'information: The voicemail settings are not used: agents leave no voicemail.',
    ],
    ['a first message of the model', {}, { begin_message: null }, 'information: The model makes the first message up.'],
    [
      'an empty first message',
      {},
      { begin_message: '' },
      'warning: The agent was to speak first, with an empty message: here it waits for the user.',
    ],
    ['no prompt', {}, { general_prompt: undefined }, 'warning: The definition has no prompt.'],
    [
      'half a minute',
      { max_call_duration_ms: 30_000 },
      {},
      'warning: The definition ends a session after 30 s; here it is 1 min, of 1 to 120.',
    ],
    [
      'no end to a call',
      { max_call_duration_ms: null },
      {},
      'information: The definition sets no end to a session: it is 30 min.',
    ],
    [
      'states that don’t fit',
      {},
      { states: [{ name: 's', state_prompt: 'x'.repeat(5000) }] },
      'warning: The instructions had 5,061 characters: the first 4,096 are kept.',
    ],
  ])('with %s say so', (_, agentFields, llmFields, note) => {
    expect(notesOf(importedB(agentFields, llmFields))).toContain(note);
  });

  it('say nothing of voicemail when there is none', () => {
    expect(notesOf(importedB({ voicemail_option: null })).join()).not.toContain('voicemail');
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
  ])('mean the same as %s', (_name, definition) => {
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
      'warning: Only the LLM was pasted: name, session length, webhook, voice and language are left as they are by default.',
    );
  });
});
