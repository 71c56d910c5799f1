import { agentBounds, agentDefaults } from '@rtms/contracts';
import { countCharacters, cutText } from './characters.js';
import type { Findings } from './findings.js';
import type { AgentFields, AgentReference, BoundedText } from './imported-agent.js';
import type { Reading, Sourced, SourcedNumber } from './reading.js';
import { sessionMinutes } from './session-minutes.js';
import { todoOf } from './todo.js';
import { defaultsOf, readVariables } from './variables.js';
import { webhookUrl } from './webhook.js';

const unnamed = 'Imported agent';

/** The agent's fields within this service's bounds; each change that this takes is noted. */
export function agentFields(reading: Reading, findings: Findings): AgentFields {
  const known = defaultsOf(reading.known);
  const text = (field: BoundedText, sourced: Sourced) => boundedText(field, sourced, known, findings);
  const name = text('name', agentName(reading.name, findings));
  const fields = {
    name,
    role: name,
    instructions: text('instructions', reading.instructions),
    firstMessage: text('firstMessage', reading.firstMessage) || null,
    speaksFirst: reading.speaksFirst,
    temperature: temperature(reading.temperature, findings),
    responseGuidelines: text('responseGuidelines', reading.closing) || null,
    maxSessionMinutes: minutes(reading.sessionSeconds, findings),
    webhookUrl: webhookUrl(reading.webhook, findings),
    reference: boundReference(reading.reference),
  };
  return { ...fields, todo: todoOf(findings.toFinish) };
}

function agentName({ text, path }: Sourced, findings: Findings): Sourced {
  if (text !== '') return { text: text.replace(/\s+/g, ' '), path };
  findings.note('name_missing', path, { name: unnamed });
  return { text: unnamed, path };
}

function boundedText(
  field: BoundedText,
  { text, path }: Sourced,
  known: ReadonlyMap<string, string>,
  findings: Findings,
): string {
  const max = agentBounds[field];
  const { filled, expressions, ...read } = readVariables(text, max, known);
  for (const name of filled) findings.note('variable_filled', path, { name: cutText(name, 128) });
  for (const expression of expressions)
    findings.finish('variable_expression', path, { expression: cutText(expression, 256) });
  const kept = cutText(read.text, max);
  const count = countCharacters(kept);
  if (count < read.characters) findings.note('text_cut', path, { field, characters: read.characters, kept: count });
  return kept;
}

function temperature({ value, path }: SourcedNumber, findings: Findings): number {
  if (value === undefined) {
    findings.note('temperature_default', path, { temperature: agentDefaults.temperature });
    return agentDefaults.temperature;
  }
  const { min, max } = agentBounds.temperature;
  const bounded = Math.min(Math.max(value, min), max);
  if (bounded !== value) findings.note('temperature_bounded', path, { given: value, temperature: bounded });
  // -0 is stored as 0.
  return bounded === 0 ? 0 : bounded;
}

function minutes({ value, path }: SourcedNumber, findings: Findings): number {
  if (value !== undefined) return sessionMinutes(value, path, findings);
  findings.note('session_default', path, { minutes: agentDefaults.maxSessionMinutes });
  return agentDefaults.maxSessionMinutes;
}

function boundReference(reference: Reading['reference']): AgentReference {
  const bounded = Object.entries(reference).map(([field, value]) => {
    return [field, cutText(value, agentBounds.reference[field as keyof AgentReference]) || null];
  });
  return Object.fromEntries(bounded) as AgentReference;
}
