import { agentFields } from './agent-fields.js';
import { Findings } from './findings.js';
import type { ImportedAgent, ImportResult } from './imported-agent.js';
import { parseDefinition } from './parse-definition.js';
import { readPlatformA } from './platform-a.js';
import { readPlatformB } from './platform-b.js';
import { recognise, type Recognised } from './recognise.js';
import { withoutSecrets, type CleanDefinition } from './without-secrets.js';

/** An agent of this service from another platform's definition. Never throws, and reads nothing but the text. */
export function importAgent(text: string): ImportResult {
  const parsed = parseDefinition(text);
  if (!parsed.ok) return parsed;
  const clean = withoutSecrets(parsed.value);
  const definition = recognise(clean.value);
  if (definition.platform === undefined) return { ok: false, code: definition.code, message: definition.message };
  return { ok: true, ...readAgent(definition, clean) };
}

type Known = Extract<Recognised, { platform: string }>;

function readAgent(definition: Known, clean: CleanDefinition): ImportedAgent {
  const findings = new Findings();
  const { platform } = definition;
  const reading =
    platform === 'A' ? readPlatformA(definition.assistant, findings) : readPlatformB(definition, findings);
  const agent = agentFields(reading, findings);
  tellOfSecrets(clean, findings);
  const { toFinish, notes } = findings;
  return { agent, platform, toFinish, reference: agent.reference, notes };
}

function tellOfSecrets({ ignoredKeys, changedTexts }: CleanDefinition, findings: Findings): void {
  if (ignoredKeys)
    findings.tell('Keys and credentials of the definition were ignored: connect providers with AI credentials.');
  if (changedTexts) findings.warn('What looked like a key in a text was taken out of it.');
}
