import { cutText } from './characters.js';
import { fieldsOf, textOf } from './fields.js';
import type { ImportFailure, ImportFailureCode } from './imported-agent.js';

export interface Refusal extends ImportFailure {
  platform?: undefined;
}

const maxNames = 20;

function refusal(code: ImportFailureCode, message: string): Refusal {
  return { code, message };
}

const pasteOne =
  'Paste one assistant object of platform A, or the agent and the LLM of platform B as { "agent": …, "llm": … }.';

export const unknownFormat = refusal(
  'unknown_format',
  `This is JSON, but no agent definition that is known here. ${pasteOne}`,
);

export const workflow = refusal(
  'workflow',
  'This is a workflow of platform A, made of nodes: it has no single prompt. Paste one assistant object instead.',
);

export const conversationFlow = refusal(
  'conversation_flow',
  'This is a conversation flow of platform B, made of nodes: it has no single prompt. ' +
    'Paste an agent whose prompt lives on an LLM instead, as { "agent": …, "llm": … }.',
);

export const llmMissing = refusal(
  'llm_missing',
  'This is an agent of platform B without its LLM, where the prompt lives. Paste both, as { "agent": …, "llm": … }.',
);

export const customLLM = refusal(
  'llm_missing',
  'This is an agent of platform B whose LLM runs on a server of your own, so that its prompt is not part of the definition. ' +
    'Paste an agent with its LLM, as { "agent": …, "llm": … }.',
);

export const savedError = refusal(
  'saved_error',
  'This is an error answer that was saved in place of a definition. Export the definition again and paste that.',
);

export function squad(members: readonly unknown[]): Refusal {
  const names = members.map(memberName);
  return refusal(
    'squad',
    `This is a squad of platform A, of several assistants${listed(names)}. Paste one member’s assistant object at a time.`,
  );
}

export function severalDefinitions(definitions: readonly unknown[]): Refusal {
  const names = definitions.map(definitionName);
  return refusal(
    'several_definitions',
    `This is a list of ${definitions.length} definitions${listed(names)}. Paste one at a time.`,
  );
}

function memberName(member: unknown): string {
  const { assistant, assistantId: id } = fieldsOf(member);
  return textOf(fieldsOf(assistant).name) || textOf(id);
}

function definitionName(definition: unknown): string {
  const { name, agent_name: agentName, assistant, agent } = fieldsOf(definition);
  return textOf(name) || textOf(agentName) || textOf(fieldsOf(assistant).name) || textOf(fieldsOf(agent).agent_name);
}

function listed(names: readonly string[]): string {
  const known = names.filter(name => name !== '').map(name => `“${cutText(name.replace(/\s+/g, ' '), 64)}”`);
  if (known.length === 0) return '';
  const more = known.length > maxNames ? ` and ${known.length - maxNames} more` : '';
  return `: ${known.slice(0, maxNames).join(', ')}${more}`;
}
