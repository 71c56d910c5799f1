import { finishing, importedA } from './testing/definitions.js';

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
    ['zeros', { destinations: [{ number: '+10000000000' }] }, 'a real number: +10000000000 is a placeholder.'],
    ['a variable', { destinations: [{ number: '{{desk}}' }] }, 'the number that the variable {{desk}} holds.'],
  ])('that transfers to %s has it listed to finish', (_, fields, where) => {
    const found = importedA({}, { tools: [{ type: 'transferCall', ...fields }] });
    expect(finishing(found, 'transfer')).toEqual([`${handoff} ${where}`]);
    expect(finishing(found, 'tool')).toEqual([]);
    expect(found.agent.todo).toContain(`${handoff} ${where}`);
  });

  it('lists every destination of a transfer', () => {
    const destinations = [{ number: '+442079460001' }, { number: '+442079460002' }];
    const found = importedA({}, { tools: [{ type: 'transferCall', function: { name: 'to_desk' }, destinations }] });
    expect(finishing(found, 'transfer')).toEqual([
      'Turn on human handoff and set the transfer “to_desk” to +442079460001.',
      'Turn on human handoff and set the transfer “to_desk” to +442079460002.',
    ]);
  });

  it('lists a number that it forwards to', () => {
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

  it('with text in place of its tools has that listed', () => {
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
      ['Upload what the definition’s knowledge server answers with to the agent’s knowledge.'],
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

  it('has at most a hundred things to do, the last of which says how many more there are', () => {
    const tools = Array.from({ length: 130 }, (_, index) => ({ type: 'function', name: `tool_${index}` }));
    const { agent, toFinish } = importedA({}, { tools });
    expect(toFinish).toHaveLength(130);
    expect(agent.todo).toHaveLength(100);
    expect(agent.todo[99]).toBe('And 31 more: compare with the definition.');
  });
});
