import { hasAny, numberOf, textOf, fieldsOf, type Fields } from './fields.js';
import type { Findings } from './findings.js';
import { listKnowledgeFile, textsOf } from './knowledge.js';
import { listStates, statePrompts } from './platform-b-states.js';
import { listToolsB } from './platform-b-tools.js';
import type { Reading } from './reading.js';

export interface PlatformB {
  agent: Fields;
  /** Where the prompt lives. */
  llm: Fields;
  /** Nothing of the agent was pasted. */
  onlyLLM: boolean;
}

/** Platform B: an agent, and the LLM with its prompt, states and tools. */
export function readPlatformB({ agent, llm, onlyLLM }: PlatformB, findings: Findings): Reading {
  if (onlyLLM)
    findings.warn(
      'Only the LLM was pasted: name, session length, webhook, voice and language are left as they are by default.',
    );
  listToolsB(llm, findings);
  listStates(llm, findings);
  for (const id of [llm, agent].flatMap(({ knowledge_base_ids: ids }) => textsOf(ids))) listKnowledgeFile(id, findings);
  if (hasAny(agent, ['voicemail_option', 'voicemail_message']))
    findings.tell('The voicemail settings are not used: agents leave no voicemail.');
  return {
    name: textOf(agent.agent_name),
    instructions: instructions(llm, findings),
    firstMessage: textOf(llm.begin_message),
    speaksFirst: speaksFirst(llm, findings),
    temperature: numberOf(llm.model_temperature) ?? numberOf(llm.temperature),
    closing: '',
    sessionSeconds: secondsOf(agent.max_call_duration_ms),
    webhook: textOf(agent.webhook_url),
    reference: reference(agent, llm),
    known: fieldsOf(llm.default_dynamic_variables),
  };
}

function instructions(llm: Fields, findings: Findings): string {
  const blocks = [textOf(llm.general_prompt), ...statePrompts(llm)].filter(block => block !== '');
  if (blocks.length === 0) {
    findings.warn('The definition has no prompt.');
    findings.finish('instructions', 'Write the instructions: the definition has no prompt.');
  }
  return blocks.join('\n\n');
}

/** An empty message leaves the first word to the user; none at all leaves the message to the model. */
function speaksFirst({ start_speaker: speaker, begin_message: message }: Fields, findings: Findings): boolean {
  const isEmpty = message === '';
  if (isEmpty && speaker === 'agent')
    findings.warn('The agent was to speak first, with an empty message: here it waits for the user.');
  const first = speaker !== 'user' && !isEmpty;
  if (first && textOf(message) === '') findings.tell('The model makes the first message up.');
  return first;
}

function secondsOf(milliseconds: unknown): number | undefined {
  const value = numberOf(milliseconds);
  return value === undefined ? undefined : value / 1000;
}

function reference(agent: Fields, llm: Fields): Reading['reference'] {
  return {
    provider: '',
    model: textOf(llm.model) || textOf(llm.s2s_model),
    voice: textOf(agent.voice_id),
    transcriber: '',
    language: textsOf(agent.language).join(', '),
  };
}
