import { describeFinding } from '../findings/finding-texts.js';
import { agent, assistant, imported, llm, refused } from '../testing/definitions.js';

const { model: _, ...headless } = assistant;

describe('a wrapper of an assistant of platform A', () => {
  it.each<[string, unknown]>([
    ['nothing', assistant],
    ['an object', { assistant }],
    ['notes beside it', { _comment: 'x', tools: [], assistant }],
    ['a list of one', [assistant]],
    ['a list of a list', [[{ assistant }]]],
    ['a webhook’s payload', { message: { type: 'assistant-request', call: { id: 'c' }, assistant } }],
    ['a call in a webhook’s payload', { message: { type: 'status-update', call: { assistant } } }],
    ['a call', { call: { assistant } }],
    ['the answer of an API', { data: assistant }],
    ['a list in the answer of an API', { results: [assistant], hasMore: false }],
    ['a list of assistants', { assistants: [{ assistant }] }],
    ['a squad before it', { squad: { members: [{ assistantId: 'a-2' }] }, data: assistant }],
    ['fields that nobody knows', { ...assistant, isServerUrlSecretSet: false, nodesCount: 3 }],
    ['an assistant of the same name inside', { ...assistant, assistant: { name: 'Inner', firstMessage: 'no' } }],
  ])('%s is removed', (_name, definition) => {
    expect(imported(definition)).toMatchObject({ platform: 'A', agent: { name: 'Harbour Desk' } });
  });

  it.each<[string, object]>([
    ['a model', { model: { provider: 'x', model: 'y' } }],
    ['an empty list of messages', { model: { messages: [] } }],
    ['a first message', { firstMessage: '' }],
    ['a voice', { voice: { voiceId: 'v' } }],
    ['a transcriber', { transcriber: { provider: 'x' } }],
    ['everything but a model', headless],
  ])('an assistant is recognised by %s', (_name, definition) => {
    expect(imported(definition).platform).toBe('A');
  });

  it.each<[string, object]>([
    ['its ID', { llm_id: 'l-1' }],
    ['its temperature', { model_temperature: 0.3 }],
    ['a state with a prompt', { states: [{}, { name: 'order', state_prompt: 'Take the order.' }] }],
  ])('an LLM of platform B without its agent is recognised by %s', (_name, definition) => {
    expect(imported(definition).platform).toBe('B');
  });

  it('a byte order mark and blanks are removed', () => {
    expect(imported(assistant)).toEqual(imported(JSON.parse(`\n ${JSON.stringify(assistant)} `)));
    expect(refused('\uFEFF \n').code).toBe('empty');
  });
});

describe('a definition that cannot be imported', () => {
  const squad = {
    name: 'Team',
    members: [{ assistant: { name: 'First' } }, { assistantId: 'a-2' }, { assistant: {} }],
  };

  it.each<[string, unknown, string, string]>([
    [
      'a squad',
      squad,
      'squad',
      'This is a squad of platform A, of several assistants: “First”, “a-2”. Paste one member’s assistant object at a time.',
    ],
    ['a squad in an object', { squad }, 'squad', 'several assistants: “First”, “a-2”.'],
    [
      'a squad beside an unknown object',
      { assistant: { x: 1 }, squad },
      'squad',
      'several assistants: “First”, “a-2”.',
    ],
    ['a squad in a payload', { message: { squad } }, 'squad', 'several assistants: “First”, “a-2”.'],
    [
      'a workflow',
      { name: 'W', nodes: [{ type: 'say' }], edges: [] },
      'workflow',
      'Paste one assistant object instead.',
    ],
    [
      'a workflow in an object',
      { workflow: { type: 'workflow', nodes: [] } },
      'workflow',
      'This is a workflow of platform A',
    ],
    ['a saved error', { message: 'Not Found', statusCode: 404 }, 'saved_error', 'Export the definition again'],
    ['another saved error', { error: { message: 'x' } }, 'saved_error', 'Export the definition again'],
    ['a saved error as text', { error: 'Not found' }, 'saved_error', 'Export the definition again'],
    ['a saved error with a status', { status: 500, message: 'x' }, 'saved_error', 'Export the definition again'],
    ['a message alone', { message: 'x' }, 'unknown_format', 'not a known agent definition'],
    ['a status alone', { statusCode: 404 }, 'unknown_format', 'not a known agent definition'],
    [
      'an agent without its flow',
      { ...agent, response_engine: { type: 'conversation-flow' } },
      'conversation_flow',
      'Paste both, as { "agent": …, "conversation_flow": … }.',
    ],
    [
      'an agent in an object without its flow',
      { agent: { ...agent, response_engine: { type: 'conversation-flow' } } },
      'conversation_flow',
      'without its conversation flow',
    ],
    [
      'an agent with a flow that has no nodes',
      { ...agent, retellLlmData: null, conversationFlow: { global_prompt: 'Hi.' } },
      'conversation_flow',
      'without its conversation flow',
    ],
    [
      'nodes of another program',
      { name: 'W', nodes: [{ type: 'mail.send' }, 7], connections: {} },
      'unknown_format',
      'not a known agent definition',
    ],
    ['two assistants of a list', { results: [assistant, assistant] }, 'several_definitions', 'a list of 2 definitions'],
    ['an agent alone', agent, 'llm_missing', 'Paste both, as { "agent": …, "llm": … }.'],
    ['an agent with a name and a voice alone', { agent_name: 'A', voice_id: 'v' }, 'llm_missing', 'Paste both'],
    ['an agent in an object', { agent }, 'llm_missing', 'Paste both'],
    ['an agent without what its LLM was', { agent, llm: null }, 'llm_missing', 'Paste both'],
    [
      'an agent with an LLM of one’s own',
      { ...agent, response_engine: { type: 'custom-llm' } },
      'llm_elsewhere',
      'runs on a server of your own',
    ],
    [
      'two definitions',
      [assistant, { agent, llm }, {}],
      'several_definitions',
      'This is a list of 3 definitions: “Harbour Desk”, “Bakery Line”. Paste one at a time.',
    ],
    [
      'many definitions',
      Array.from({ length: 30 }, () => ({ name: 'X' })),
      'several_definitions',
      ' and 10 more. Paste one',
    ],
    ['an empty object', {}, 'unknown_format', 'This is JSON, but not a known agent definition.'],
    ['an empty list', [], 'unknown_format', 'not a known agent definition'],
    [
      'another object',
      { name: 'x', version: '1.0.0', dependencies: {} },
      'unknown_format',
      'Paste one assistant object of platform A, or',
    ],
    ['null', null, 'unknown_format', 'not a known agent definition'],
    ['a number', 7, 'unknown_format', 'not a known agent definition'],
    ['text', 'hello', 'unknown_format', 'not a known agent definition'],
    [
      'wrappers without end',
      { data: { data: { data: { data: { data: { data: { data: assistant } } } } } } },
      'unknown_format',
      'not a known agent',
    ],
  ])('is refused with advice: %s', (_name, definition, code, message) => {
    const failure = refused(JSON.stringify(definition));
    expect(failure).toEqual({ code, values: expect.any(Object) });
    expect(describeFinding(failure)).toContain(message);
  });
});
