import fc from 'fast-check';
import { agent, assistant, llm } from './definitions.js';

/** Names that the importer reads, so that generated definitions are recognised. */
const names = [
  ...Object.keys(assistant),
  ...Object.keys(assistant.model),
  ...Object.keys(agent),
  ...Object.keys(llm),
  ...[
    'systemPrompt',
    'serverUrl',
    'toolIds',
    'functions',
    'knowledgeBase',
    'knowledgeBaseId',
    'fileIds',
    'voicemailMessage',
  ],
  ...[
    'destinations',
    'number',
    'type',
    'function',
    'role',
    'content',
    'text',
    'url',
    'states',
    'state_prompt',
    'edges',
  ],
  ...[
    'starting_state',
    'mcps',
    'transfer_destination',
    'parameters',
    'prompt',
    'knowledge_base_ids',
    'voicemail_option',
  ],
  ...[
    'assistant',
    'agent',
    'llm',
    'retellLlmData',
    'message',
    'call',
    'squad',
    'members',
    'nodes',
    'error',
    'statusCode',
  ],
  ...['apiKey', 'headers', 'credentialId', '__proto__', 'constructor', 'toString'],
];

const value = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    0,
    -0,
    1e300,
    'system',
    'transferCall',
    'transfer_call',
    '{{ x }}',
    '{{',
    'https://a.example',
  ),
  fc.string({ unit: 'binary' }),
  fc.double(),
);

/** Anything that JSON can hold, under names that mean something. */
export const almostDefinition: fc.Arbitrary<unknown> = fc.letrec(tie => ({
  any: fc.oneof({ depthSize: 'small', withCrossShrink: true }, value, tie('list'), tie('fields')),
  list: fc.array(tie('any'), { maxLength: 4 }),
  fields: fc.dictionary(fc.constantFrom(...names), tie('any'), { maxKeys: 12 }),
})).any;

/** A definition of either platform with one of its fields, at any depth, replaced by anything. */
export function altered(replacement: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const definitions = [assistant, { assistant }, { agent, llm }, { ...agent, retellLlmData: llm }, llm];
  return fc
    .constantFrom<unknown>(...definitions)
    .chain(definition => fc.tuple(fc.constant(definition), fc.constantFrom(...pathsOf(definition)), replacement))
    .map(([definition, path, put]) => replaced(definition, path, () => put));
}

/** The way to every value of a definition. */
export function pathsOf(definition: unknown, path: string[] = []): string[][] {
  if (typeof definition !== 'object' || definition === null) return [path];
  const inner = Object.entries(definition).flatMap(([name, one]) => pathsOf(one, [...path, name]));
  return path.length === 0 ? inner : [path, ...inner];
}

export function replaced(
  definition: unknown,
  [name, ...rest]: readonly string[],
  change: (old: unknown) => unknown,
): unknown {
  if (name === undefined) return change(definition);
  const fields = definition as Record<string, unknown>;
  const inner = replaced(fields[name], rest, change);
  return Array.isArray(definition) ? Object.assign([...definition], { [name]: inner }) : { ...fields, [name]: inner };
}
