import { describeFinding, describePart } from './finding-texts.js';
import type { Finding } from './imported-agent.js';

describe('the sentence of a finding', () => {
  it.each<[string, Finding & { path?: string }]>([
    ['Not taken over: a, b.', { code: 'not_taken_over', path: '', values: { fields: ['a', 'b'], more: 0 } }],
    [
      'model: Not taken over: a and 1,200 more.',
      { code: 'not_taken_over', path: 'model', values: { fields: ['a'], more: 1200 } },
    ],
    [
      'Recreate the tool “x” as an agent tool.',
      { code: 'tool', path: 'tools[0]', values: { name: 'x', type: '', counterpart: 'agent' } },
    ],
    [
      'maxDurationSeconds: This value is not a number, so it was not read. Set the agent’s field by hand.',
      { code: 'number_expected', path: 'maxDurationSeconds', values: {} },
    ],
    [
      'model.systemPrompt: The definition has several prompts, and this one was left out.',
      { code: 'prompt_ignored', path: 'model.systemPrompt', values: {} },
    ],
    [
      'serverUrl: The definition has several webhooks, and this one was left out.',
      { code: 'webhook_ignored', path: 'serverUrl', values: {} },
    ],
    ['1,000 more notes are not listed.', { code: 'more_notes', values: { count: 1000 } }],
    [
      'The definition has too many credentials: at most 200. Remove them before you paste it.',
      { code: 'too_many_credentials', values: { limit: 200 } },
    ],
    [
      'This is a list of 2 definitions. Paste one at a time.',
      { code: 'several_definitions', values: { count: 2, names: [], more: 0 } },
    ],
  ])('is: %s', (text, finding) => {
    expect(describeFinding(finding)).toBe(text);
  });

  it.each([
    [{ type: 'state', name: 'order' }, 'State “order”'],
    [{ type: 'node', name: 'n1' }, 'Node “n1”'],
    [{ type: 'hook', name: 'call.ending' }, 'Hook “call.ending”'],
  ] as const)('names the part %j', (part, text) => expect(describePart(part)).toBe(text));
});
