import { finishing, importedA, notesOf, shown } from '../testing/definitions.js';

describe('tools, transfers and knowledge of platform A', () => {
  const handoff = 'Turn on human handoff and set the transfer “transferCall” to';
  it.each<[string, object, string]>([
    ['a number', { destinations: [{ type: 'number', number: '+44 20 7946 0001' }] }, '+44 20 7946 0001.'],
    [
      'a number with an extension',
      { destinations: [{ number: '+442079460001', extension: '12' }] },
      '+442079460001,12.',
    ],
    ['a number in plain text', { destinations: ['+442079460001'] }, '+442079460001.'],
    ['one destination', { destination: { type: 'number', number: '+442079460001' } }, '+442079460001.'],
    ['an older number', { forwardingPhoneNumber: '+442079460002' }, '+442079460002.'],
    ['an even older number', { forwardingNumber: '+442079460003' }, '+442079460003.'],
    ['a SIP address', { destinations: [{ type: 'sip', sipUri: 'sip:desk@pbx.example' }] }, 'sip:desk@pbx.example.'],
    [
      'an assistant',
      { destinations: [{ type: 'assistant', assistantName: 'Night' }] },
      'the assistant “Night”, an agent of its own here.',
    ],
    [
      'a destination chosen later',
      { destinations: [{ type: 'dynamic' }] },
      'a number that a server chose during the call.',
    ],
    ['no destination', { destinations: [] }, 'a number that the definition does not name.'],
    ['a placeholder', { destinations: [{ number: '+1XXXXXXXXXX' }] }, 'a real number: +1XXXXXXXXXX is a placeholder.'],
    [
      'a sentence with a number',
      { destinations: [{ number: 'ring +442079460001' }] },
      'a real number: ring +442079460001 is a placeholder.',
    ],
    ['zeros', { destinations: [{ number: '+10000000000' }] }, 'a real number: +10000000000 is a placeholder.'],
    ['a variable', { destinations: [{ number: '{{desk}}' }] }, 'the number that the variable {{desk}} holds.'],
  ])('that transfers to %s has it listed to finish', (_, fields, where) => {
    const found = importedA({}, { tools: [{ type: 'transferCall', ...fields }] });
    expect(finishing(found, 'transfer')).toEqual([`${handoff} ${where}`]);
    expect(finishing(found, 'tool')).toEqual([]);
    expect(found.agent.todo).toContain(`${handoff} ${where}`);
  });

  it('takes a function of this name for a transfer', () => {
    const tool = { name: 'transferCall', destinations: ['+442079460001'] };
    expect(finishing(importedA({}, { tools: [tool] }), 'transfer')).toEqual([`${handoff} +442079460001.`]);
    const other = { type: 'apiRequest', ...tool };
    expect(finishing(importedA({}, { tools: [other] }), 'transfer')).toEqual([]);
  });

  it('lists every destination of a transfer', () => {
    const destinations = [{ number: '+442079460001' }, { number: '+442079460002' }];
    const found = importedA({}, { tools: [{ type: 'transferCall', function: { name: 'to_desk' }, destinations }] });
    expect(finishing(found, 'transfer')).toEqual([
      'Turn on human handoff and set the transfer “to_desk” to +442079460001.',
      'Turn on human handoff and set the transfer “to_desk” to +442079460002.',
    ]);
  });

  it('lists its forwarding number', () => {
    expect(finishing(importedA({ forwardingPhoneNumber: '+442079460009' }), 'transfer')).toEqual([
      'Turn on human handoff and set the transfer “forwarding” to +442079460009.',
    ]);
  });

  const named = { function: { name: 'look_up' } };
  it.each<[string, object, object, string[]]>([
    ['a function', {}, { tools: [{ type: 'function', ...named }] }, ['“look_up” (function) as a webhook tool']],
    ['a tool without a type', {}, { tools: [named] }, ['“look_up” (function) as a webhook tool']],
    ['a request', {}, { tools: [{ type: 'apiRequest', name: 'ask' }] }, ['“ask” (apiRequest) as a webhook tool']],
    [
      'a calendar',
      {},
      { tools: [{ type: 'google.calendar.event.create', name: 'book' }] },
      ['“book” (google.calendar.event.create) as a calendar tool'],
    ],
    ['an automation', {}, { tools: [{ type: 'make', name: 'run' }] }, ['“run” (make) as an automation tool']],
    [
      'an integration',
      {},
      { tools: [{ type: 'slack.message.send' }] },
      ['“slack.message.send” (slack.message.send) as an integration tool'],
    ],
    ['an ending', {}, { tools: [{ type: 'endCall' }] }, ['“endCall” (endCall) as an agent tool']],
    ['tools beside the model', { tools: [named] }, { tools: undefined }, ['“look_up” (function) as a webhook tool']],
    [
      'functions of the model',
      {},
      { tools: undefined, functions: [{ name: 'look_up', parameters: {} }] },
      ['“look_up” (function) as a webhook tool'],
    ],
    ['functions beside the model', { functions: [{ name: 'look_up' }] }, { tools: [] }, ['“look_up” as an agent tool']],
    ['tools by name', {}, { tools: ['look_up'] }, ['“look_up” as an agent tool']],
    [
      'ids of tools',
      {},
      { tools: [], toolIds: ['t-1', 't-2'] },
      ['with the id “t-1” as an agent tool', 'with the id “t-2” as an agent tool'],
    ],
    ['ids of tools beside the model', { toolIds: ['t-1'] }, { tools: [] }, ['with the id “t-1” as an agent tool']],
    [
      'a tool and its id',
      {},
      { tools: [{ id: 't-1', ...named }], toolIds: ['t-1'] },
      ['“look_up” (function) as a webhook tool'],
    ],
    ['a tool twice', { tools: [named] }, { tools: [named] }, ['“look_up” (function) as a webhook tool']],
    ['nothing that is a tool', {}, { tools: [null, 7, {}, ''] }, []],
  ])('with %s has it listed to finish', (_, fields, model, expected) => {
    const found = importedA(fields, model);
    expect(finishing(found, 'tool')).toEqual(expected.map(text => `Recreate the tool ${text}.`));
  });

  it('with a text instead of tools has the text listed', () => {
    expect(finishing(importedA({}, { tools: 'SEE_OTHER_FILE' }), 'tool')).toEqual([
      'Recreate the tools that the definition keeps elsewhere: it only says “SEE_OTHER_FILE”.',
    ]);
  });

  const upload = (what: string) => `Upload the file of “${what}” to the agent’s knowledge.`;
  it.each<[string, object, object, string[]]>([
    ['files', {}, { knowledgeBase: { provider: 'x', fileIds: ['f-1', 'f-2'] } }, [upload('f-1'), upload('f-2')]],
    [
      'a server',
      {},
      { knowledgeBase: { server: { url: 'https://k.example' } } },
      ['Upload the content of the definition’s knowledge server to the agent’s knowledge.'],
    ],
    ['an id', {}, { knowledgeBaseId: 'kb-1' }, [upload('kb-1')]],
    ['an id beside the model', { knowledgeBaseId: 'kb-1' }, {}, [upload('kb-1')]],
    [
      'no word on where',
      {},
      { knowledgeBase: { provider: 'x' } },
      ['Upload the files of the definition’s knowledge base to the agent’s knowledge.'],
    ],
    ['nothing in it', {}, { knowledgeBase: null }, []],
  ])('with knowledge of %s has it listed to finish', (_, fields, model, expected) => {
    expect(finishing(importedA(fields, model), 'knowledge')).toEqual(expected);
  });

  it.each<[string, object, object, string[]]>([
    ['ids', {}, { toolRefs: [{ toolId: 't-1', version: 3 }, { id: 't-2' }, 't-3', {}] }, ['t-1', 't-2', 't-3']],
    ['the same ids as others', {}, { toolIds: ['t-1'], toolRefs: [{ toolId: 't-1' }] }, ['t-1']],
    ['ids beside the model', { toolRefs: [{ toolId: 't-1' }] }, {}, ['t-1']],
  ])('with pinned references to %s has the tools listed', (_, fields, model, ids) => {
    expect(finishing(importedA(fields, { tools: [], ...model }), 'tool')).toEqual(
      ids.map(id => `Recreate the tool with the id “${id}” as an agent tool.`),
    );
  });

  it('with switches that give the model a tool has those listed, once', () => {
    const switches = { endCallFunctionEnabled: true, dialKeypadFunctionEnabled: true };
    const endCall = 'Recreate the tool “endCall” (endCall) as an agent tool.';
    const found = importedA(switches, { tools: [{ type: 'endCall' }] });
    expect(finishing(found, 'tool')).toEqual([endCall, 'Recreate the tool “dtmf” (dtmf) as an agent tool.']);
    expect(importedA({ endCallFunctionEnabled: false, dialKeypadFunctionEnabled: false }).toFinish).toHaveLength(1);
  });

  it.each(['leave_voicemail', 'voicemail'])(
    'with a tool of type %s has a note that agents leave no voicemail',
    type => {
      const found = importedA({}, { tools: [{ type, name: 'leave' }] });
      expect(found.toFinish).toEqual([]);
      expect(notesOf(found)).toEqual(['information: The voicemail settings are not used: agents leave no voicemail.']);
    },
  );

  it('with a tool that queries files has the files and the tool listed', () => {
    const bases = [
      { name: 'prices', fileIds: ['f-1', 'f-2'] },
      { server: { url: 'https://k.example' } },
      { name: 'x' },
    ];
    const tool = { type: 'query', function: { name: 'ask' }, knowledgeBases: bases, fileIds: ['f-3'] };
    expect(importedA({}, { tools: [tool] }).toFinish.map(shown)).toEqual([
      `knowledge | ${upload('f-3')}`,
      `knowledge | ${upload('f-1')}`,
      `knowledge | ${upload('f-2')}`,
      'knowledge | Upload the content of the definition’s knowledge server to the agent’s knowledge.',
      'knowledge | Upload the files of the definition’s knowledge base to the agent’s knowledge.',
      'tool | Recreate the tool “ask” (query) as an integration tool.',
    ]);
  });

  it('with a handoff has each of its destinations listed', () => {
    const destinations = [
      { type: 'assistant', assistantName: 'Night' },
      { type: 'assistant', assistantId: 'a-2' },
      { type: 'assistant', assistant: { name: 'Own' } },
      { type: 'squad', squadId: 's-1' },
      { type: 'dynamic', server: { url: 'https://h.example' } },
      { type: 'assistant' },
    ];
    const to = (where: string) => `Turn on human handoff and set the transfer “hand_over” to ${where}.`;
    const agentTo = (name: string) => to(`the assistant “${name}”, an agent of its own here`);
    const tool = { type: 'handoff', function: { name: 'hand_over' }, destinations };
    expect(finishing(importedA({}, { tools: [tool] }), 'transfer')).toEqual([
      ...['Night', 'a-2', 'Own', 's-1'].map(agentTo),
      to('a number that a server chose during the call'),
      to('a number that the definition does not name'),
    ]);
  });

  it.each<[string, object, string]>([
    [
      'a transfer',
      { type: 'tool', tool: { type: 'transferCall', destinations: [{ number: '+14155550123' }] } },
      'transfer | Hook “call.ending” | Turn on human handoff and set the transfer “transferCall” to +14155550123.',
    ],
    [
      'an older transfer',
      { type: 'transfer', destination: { type: 'number', number: '+14155550123' } },
      'transfer | Hook “call.ending” | Turn on human handoff and set the transfer “transfer” to +14155550123.',
    ],
    [
      'a transfer without a type',
      { destinations: ['+14155550123'] },
      'transfer | Hook “call.ending” | Turn on human handoff and set the transfer “transfer” to +14155550123.',
    ],
    [
      'a tool',
      { type: 'tool', tool: { type: 'apiRequest', name: 'note' } },
      'tool | Hook “call.ending” | Recreate the tool “note” (apiRequest) as a webhook tool.',
    ],
    [
      'the id of a tool',
      { type: 'tool', toolId: 't-9' },
      'tool | Hook “call.ending” | Recreate the tool with the id “t-9” as an agent tool.',
    ],
    [
      'words',
      { type: 'say', exact: 'Are you there?' },
      'hook | Hook “call.ending” | Write into the instructions when the agent says: “Are you there?”.',
    ],
    [
      'one of several words',
      { type: 'say', exact: ['', 'Hello?', 'Still there?'] },
      'hook | Hook “call.ending” | Write into the instructions when the agent says: “Hello?”.',
    ],
    [
      'words that the model makes',
      { type: 'say', prompt: 'Ask whether they listen.' },
      'hook | Hook “call.ending” | Write into the instructions when the agent says: “Ask whether they listen.”.',
    ],
    [
      'another action',
      { type: 'message.add', message: { role: 'system' } },
      'hook | Hook “call.ending” | Rebuild the action “message.add”: agents have no hooks.',
    ],
    ['nothing that is known', {}, 'hook | Hook “call.ending” | Rebuild the action “unnamed”: agents have no hooks.'],
  ])('with a hook that does %s has it listed', (_, action, expected) => {
    const found = importedA({ hooks: [{ on: 'call.ending', do: [action] }] }, { tools: [] });
    expect(found.toFinish.map(shown)).toEqual([expected]);
    expect(found.toFinish[0]?.path).toMatch(/^hooks\[0\]\.do\[0\]/);
    expect(found.notes).toEqual([]);
  });

  it('with a hook without actions or event has the hook listed', () => {
    const found = importedA({ hooks: [{ on: 'call.timeElapsed' }, { do: [{ type: 'x' }] }] }, { tools: [] });
    expect(found.toFinish.map(shown)).toEqual([
      'hook | Hook “call.timeElapsed” | Rebuild the action “call.timeElapsed”: agents have no hooks.',
      'hook | Hook “unnamed” | Rebuild the action “x”: agents have no hooks.',
    ]);
  });

  it('has at most a hundred texts to do, the last of which says how many more there are', () => {
    const tools = Array.from({ length: 130 }, (_, index) => ({ type: 'function', name: `tool_${index}` }));
    const { agent, toFinish } = importedA({}, { tools });
    expect(toFinish).toHaveLength(130);
    expect(agent.todo).toHaveLength(100);
    expect(agent.todo[99]).toBe('Compare with the definition: 31 more items are not listed.');
  });

  it('has no more than five hundred items, and one that counts the rest', () => {
    const tools = Array.from({ length: 740 }, (_, index) => ({ type: 'function', name: `tool_${index}` }));
    const { agent, toFinish } = importedA({}, { tools });
    expect(toFinish).toHaveLength(501);
    expect(toFinish[500]).toEqual({ kind: 'more', code: 'more_items', path: '', values: { count: 240 } });
    expect(agent.todo[99]).toBe('Compare with the definition: 641 more items are not listed.');
  });
});
