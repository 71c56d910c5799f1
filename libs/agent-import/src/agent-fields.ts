import { agentBounds, agentDefaults } from '@rtms/contracts';
import { countCharacters, cutText } from './findings/characters.js';
import type { Findings } from './findings/findings.js';
import type { AgentFields, AgentReference, BoundedText } from './findings/imported-agent.js';
import type { Reading, Sourced, SourcedNumber } from './definition/reading.js';
import { todoOf } from './findings/finding-texts.js';
import { defaultsOf, readVariables } from './definition/variables.js';
import { isCredentialParameter } from './secrets/credentials.js';
import { removed } from './secrets/secret-text.js';

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

/** Returns the URL if it is usable; otherwise null with a finding. */
function webhookUrl({ text: address, path }: Sourced, findings: Findings): string | null {
  if (address === '') return null;
  const url = httpsURL(address);
  if (!url) {
    findings.finish('webhook_not_https', path, {});
    return null;
  }
  if (!address.includes(removed) && !carriesCredential(url)) return address;
  findings.finish('webhook_with_credential', path, { host: url.hostname });
  return null;
}

function httpsURL(address: string): URL | undefined {
  if (address.length > agentBounds.webhookUrl || !/^https:\/\/[^\s\\{}]+$/i.test(address)) return undefined;
  return URL.canParse(address) ? new URL(address) : undefined;
}

function carriesCredential({ username, password, searchParams }: URL): boolean {
  if (username !== '' || password !== '') return true;
  return [...searchParams.keys()].some(isCredentialParameter);
}

const { min, max } = agentBounds.sessionMinutes;

/** Returns whole minutes, rounded up, so that no conversation ends earlier than before. */
function sessionMinutes(seconds: number, path: string, findings: Findings): number {
  const minutes = Math.min(Math.max(Math.ceil(seconds / 60), min), max);
  if (minutes * 60 !== seconds) findings.note('session_bounded', path, { seconds, minutes, min, max });
  return minutes;
}
