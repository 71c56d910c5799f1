import { noteUntaken, type CoveredObject } from '../definition/coverage.js';
import type { Findings } from '../findings/findings.js';
import { listKnowledgeFiles } from '../definition/tools.js';
import type { Place } from '../definition/place.js';
import { readFlow } from './platform-b-flow.js';
import { listStates, statePrompts, listToolsB } from './platform-b-tools.js';
import { noPrompt, readNumber, type PromptReading, type Reading, type SourcedNumber } from '../definition/reading.js';

export interface PlatformB {
  agent: Place;
  /** Holds the prompt: an LLM or a conversation flow. */
  prompt: Place;
  promptKind: 'llm' | 'flow';
  /** Nothing of the agent was pasted. */
  onlyPrompt: boolean;
}

/** Platform B: an agent, and the LLM or the conversation flow with its prompts and tools. */
export function readPlatformB({ agent, prompt, promptKind, onlyPrompt }: PlatformB, findings: Findings): Reading {
  if (onlyPrompt) findings.note(promptKind === 'llm' ? 'only_llm' : 'only_flow', prompt.path, {});
  const read = promptKind === 'llm' ? readLLM(prompt, findings) : readFlow(prompt, findings);
  listKnowledgeFiles(agent.at('knowledge_base_ids'), findings);
  const voicemail = ['voicemail_option', 'voicemail_message'].map(name => agent.at(name)).find(({ exists }) => exists);
  if (voicemail) findings.note('voicemail_unused', voicemail.path, {});
  noteBothUntaken({ agent, prompt, promptKind }, findings);
  const [name, address] = [agent.at('agent_name'), agent.at('webhook_url')];
  return {
    ...read,
    name: { text: name.label(), path: name.path },
    closing: { text: '', path: '' },
    sessionSeconds: sessionSeconds(agent.at('max_call_duration_ms'), findings),
    webhook: { text: address.label(), path: address.path },
    reference: {
      provider: '',
      model: read.model,
      voice: agent.at('voice_id').label(),
      transcriber: '',
      language: agent
        .at('language')
        .labels()
        .map(({ text }) => text)
        .join(', '),
    },
  };
}

/** An agent and its prompt may be one object, or the agent may contain the prompt. */
function noteBothUntaken({ agent, prompt, promptKind }: Omit<PlatformB, 'onlyPrompt'>, findings: Findings): void {
  const kinds: CoveredObject[] = agent.value === prompt.value ? ['agent', promptKind] : ['agent'];
  const nameOf = (holder: Place, part: Place) =>
    Object.keys(holder.fields).filter(name => holder.fields[name] === part.value);
  noteUntaken(agent.path, [agent], kinds, findings, nameOf(agent, prompt));
  if (agent.value !== prompt.value) noteUntaken(prompt.path, [prompt], [promptKind], findings, nameOf(prompt, agent));
}

function readLLM(llm: Place, findings: Findings): PromptReading {
  listToolsB(llm, findings);
  listStates(llm, findings);
  listKnowledgeFiles(llm.at('knowledge_base_ids'), findings);
  const general = llm.at('general_prompt');
  const blocks = [general.prose(), ...statePrompts(llm)].filter(block => block !== '');
  const older = llm.at(llm.has(['model_temperature']) ? 'model_temperature' : 'temperature');
  const message = llm.at('begin_message');
  return {
    instructions:
      blocks.length === 0 ? noPrompt(general.path, findings) : { text: blocks.join('\n\n'), path: general.path },
    firstMessage: { text: message.prose(), path: message.path },
    speaksFirst: speaksFirst(llm, findings),
    temperature: readNumber(older, findings),
    model: llm.at('model').label() || llm.at('s2s_model').label(),
    known: llm.at('default_dynamic_variables'),
  };
}

/** With an empty message the user speaks first. Without a message the model writes it. */
function speaksFirst(llm: Place, findings: Findings): boolean {
  const message = llm.at('begin_message');
  const speaker = llm.at('start_speaker').value;
  const isEmpty = message.value === '';
  if (isEmpty && speaker === 'agent') findings.note('first_message_empty', message.path, {});
  const first = speaker !== 'user' && !isEmpty;
  if (first && message.prose() === '') findings.note('first_message_generated', message.path, {});
  return first;
}

function sessionSeconds(milliseconds: Place, findings: Findings): SourcedNumber {
  const { value, path } = readNumber(milliseconds, findings);
  return { value: value === undefined ? undefined : value / 1000, path };
}
