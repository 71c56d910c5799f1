import { finishing, importedB, notesOf, shown } from '../testing/definitions.js';

describe('an agent and its LLM of platform B', () => {
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

  it('have the tools of all lists listed', () => {
    const tools = { tools: [{ type: 'custom', name: 'a' }], mcps: [{ name: 'b', url: 'https://m.example' }] };
    expect(finishing(importedB({}, { general_tools: 'elsewhere.json', ...tools }), 'tool')).toEqual([
      'Recreate the tools that the definition keeps elsewhere: it only says “elsewhere.json”.',
      'Recreate the tool “a” (custom) as a webhook tool.',
      'Recreate the tool “b” (mcp) as an integration tool.',
    ]);
  });

  it('have the tools and transitions of a state listed under its title', () => {
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
    ['a first message of the model', {}, { begin_message: null }, 'information: The model writes the first message.'],
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
  ])('with %s have a note', (_, agentFields, llmFields, note) => {
    expect(notesOf(importedB(agentFields, llmFields))).toContain(note);
  });

  it('have no note about voicemail without voicemail settings', () => {
    expect(notesOf(importedB({ voicemail_option: null })).join()).not.toContain('voicemail');
  });
});
