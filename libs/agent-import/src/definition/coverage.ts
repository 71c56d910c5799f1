import { holdsCredential, pathTo } from '../secrets/credentials.js';
import type { Findings } from '../findings/findings.js';
import type { Place } from './place.js';

/** Users do not read longer lists. */
const maxNames = 40;

interface Coverage {
  /** Fields that become a field of the agent, an item to finish or a note. */
  taken: readonly string[];
  /** Fields that do not affect a conversation. */
  inert: readonly string[];
}

const versions = ['version', 'version_title', 'version_description', 'base_version', 'is_published', 'is_public'];
const times = ['createdAt', 'updatedAt', 'created_at', 'updated_at', 'last_modification_timestamp'];
const drawing = ['display_position', 'begin_tag_display_position', 'notes'];

/**
 * The fields of each object of a definition that the mapping reads itself. All other fields with a value are listed as not taken
 * over, also those that the platforms add later. The content of a tool, a hook or a knowledge base is covered by its
 * item to finish.
 */
export const coverages = {
  /** An object around an assistant, or around an agent and its LLM. */
  wrapper: {
    taken: [],
    inert: ['id', 'type', 'name', 'exportedAt', 'exported_at', 'timestamp', ...versions, ...times],
  },
  assistant: {
    taken: [
      ...['name', 'model', 'voice', 'transcriber', 'firstMessage', 'firstMessageMode', 'systemPrompt'],
      ...['endCallMessage', 'endCallPhrases', 'maxDurationSeconds', 'server', 'serverUrl', 'voicemailMessage'],
      ...['tools', 'functions', 'toolIds', 'toolRefs', 'hooks', 'knowledgeBase', 'knowledgeBaseId'],
      ...['forwardingPhoneNumber', 'forwardingNumber', 'endCallFunctionEnabled', 'dialKeypadFunctionEnabled'],
    ],
    inert: ['id', 'orgId', 'metadata', 'isServerUrlSecretSet', 'latestVersionId', 'parentId', ...versions, ...times],
  },
  model: {
    taken: [
      ...['provider', 'model', 'messages', 'systemPrompt', 'systemMessage', 'temperature'],
      ...['tools', 'functions', 'toolIds', 'toolRefs', 'knowledgeBase', 'knowledgeBaseId'],
    ],
    inert: [],
  },
  voice: { taken: ['provider', 'voiceId', 'voice', 'language'], inert: [] },
  transcriber: { taken: ['provider', 'model', 'speechModel', 'language', 'languages'], inert: [] },
  server: { taken: ['url'], inert: [] },
  agent: {
    taken: [
      ...['agent_name', 'voice_id', 'language', 'max_call_duration_ms', 'webhook_url'],
      ...['voicemail_option', 'voicemail_message', 'knowledge_base_ids'],
    ],
    // The engine names the LLM or the flow, which is read from beside it.
    inert: ['agent_id', 'response_engine', 'llmURL', 'assigned_tags', 'folder_id', 'metadata', ...versions, ...times],
  },
  llm: {
    taken: [
      ...['general_prompt', 'states', 'starting_state', 'begin_message', 'start_speaker', 'default_dynamic_variables'],
      ...['model', 's2s_model', 'model_temperature', 'temperature'],
      ...['general_tools', 'tools', 'mcps', 'knowledge_base_ids'],
    ],
    inert: ['llm_id', ...versions, ...times],
  },
  state: { taken: ['name', 'state_prompt', 'edges', 'tools'], inert: [] },
  edge: { taken: ['destination_state_name', 'description'], inert: ['id'] },
  flow: {
    taken: [
      ...['global_prompt', 'nodes', 'components', 'start_node_id', 'start_speaker', 'default_dynamic_variables'],
      ...['model_choice', 'model_temperature', 'tools', 'mcps', 'knowledge_base_ids'],
    ],
    inert: ['conversation_flow_id', 'conversation_flow_component_id', 'name', ...drawing, ...versions, ...times],
  },
  modelChoice: { taken: ['model'], inert: ['type'] },
  node: {
    taken: [
      ...['id', 'name', 'type', 'instruction', 'global_node_setting', 'knowledge_base_ids', 'start_speaker'],
      ...['tool_id', 'tool_ids', 'tools', 'edges', 'edge'],
      ...['else_edge', 'always_edge', 'skip_response_edge', 'success_edge', 'failed_edge'],
    ],
    inert: ['tool_type', 'component_id', 'component_type', ...drawing],
  },
  nodeEdge: { taken: ['destination_node_id', 'transition_condition', 'condition'], inert: ['id'] },
  globalNode: { taken: ['condition', 'go_back_conditions'], inert: [] },
} satisfies Record<string, Coverage>;

export type CoveredObject = keyof typeof coverages;

/** Returns the fields that have a value and no reader. `kinds` are the kinds of the object. */
export function untakenFields(
  place: Place,
  kinds: readonly CoveredObject[],
  alsoTaken: readonly string[] = [],
): string[] {
  const known = new Set([...kinds.flatMap(kind => [...coverages[kind].taken, ...coverages[kind].inert]), ...alsoTaken]);
  return Object.entries(place.fields)
    .filter(([name, value]) => !known.has(name) && !isComment(name) && hasContent(value) && !isDefault(name, value))
    .filter(([name, value]) => !holdsCredential(name, value))
    .map(([name]) => pathTo('', name, false));
}

/** JSON has no comments, so users write them as fields. */
function isComment(name: string): boolean {
  return /^(?:[_$]|\/\/|#)/.test(name);
}

function hasContent(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(hasContent);
  return value !== undefined && value !== null && value !== '';
}

/** All agents of this service use voice. */
function isDefault(name: string, value: unknown): boolean {
  return name === 'channel' && value === 'voice';
}

/** One note for all objects of a kind, such as the nodes of a flow. */
export function noteUntaken(
  path: string,
  places: readonly Place[],
  kinds: readonly CoveredObject[],
  findings: Findings,
  alsoTaken: readonly string[] = [],
): void {
  const names = [...new Set(places.flatMap(place => untakenFields(place, kinds, alsoTaken)))];
  if (names.length === 0) return;
  findings.note('not_taken_over', path, {
    fields: names.slice(0, maxNames),
    more: Math.max(0, names.length - maxNames),
  });
}
