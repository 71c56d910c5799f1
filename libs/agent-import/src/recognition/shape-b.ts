import { isFields, type Place } from '../definition/place.js';
import type { PlatformB } from '../platform-b/platform-b.js';
import type { RecognisedAgent, Wrapper } from './recognise.js';
import { refusal, type Refusal } from './refusals.js';

const promptFields = ['general_prompt', 'general_tools', 'begin_message', 'starting_state', 's2s_model'];
const agentFields = ['agent_name', 'agent_id', 'voice_id', 'response_engine'];
const settingFields = ['webhook_url', 'max_call_duration_ms', 'language', 'voicemail_option'];
const flowFields = ['start_node_id', 'global_prompt', 'conversation_flow_id', 'model_choice'];

const llmNames = ['llm', 'retellLlmData', 'retell_llm'];
const flowNames = ['conversationFlow', 'conversation_flow'];

type Found = Extract<RecognisedAgent, { platform: 'B' }>;
type RecognisedB = Found | Refusal;

/** undefined: the definition is not of platform B. */
export function recogniseB(place: Place): RecognisedB | undefined {
  const agent = isFields(place.at('agent').value) ? place.at('agent') : place;
  const found = withPrompt(place, agent);
  if (found) return [agent, found.prompt].includes(place) ? found : { ...found, around: [wrapperOf(place, found)] };
  return usesFlow(agent) ? refusal('conversation_flow', {}) : recogniseOne(place);
}

/** The object around an agent and its prompt. Its other fields, such as a second prompt, are not read. */
function wrapperOf(place: Place, { agent, prompt }: Found): Wrapper {
  const read = new Set([agent.value, prompt.value]);
  return { place, taken: Object.keys(place.fields).filter(name => read.has(place.fields[name])) };
}

/** The prompt is beside the agent or inside it, or both are one object. */
function withPrompt(place: Place, agent: Place): Found | undefined {
  const holders = [place, agent];
  const flow = holders.flatMap(holder => firstOf(holder, flowNames)).find(isFlow);
  const llm = holders.flatMap(holder => firstOf(holder, llmNames)).at(0);
  if (flow && (!llm || usesFlow(agent))) return paired(agent, flow, 'flow');
  if (llm && (isLLM(llm) || isAgent(agent))) return paired(agent, llm, 'llm');
  const whole = holders.find(isFlow);
  return whole && paired(agent, whole, 'flow');
}

function firstOf(place: Place, names: readonly string[]): Place[] {
  return names.map(name => place.at(name)).filter(({ value }) => isFields(value));
}

/** Agent and LLM in one object, or only one of them. */
function recogniseOne(place: Place): RecognisedB | undefined {
  if (hasPrompt(place) || (isLLM(place) && !isAgent(place))) return paired(place, place, 'llm');
  if (!isAgent(place)) return undefined;
  const isCustom = place.at('response_engine').at('type').value === 'custom-llm';
  return isCustom ? refusal('llm_elsewhere', {}) : refusal('llm_missing', {});
}

function paired(agent: Place, prompt: Place, promptKind: PlatformB['promptKind']): Found {
  const onlyPrompt = !isAgent(agent) && !agent.has(settingFields);
  return { platform: 'B', agent, prompt, promptKind, onlyPrompt, around: [] };
}

function isAgent(place: Place): boolean {
  return place.has(agentFields);
}

function hasPrompt(place: Place): boolean {
  const states = place.at('states').items();
  return place.has(promptFields) || states.some(state => state.has(['state_prompt']));
}

function isLLM(place: Place): boolean {
  return hasPrompt(place) || place.has(['llm_id', 'model_temperature']);
}

function usesFlow(agent: Place): boolean {
  return agent.at('response_engine').at('type').value === 'conversation-flow' || firstOf(agent, flowNames).length > 0;
}

/** Nodes of platform B have an `instruction`, or edges with a `destination_node_id`. */
function isFlow(place: Place): boolean {
  const nodes = place.at('nodes');
  if (!Array.isArray(nodes.value)) return false;
  return place.has(flowFields) || nodes.items().some(isFlowNode);
}

function isFlowNode(node: Place): boolean {
  const edges = node.at('edges').items();
  return isFields(node.at('instruction').value) || edges.some(edge => edge.has(['destination_node_id']));
}
