import { fieldsOf, hasAny, isFields, listOf, type Fields } from './fields.js';
import type { PlatformB } from './platform-b.js';
import { conversationFlow, customLLM, llmMissing, type Refusal } from './refusals.js';

const promptFields = ['general_prompt', 'general_tools', 'begin_message', 'starting_state', 's2s_model'];
const agentFields = ['agent_name', 'agent_id', 'voice_id', 'response_engine'];
const settingFields = ['webhook_url', 'max_call_duration_ms', 'language', 'voicemail_option'];
const flowFields = ['start_node_id', 'global_prompt', 'conversation_flow_id', 'model_choice'];

type RecognisedB = ({ platform: 'B' } & PlatformB) | Refusal;

/** undefined: nothing of platform B. */
export function recogniseB(fields: Fields): RecognisedB | undefined {
  const llm = [fields.llm, fields.retellLlmData, fields.retell_llm].find(isFields);
  const agent = isFields(fields.agent) ? fields.agent : fields;
  if (llm && (isLLM(llm) || isAgent(agent))) return pair(agent, llm);
  if (isFlow(fields) || isFlow(agent)) return conversationFlow;
  return recogniseOne(fields);
}

/** Agent and LLM in one object, or only one of them. */
function recogniseOne(fields: Fields): RecognisedB | undefined {
  if (hasPrompt(fields) || (isLLM(fields) && !isAgent(fields))) return pair(fields, fields);
  if (!isAgent(fields)) return undefined;
  return fieldsOf(fields.response_engine).type === 'custom-llm' ? customLLM : llmMissing;
}

function pair(agent: Fields, llm: Fields): RecognisedB {
  return { platform: 'B', agent, llm, onlyLLM: !isAgent(agent) && !hasAny(agent, settingFields) };
}

function isAgent(fields: Fields): boolean {
  return hasAny(fields, agentFields);
}

function hasPrompt(fields: Fields): boolean {
  return hasAny(fields, promptFields) || listOf(fields.states).some(state => hasAny(fieldsOf(state), ['state_prompt']));
}

function isLLM(fields: Fields): boolean {
  return hasPrompt(fields) || hasAny(fields, ['llm_id', 'model_temperature']);
}

function isFlow(fields: Fields): boolean {
  const { conversationFlow: flow, conversation_flow: older, nodes, response_engine: engine } = fields;
  if (isFields(flow) || isFields(older) || fieldsOf(engine).type === 'conversation-flow') return true;
  return Array.isArray(nodes) && hasAny(fields, flowFields);
}
