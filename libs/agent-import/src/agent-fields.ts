import { agentBounds, agentDefaults } from '@rtms/contracts';
import { countCharacters, cutText } from './characters.js';
import type { Findings } from './findings.js';
import type { AgentFields, AgentReference } from './imported-agent.js';
import type { Reading } from './reading.js';
import { sessionMinutes } from './session-minutes.js';
import { todoOf } from './todo.js';
import { readVariables } from './variables.js';
import { webhookUrl } from './webhook.js';

const unnamed = 'Imported agent';

/** The agent's fields within this service's bounds; whatever had to change for it is said. */
export function agentFields(reading: Reading, findings: Findings): AgentFields {
  const text = (value: string, max: number, what: string) =>
    fit(withVariables(value, reading, findings), max, what, findings);
  const name = text(agentName(reading.name, findings), agentBounds.name, 'The name');
  const fields = {
    name,
    role: name,
    instructions: text(reading.instructions, agentBounds.instructions, 'The instructions'),
    firstMessage: text(reading.firstMessage, agentBounds.firstMessage, 'The first message') || null,
    speaksFirst: reading.speaksFirst,
    temperature: temperature(reading.temperature, findings),
    responseGuidelines: text(reading.closing, agentBounds.responseGuidelines, 'The closing instruction') || null,
    maxSessionMinutes: minutes(reading.sessionSeconds, findings),
    webhookUrl: webhookUrl(reading.webhook, findings),
    reference: boundReference(reading.reference),
  };
  return { ...fields, todo: todoOf(findings.toFinish) };
}

function agentName(name: string, findings: Findings): string {
  if (name !== '') return name.replace(/\s+/g, ' ');
  findings.warn(`The definition has no name: the agent is called “${unnamed}”.`);
  return unnamed;
}

function withVariables(value: string, { known }: Reading, findings: Findings): string {
  const { text, filled, expressions } = readVariables(value, known);
  for (const name of filled) findings.tell(`The variable “${cutText(name, 128)}” was filled in with its default.`);
  for (const expression of expressions) {
    findings.finish(
      'variable',
      `Write “${cutText(expression, 256)}” anew: expressions are not worked out here, and it stands as it was.`,
    );
  }
  return text;
}

function fit(text: string, max: number, what: string, findings: Findings): string {
  const kept = cutText(text, max);
  if (kept !== text) {
    const [had, has] = [countCharacters(text), countCharacters(kept)].map(count =>
      new Intl.NumberFormat('en').format(count),
    );
    findings.warn(`${what} had ${had} characters: the first ${has} are kept.`);
  }
  return kept;
}

function temperature(value: number | undefined, findings: Findings): number {
  if (value === undefined) {
    findings.tell(`The definition sets no temperature: it is ${agentDefaults.temperature}.`);
    return agentDefaults.temperature;
  }
  const { min, max } = agentBounds.temperature;
  const bounded = Math.min(Math.max(value, min), max);
  if (bounded !== value) findings.warn(`The temperature ${value} became ${bounded}.`);
  // -0 is stored as 0.
  return bounded === 0 ? 0 : bounded;
}

function minutes(seconds: number | undefined, findings: Findings): number {
  if (seconds !== undefined) return sessionMinutes(seconds, findings);
  findings.tell(`The definition sets no end to a session: it is ${agentDefaults.maxSessionMinutes} min.`);
  return agentDefaults.maxSessionMinutes;
}

function boundReference(reference: Reading['reference']): AgentReference {
  const bounded = Object.entries(reference).map(([field, value]) => {
    return [field, cutText(value, agentBounds.reference[field as keyof AgentReference]) || null];
  });
  return Object.fromEntries(bounded) as AgentReference;
}
