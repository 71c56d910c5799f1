import { describeFinding, describePart } from '../findings/finding-texts.js';
import { importAgent } from '../import-agent.js';
import { Place } from '../definition/place.js';
import type { FinishItem, FinishKind, ImportedAgent, ImportFailure } from '../findings/imported-agent.js';

/** A whole definition of platform A. */
export const assistant = {
  id: 'a7c1',
  name: 'Harbour Desk',
  firstMessage: 'Harbour office, good day {{customer.name}}.',
  firstMessageMode: 'assistant-speaks-first',
  model: {
    provider: 'northwind',
    model: 'nw-4',
    temperature: 0.4,
    messages: [
      { role: 'system', content: 'You answer for the harbour office.' },
      { role: 'system', content: 'Berths are given out by the hour.' },
    ],
    tools: [{ type: 'function', function: { name: 'find_berth' } }],
  },
  voice: { provider: 'larynx', voiceId: 'marina' },
  transcriber: { provider: 'listener', model: 'l-2', language: 'en-GB' },
  endCallMessage: 'Fair winds.',
  endCallPhrases: ['goodbye', 'cast off'],
  maxDurationSeconds: 900,
  server: { url: 'https://harbour.example/hooks' },
};

/** The two halves of a definition of platform B. */
export const agent = {
  agent_id: 'agent_1',
  agent_name: 'Bakery Line',
  voice_id: 'larynx-rye',
  language: 'de-DE',
  max_call_duration_ms: 1_200_000,
  webhook_url: 'https://bakery.example/hooks',
  response_engine: { type: 'llm', llm_id: 'llm_1' },
};
export const llm = {
  llm_id: 'llm_1',
  model: 'nw-4',
  model_temperature: 0.2,
  general_prompt: 'You take orders for {{bakery}}. The caller is {{caller}}.',
  begin_message: 'Good morning!',
  start_speaker: 'agent',
  default_dynamic_variables: { bakery: 'The Crust' },
  general_tools: [{ type: 'custom', name: 'place_order' }],
};

/** Imports the definition of platform A with these fields changed. `undefined` removes a field. */
export function importedA(fields: object = {}, model: object = {}): ImportedAgent {
  return imported({ ...assistant, model: { ...assistant.model, ...model }, ...fields });
}

export function importedB(agentFields: object = {}, llmFields: object = {}): ImportedAgent {
  return imported({ agent: { ...agent, ...agentFields }, llm: { ...llm, ...llmFields } });
}

export function imported(definition: unknown): ImportedAgent {
  const result = importAgent(JSON.stringify(definition));
  if (!result.ok) throw new Error(`Not imported: ${describeFinding(result)}`);
  const { ok: _, ...rest } = result;
  return rest;
}

export function refused(text: string): ImportFailure {
  const result = importAgent(text);
  if (result.ok) throw new Error(`Imported as ${result.agent.name}.`);
  const { ok: _, ...failure } = result;
  return failure;
}

export function finishing({ toFinish }: ImportedAgent, kind: FinishKind): string[] {
  return toFinish.filter(item => item.kind === kind).map(item => describeFinding(item));
}

/** Items as a reader sees them: kind, part and sentence. */
export function shown({ kind, part, ...finding }: FinishItem): string {
  return [kind, part && describePart(part), describeFinding(finding as FinishItem)].filter(text => text).join(' | ');
}

export function notesOf({ notes }: ImportedAgent): string[] {
  return notes.map(note => `${note.severity}: ${describeFinding(note)}`);
}

/** A value without credentials to look for. */
export function placeOf(value: unknown): Place {
  const ignore = () => undefined;
  return Place.root(
    value,
    { paths: [], values: new Set(), doubtful: new Set() },
    { onRemoved: ignore, onRepeated: ignore },
  );
}

/** Fields of definitions that hold secrets. */
export const secretFields = [
  ...['apiKey', 'api_key', 'cal_api_key', 'x-api-key', 'secret', 'serverUrlSecret', 'webhook_secret', 'clientSecret'],
  ...[
    'token',
    'access_token',
    'authToken',
    'password',
    'credentialId',
    'credentialIds',
    'credentials',
    'Authorization',
  ],
  ...['headers', 'privateKey', 'signature', 'accountSid', 'bearerToken', 'cookie', 'key'],
];
