import type { AgentFields, AgentReference } from '@rtms/agent-import';
import { agentBounds, agentDefaults } from '@rtms/contracts';
import { isHttpsAddress, numberText } from '../../parts/formats.js';

/** An agent in its form: no text is null, and a number field without a number holds an empty text. */
export interface AgentValues {
  name: string;
  role: string;
  instructions: string;
  firstMessage: string;
  speaksFirst: boolean;
  temperature: number | string;
  responseGuidelines: string;
  maxSessionMinutes: number | string;
  webhookUrl: string;
  reference: Record<keyof AgentReference, string>;
}

export const referenceNames = ['provider', 'model', 'voice', 'transcriber', 'language'] as const;

type ReferenceName = (typeof referenceNames)[number];
type TextName = 'role' | 'instructions' | 'firstMessage' | 'responseGuidelines' | 'webhookUrl';
type FormFields = Omit<AgentFields, 'todo'>;

export const newAgentValues: AgentValues = {
  name: '',
  role: '',
  instructions: agentDefaults.instructions,
  firstMessage: '',
  speaksFirst: agentDefaults.speaksFirst,
  temperature: agentDefaults.temperature,
  responseGuidelines: '',
  maxSessionMinutes: agentDefaults.maxSessionMinutes,
  webhookUrl: '',
  reference: { provider: '', model: '', voice: '', transcriber: '', language: '' },
};

/** The values of a stored or imported agent. */
export function valuesOf(agent: FormFields): AgentValues {
  const { name, role, instructions, speaksFirst, temperature, maxSessionMinutes, reference } = agent;
  return {
    name,
    role,
    instructions,
    speaksFirst,
    temperature,
    maxSessionMinutes,
    firstMessage: agent.firstMessage ?? '',
    responseGuidelines: agent.responseGuidelines ?? '',
    webhookUrl: agent.webhookUrl ?? '',
    reference: forEachReference(each => reference[each] ?? ''),
  };
}

/** The fields of the API, from values without a problem. */
export function fieldsOf(values: AgentValues): FormFields {
  const name = values.name.trim();
  return {
    name,
    role: values.role.trim() || name,
    instructions: values.instructions,
    firstMessage: values.firstMessage || null,
    speaksFirst: values.speaksFirst,
    temperature: Number(values.temperature),
    responseGuidelines: values.responseGuidelines || null,
    maxSessionMinutes: Number(values.maxSessionMinutes),
    webhookUrl: values.webhookUrl.trim() || null,
    reference: forEachReference(each => values.reference[each].trim() || null),
  };
}

function forEachReference<Value>(read: (name: ReferenceName) => Value): Record<ReferenceName, Value> {
  return Object.fromEntries(referenceNames.map(name => [name, read(name)])) as Record<ReferenceName, Value>;
}

/** Counts as the API does: an emoji is one character. */
export function countCharacters(text: string): number {
  return [...text].length;
}

const { temperature: heat, sessionMinutes: minutes } = agentBounds;

export const agentRules = {
  name: (name: string) => (name.trim() === '' ? 'Enter a name.' : tooLong(name, agentBounds.name)),
  role: textRule('role'),
  instructions: textRule('instructions'),
  firstMessage: textRule('firstMessage'),
  responseGuidelines: textRule('responseGuidelines'),
  temperature: (value: number | string) =>
    isWithin(value, heat) ? null : `Enter a number from ${heat.min} to ${heat.max}.`,
  maxSessionMinutes: (value: number | string) =>
    isWithin(value, minutes) && Number.isInteger(value)
      ? null
      : `Enter whole minutes from ${minutes.min} to ${minutes.max}.`,
  webhookUrl: (url: string) =>
    url.trim() === '' || isHttpsAddress(url.trim()) ? tooLong(url, agentBounds.webhookUrl) : 'Enter an https address.',
  reference: forEachReference(name => (value: string) => tooLong(value, agentBounds.reference[name])),
};

function textRule(name: TextName) {
  return (text: string) => tooLong(text, agentBounds[name]);
}

function tooLong(text: string, most: number): string | null {
  return countCharacters(text) > most ? `Enter at most ${numberText(most)} characters.` : null;
}

function isWithin(value: number | string, { min, max }: { min: number; max: number }): boolean {
  return typeof value === 'number' && value >= min && value <= max;
}
