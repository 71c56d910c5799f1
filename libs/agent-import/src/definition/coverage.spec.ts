import { untakenFields, coverages, type CoveredObject } from './coverage.js';
import { importAgent } from '../import-agent.js';
import { isComplete } from '../findings/findings.js';
import { agent, assistant, imported, importedA, importedB, llm, notesOf, placeOf } from '../testing/definitions.js';

const flow = {
  conversation_flow_id: 'cf_1',
  global_prompt: 'You help.',
  start_node_id: 'n1',
  nodes: [
    { id: 'n1', name: 'Start', type: 'conversation', instruction: { type: 'prompt', text: 'Greet.' } },
    { id: 'n2', name: 'Ask', type: 'subagent', instruction: { type: 'prompt', text: 'Ask.' } },
  ],
};

describe('fields without a reader', () => {
  it.each<[string, CoveredObject, unknown, string[]]>([
    ['a plan', 'assistant', { name: 'x', analysisPlan: { a: 1 } }, ['analysisPlan']],
    ['a switch that is off', 'assistant', { interruptionsEnabled: false }, ['interruptionsEnabled']],
    ['a zero', 'model', { numFastTurns: 0 }, ['numFastTurns']],
    ['a count with the name of a credential', 'model', { maxTokens: 250 }, ['maxTokens']],
    ['a strange name', 'voice', { 'x y': 1 }, ['["x y"]']],
    ['a channel without voice', 'agent', { channel: 'chat' }, ['channel']],
    ['nothing but fields that are read', 'voice', { provider: 'x', voiceId: 'y' }, []],
    ['fields without a value', 'assistant', { a: null, b: '', c: [], d: {}, e: { f: [null, ''] } }, []],
    ['a credential', 'assistant', { serverUrlSecret: 'hunter2' }, []],
    ['comments', 'assistant', { _comment: 'x', $schema: 'y', '//': 'z', '# note': 'n' }, []],
    ['ids and times', 'agent', { agent_id: 'x', version: 3, last_modification_timestamp: 1 }, []],
    ['voice as the channel', 'agent', { channel: 'voice' }, []],
    ['no object', 'agent', 'text', []],
  ])('of %s are listed', (_, kind, value, names) => {
    expect(untakenFields(placeOf(value), [kind])).toEqual(names);
  });

  it('may belong to any of the kinds of a place', () => {
    const both = { agent_name: 'x', general_prompt: 'y', volume: 1, extra: 2 };
    expect(untakenFields(placeOf(both), ['agent', 'llm'], ['extra'])).toEqual(['volume']);
  });
});

/** For each field that counts as read: a definition with a value that must appear in the result. */
describe('a field that counts as read', () => {
  const text = 'Marker seven';
  const samples: Record<string, unknown> = {
    endCallPhrases: [text],
    maxDurationSeconds: 4_200,
    max_call_duration_ms: 4_200_000,
    server: { url: 'https://marker.example' },
    tools: [{ type: 'function', function: { name: text } }],
    functions: [{ name: text }],
    general_tools: [{ type: 'custom', name: text }],
    mcps: [{ name: text }],
    toolIds: [text],
    tool_ids: [text],
    toolRefs: [{ toolId: text, version: 3 }],
    hooks: [{ on: 'call.ending', do: [{ type: 'say', exact: text }] }],
    knowledgeBase: { fileIds: [text] },
    knowledge_base_ids: [text],
    endCallFunctionEnabled: true,
    dialKeypadFunctionEnabled: true,
    firstMessageMode: 'assistant-waits-for-user',
    start_speaker: 'user',
    temperature: 0.123,
    model_temperature: 0.123,
    messages: [{ role: 'system', content: text }],
    voice: { voiceId: text },
    transcriber: { model: text },
    states: [{ name: text, state_prompt: text }],
    starting_state: 'two',
    edges: [{ destination_state_name: text, destination_node_id: text, description: text }],
    default_dynamic_variables: { caller: text },
    model_choice: { model: text },
    nodes: [{ id: 'x', name: text, instruction: { text } }],
    components: [{ name: text, nodes: [{ id: 'x', instruction: { text } }] }],
    start_node_id: 'n2',
    instruction: { type: 'static_text', text },
    global_node_setting: { condition: text },
    go_back_conditions: [{ destination_node_id: text }],
    transition_condition: { prompt: text },
    voicemail_option: { action: { type: 'hangup' } },
    languages: [text],
  };
  const edge = { destination_node_id: 'n9', transition_condition: { prompt: text } };
  for (const name of ['edge', 'else_edge', 'always_edge', 'skip_response_edge', 'success_edge', 'failed_edge'])
    samples[name] = edge;

  const states = [
    { name: 'one', state_prompt: 'One.' },
    { name: 'two', state_prompt: 'Two.' },
  ];
  const { temperature: _temperature, ...model } = assistant.model;
  const { language: _language, model: _heard, ...transcriber } = assistant.transcriber;
  const { voiceId: _voice, ...voice } = assistant.voice;
  const { server: _server, ...served } = assistant;
  const { model_temperature: _heat, model: _model, ...calm } = llm;
  /** A definition around one object of each kind. */
  const around: Partial<Record<CoveredObject, (fields: object) => unknown>> = {
    assistant: fields => ({ ...served, ...fields }),
    model: fields => ({ ...assistant, model: { ...model, messages: undefined, ...fields } }),
    voice: fields => ({ ...assistant, voice: { ...voice, ...fields }, transcriber: null }),
    transcriber: fields => ({ ...assistant, transcriber: { ...transcriber, ...fields } }),
    server: fields => ({ ...assistant, server: fields }),
    agent: fields => ({ agent: { ...agent, ...fields }, llm }),
    llm: fields => ({ agent, llm: { ...calm, states, ...fields } }),
    state: fields => ({ agent, llm: { ...llm, states: [{ name: 'one', ...fields }] } }),
    edge: fields => ({ agent, llm: { ...llm, states: [{ name: 'one', edges: [fields] }] } }),
    flow: fields => ({ agent, conversation_flow: { ...flow, global_prompt: 'For {{caller}}.', ...fields } }),
    modelChoice: fields => ({ agent, conversation_flow: { ...flow, model_choice: fields } }),
    nodeEdge: fields => ({ agent, conversation_flow: { nodes: [{ id: 'n1', edges: [fields] }], global_prompt: 'x' } }),
    globalNode: fields => ({
      agent,
      conversation_flow: { nodes: [{ id: 'n1', global_node_setting: fields }], global_prompt: 'x' },
    }),
    node: fields => ({
      agent,
      conversation_flow: { nodes: [{ id: 'n1', start_speaker: 'agent', ...fields }], global_prompt: 'x' },
    }),
  };
  const fields = Object.entries(around).flatMap(([kind, wrap]) =>
    coverages[kind as CoveredObject].taken.map(name => [kind, name, wrap] as const),
  );

  it.each(fields)('is: %s.%s', (kind, name, wrap) => {
    const address = /url/i.test(name) ? 'https://marker.example' : text;
    const number = name.includes('forwarding') ? '+442079460042' : address;
    const sample = name in samples && kind !== 'voice' ? samples[name] : number;
    const result = (given: object) => JSON.stringify(importAgent(JSON.stringify(wrap(given))));
    expect(result({ [name]: sample })).not.toBe(result({}));
  });
});

describe('fields that an agent does not have', () => {
  it('are named for each object of platform A', () => {
    const fields = {
      silenceTimeoutSeconds: 20,
      backgroundSound: 'office',
      voice: { ...assistant.voice, speed: 1.1 },
      transcriber: { ...assistant.transcriber, keyterm: ['x'] },
      server: { url: 'https://h.example', timeoutSeconds: 5 },
    };
    expect(notesOf(importedA(fields, { maxTokens: 250 }))).toEqual([
      'warning: Not taken over: silenceTimeoutSeconds, backgroundSound.',
      'warning: model: Not taken over: maxTokens.',
      'warning: voice: Not taken over: speed.',
      'warning: transcriber: Not taken over: keyterm.',
      'warning: server: Not taken over: timeoutSeconds.',
    ]);
  });

  it('are named for each object of platform B, once for all states and edges', () => {
    const state = (name: string) => ({
      name,
      state_prompt: 'x',
      extra: 1,
      edges: [{ destination_state_name: 'two', speak_during_transition: true }],
    });
    const found = importedB({ responsiveness: 1 }, { kb_config: { top_k: 3 }, states: [state('one'), state('two')] });
    expect(notesOf(found).filter(note => note.includes('Not taken over'))).toEqual([
      'warning: llm.states[]: Not taken over: extra.',
      'warning: llm.states[].edges[]: Not taken over: speak_during_transition.',
      'warning: agent: Not taken over: responsiveness.',
      'warning: llm: Not taken over: kb_config.',
    ]);
  });

  it.each<[string, object, string]>([
    ['an assistant', { assistant, phoneNumber: { number: '+442079460001' }, id: 'x' }, 'phoneNumber'],
    ['an agent and its LLM', { version: 3, agent, llm, phone_number: '+4930123456' }, 'phone_number'],
    ['an LLM inside of its agent', { ...agent, volume: 1, retellLlmData: llm }, 'volume'],
    ['a prompt beside the LLM', { ...agent, general_prompt: 'Other.', retellLlmData: llm }, 'general_prompt'],
    ['agent and LLM in one object', { ...agent, ...llm, volume: 1 }, 'volume'],
    ['the LLM that the agent uses', { agent, llm, conversation_flow: flow }, 'conversation_flow'],
    [
      'the flow that the agent uses',
      { agent: { ...agent, response_engine: { type: 'conversation-flow' } }, llm, conversation_flow: flow },
      'llm',
    ],
  ])('are named beside %s', (_, definition, name) => {
    expect(imported(definition).notes).toContainEqual({
      severity: 'warning',
      code: 'not_taken_over',
      path: '',
      values: { fields: [name], more: 0 },
    });
  });

  it('are named up to the fortieth', () => {
    const fields = Object.fromEntries(Array.from({ length: 43 }, (_, index) => [`field${index}`, 1]));
    expect(importedA(fields).notes[0]?.values).toMatchObject({ fields: { length: 40 }, more: 3 });
  });

  it('make an import incomplete', () => {
    const whole = importedA({}, { tools: [] });
    expect([whole.toFinish, whole.notes, isComplete(whole)]).toEqual([[], [], true]);
    expect(isComplete(importedA({ name: undefined }, { tools: [] }))).toBe(true);
    expect(isComplete(importedA({ backgroundSound: 'office' }, { tools: [] }))).toBe(false);
    expect(isComplete(importedA({ voicemailMessage: 'x' }, { tools: [] }))).toBe(false);
    expect(isComplete(importedA({ serverUrlSecret: 'x' }, { tools: [] }))).toBe(false);
    expect(isComplete(importedA())).toBe(false);
  });
});
