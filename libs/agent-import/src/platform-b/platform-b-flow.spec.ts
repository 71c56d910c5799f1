import { agent, finishing, imported, notesOf, shown } from '../testing/definitions.js';

const flow = {
  conversation_flow_id: 'cf_1',
  global_prompt: 'You are the clinic’s desk, {{office}}.',
  start_node_id: 'greet',
  start_speaker: 'agent',
  model_choice: { type: 'cascading', model: 'nw-4' },
  model_temperature: 0.3,
  default_dynamic_variables: { office: 'Acme' },
  knowledge_base_ids: ['kb_1'],
  tools: [{ type: 'custom', name: 'book', tool_id: 'tool_1' }],
  nodes: [
    {
      id: 'book',
      name: 'Book a visit',
      type: 'function',
      tool_id: 'tool_1',
      instruction: { type: 'prompt', text: 'Say that you look.' },
      edges: [],
      else_edge: { destination_node_id: 'end', transition_condition: { type: 'prompt', prompt: 'Else' } },
    },
    {
      id: 'greet',
      type: 'conversation',
      instruction: { type: 'static_text', text: 'Good day from {{office}}.' },
      edges: [
        { destination_node_id: 'book', transition_condition: { type: 'prompt', prompt: 'wants a visit' } },
        {
          destination_node_id: 'end',
          transition_condition: {
            type: 'equation',
            operator: '&&',
            equations: [
              { left: 'age', operator: '>', right: 18 },
              { left: '{{plan}}', operator: '==', right: 'gold' },
            ],
          },
        },
      ],
    },
    { id: 'end', name: 'Goodbye', type: 'end' },
  ],
};
const withNode = (node: object, more: object = {}) =>
  imported({
    ...agent,
    conversationFlow: { ...flow, ...more, tools: [], nodes: [{ id: 'n1', name: 'Node one', ...node }] },
  });

describe('a conversation flow of platform B', () => {
  it('becomes one prompt, with a block for each node and the starting node first', () => {
    const { agent: made, platform, reference } = imported({ ...agent, conversationFlow: flow });
    expect(platform).toBe('B');
    expect(made).toMatchObject({
      name: 'Bakery Line',
      instructions:
        'You are the clinic’s desk, Acme.\n\n' +
        '## greet\nSay: “Good day from Acme.”\n\n' +
        '## Book a visit\nSay that you look.\n\n' +
        '## Goodbye',
      firstMessage: null,
      speaksFirst: true,
      temperature: 0.3,
      maxSessionMinutes: 20,
      webhookUrl: 'https://bakery.example/hooks',
    });
    expect(reference).toMatchObject({ model: 'nw-4', voice: 'larynx-rye', language: 'de-DE' });
  });

  it('has its tools, edges and knowledge listed to finish', () => {
    expect(imported({ ...agent, conversationFlow: flow }).toFinish.map(shown)).toEqual([
      'tool | Recreate the tool “book” (custom) as a webhook tool.',
      'transition | Node “greet” | Check that the instructions say when to go on to “Book a visit”: wants a visit',
      'transition | Node “greet” | Check that the instructions say when to go on to “Goodbye”: age > 18 and {{plan}} == gold',
      'transition | Node “Book a visit” | Check that the instructions say when to go on to “Goodbye”: Else',
      'knowledge | Upload the file of “kb_1” to the agent’s knowledge.',
    ]);
  });

  it('has a note that it was flattened', () => {
    expect(notesOf(imported({ ...agent, conversationFlow: flow }))).toEqual([
      'warning: The conversation flow became one text with a block for each of its 3 nodes. Check the order of the steps.',
      'information: The model writes the first message.',
      'information: The variable “office” was filled in with its default.',
    ]);
  });

  const { response_engine: _, ...plain } = agent;
  it.each<[string, object]>([
    ['inside of its agent', { ...agent, conversationFlow: flow }],
    ['inside, by its older name', { ...agent, conversation_flow: flow }],
    ['inside, beside an empty LLM', { ...agent, retellLlmData: null, conversationFlow: flow }],
    ['beside its agent', { agent, conversation_flow: flow }],
    ['inside of a wrapped agent', { agent: { ...agent, conversationFlow: flow } }],
    ['in one object with its agent', { ...plain, ...flow }],
    ['in a list', [{ ...agent, conversationFlow: flow }]],
    ['around its agent', { agent, ...flow }],
    [
      'beside an LLM that the agent does not use',
      {
        agent: { ...agent, response_engine: { type: 'conversation-flow' } },
        llm: { general_prompt: 'No.' },
        conversation_flow: flow,
      },
    ],
  ])('is read %s', (_name, definition) => {
    const { agent: made } = imported(definition);
    expect(made.name).toBe('Bakery Line');
    expect(made.instructions).toContain('## greet\nSay: “Good day from Acme.”');
  });

  it('and its agent are both read if either contains the other', () => {
    expect(notesOf(imported({ agent, ...flow })).join()).not.toContain('Not taken over');
  });

  it.each<[string, object]>([
    ['as a whole', flow],
    ['of nodes with instructions', { nodes: [{ instruction: { text: 'Hi.' } }] }],
    ['of nodes with edges', { nodes: [{ edges: [{ destination_node_id: 'x' }] }] }],
  ])('may be pasted alone: %s', (_name, definition) => {
    const found = imported(definition);
    expect(found.agent.name).toBe('Imported agent');
    expect(notesOf(found).join()).toContain('Only the conversation flow was pasted');
  });

  it.each<[string, object, string[]]>([
    [
      'a transfer',
      { type: 'transfer_call', transfer_destination: { type: 'predefined', number: '+4930123456' } },
      ['transfer | Node “Node one” | Turn on human handoff and set the transfer “Node one” to +4930123456.'],
    ],
    [
      'another agent',
      { type: 'agent_swap', agent_id: 'agent_2' },
      [
        'transfer | Node “Node one” | Turn on human handoff and set the transfer “Node one” to the assistant “agent_2”, an agent of its own here.',
      ],
    ],
    [
      'an action of its own',
      { type: 'press_digit', delay_ms: 5 },
      ['tool | Node “Node one” | Recreate the tool “Node one” (press_digit) as an agent tool.'],
    ],
    [
      'tools of its own',
      { type: 'subagent', tools: [{ type: 'custom', name: 'look' }] },
      ['tool | Node “Node one” | Recreate the tool “look” (custom) as a webhook tool.'],
    ],
    [
      'tools that are kept elsewhere',
      { type: 'function', tool_id: 'tool_9', tool_ids: ['tool_8'] },
      [
        'tool | Node “Node one” | Recreate the tool with the id “tool_9” as an agent tool.',
        'tool | Node “Node one” | Recreate the tool with the id “tool_8” as an agent tool.',
      ],
    ],
    [
      'knowledge',
      { knowledge_base_ids: ['kb_7'] },
      ['knowledge | Node “Node one” | Upload the file of “kb_7” to the agent’s knowledge.'],
    ],
    [
      'edges of all kinds',
      {
        type: 'branch',
        edge: { destination_node_id: 'a' },
        always_edge: { destination_node_id: 'b' },
        success_edge: { destination_node_id: 'c' },
        failed_edge: { destination_node_id: 'd' },
        skip_response_edge: { condition: 'older words' },
        edges: [
          {},
          'x',
          { transition_condition: { type: 'equation', operator: '||', equations: [{ left: 'a' }, { left: 'b' }] } },
        ],
      },
      [
        'transition | Node “Node one” | Check that the instructions say when to go on to another part: a or b',
        'transition | Node “Node one” | Check that the instructions say when to go on to “a”.',
        'transition | Node “Node one” | Check that the instructions say when to go on to “b”.',
        'transition | Node “Node one” | Check that the instructions say when to go on to another part: older words',
        'transition | Node “Node one” | Check that the instructions say when to go on to “c”.',
        'transition | Node “Node one” | Check that the instructions say when to go on to “d”.',
      ],
    ],
    [
      'a way to it from everywhere',
      { global_node_setting: { condition: 'asks for help', go_back_conditions: [{ destination_node_id: 'n1' }] } },
      [
        'transition | Node “Node one” | Check that the instructions say when to go on to “Node one”.',
        'transition | Node “Node one” | Check that the instructions say when to go on to “Node one”: asks for help',
      ],
    ],
  ])('has a node with %s listed', (_name, node, expected) => {
    expect(withNode(node, { knowledge_base_ids: [] }).toFinish.map(shown)).toEqual(expected);
  });

  it.each([
    [{}, {}, true],
    [{ start_speaker: 'user' }, {}, false],
    [{ start_speaker: undefined }, { start_speaker: 'user' }, false],
    [{ start_speaker: 'agent' }, { start_speaker: 'user' }, true],
  ])('with %j and a starting node with %j speaks first: %s', (more, node, first) => {
    expect(withNode(node, more).agent.speaksFirst).toBe(first);
  });

  it('has the nodes and tools of its components', () => {
    const inner = { name: 'Deep', nodes: [{ id: 'd1', instruction: { text: 'Dig.' } }], tools: [{ name: 'dig' }] };
    const component = {
      name: 'Collect',
      start_node_id: 'c2',
      nodes: [
        { id: 'c1', instruction: { text: 'Then ask more.' } },
        { id: 'c2', instruction: 'Ask for the name.' },
      ],
      mcps: [{ name: 'search' }],
      flex: true,
      components: [inner],
    };
    const found = imported({ ...agent, conversationFlow: { ...flow, components: [component] } });
    expect(found.agent.instructions).toMatch(
      /## Goodbye\n\n## Collect: c2\nAsk for the name\.\n\n## Collect: c1\nThen ask more\.\n\n## Collect: Deep: d1\nDig\.$/,
    );
    expect(finishing(found, 'tool')).toEqual([
      'Recreate the tool “book” (custom) as a webhook tool.',
      'Recreate the tool “search” (mcp) as an integration tool.',
      'Recreate the tool “dig” as an agent tool.',
    ]);
    expect(notesOf(found)).toContain('warning: conversationFlow.components[]: Not taken over: flex.');
  });

  it('has the settings of its nodes named once', () => {
    const node = { type: 'conversation', interruption_sensitivity: 1, display_position: { x: 1 } };
    const nodes = [
      { id: 'a', ...node },
      { id: 'b', ...node, voice_speed: 2 },
      { id: 'c', type: 'code', code: 'x' },
    ];
    expect(notesOf(imported({ ...agent, conversationFlow: { ...flow, nodes, tools: [] } }))).toContain(
      'warning: conversationFlow.nodes[]: Not taken over: interruption_sensitivity, voice_speed.',
    );
  });

  it('has the settings of its model, edges and ways from everywhere named', () => {
    const node = {
      edges: [{ id: 'e', destination_node_id: 'b', finetune: 1 }],
      global_node_setting: { condition: 'x', cool_down: 1 },
    };
    const notes = notesOf(withNode(node, { model_choice: { type: 'cascading', model: 'nw-4', high_priority: true } }));
    expect(notes.filter(note => note.includes('Not taken over'))).toEqual([
      'warning: conversationFlow.nodes[].edges[]: Not taken over: finetune.',
      'warning: conversationFlow.nodes[].global_node_setting: Not taken over: cool_down.',
      'warning: conversationFlow.model_choice: Not taken over: high_priority.',
    ]);
  });

  it('without any text asks for instructions', () => {
    const found = imported({ ...agent, conversationFlow: { nodes: [], start_node_id: 'x' } });
    expect(finishing(found, 'instructions')).toEqual(['Write the instructions: the definition has no prompt.']);
  });
});
