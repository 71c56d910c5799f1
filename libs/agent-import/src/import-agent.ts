import { agentFields } from './agent-fields.js';
import { noteUntaken } from './definition/coverage.js';
import { findCredentials, type Credentials } from './secrets/credentials.js';
import { Findings } from './findings/findings.js';
import type { ImportedAgent, ImportResult } from './findings/imported-agent.js';
import { parseDefinition } from './definition/parse-definition.js';
import { Place } from './definition/place.js';
import { readPlatformA } from './platform-a/platform-a.js';
import { readPlatformB } from './platform-b/platform-b.js';
import { recognise, type RecognisedAgent } from './recognition/recognise.js';

/** Every text is searched for each credential. Real definitions have at most 30. */
export const maxCredentials = 200;
/** Maximum of paths in one note. */
const maxPaths = 20;

/** Converts another platform's agent definition (JSON text) to an agent of this service. Never throws. */
export function importAgent(text: string): ImportResult {
  const parsed = parseDefinition(text);
  if (!parsed.ok) return parsed;
  const credentials = findCredentials(parsed.value);
  if (credentials.values.size + credentials.doubtful.size > maxCredentials)
    return { ok: false, code: 'too_many_credentials', values: { limit: maxCredentials } };
  const findings = new Findings();
  const root = Place.root(parsed.value, credentials, {
    onRemoved: (path, { removals }) => {
      for (const removal of removals) findings.note('credential_removed', path, { ...removal });
    },
    onRepeated: path => findings.note('credential_repeated', path, {}),
  });
  const definition = recognise(root);
  if (definition.platform === undefined) return { ok: false, ...definition };
  return { ok: true, ...readAgent(definition, credentials, findings) };
}

function readAgent(definition: RecognisedAgent, credentials: Credentials, findings: Findings): ImportedAgent {
  const { platform } = definition;
  const reading =
    platform === 'A' ? readPlatformA(definition.assistant, findings) : readPlatformB(definition, findings);
  for (const { place, taken } of definition.around) noteUntaken(place.path, [place], ['wrapper'], findings, taken);
  const agent = agentFields(reading, findings);
  noteCredentials(credentials, findings);
  const { toFinish, notes } = findings;
  return { agent, platform, toFinish, reference: agent.reference, notes };
}

function noteCredentials({ paths }: Credentials, findings: Findings): void {
  if (paths.length === 0) return;
  const shown = paths.slice(0, maxPaths);
  findings.note('credentials_ignored', '', { paths: shown, more: paths.length - shown.length });
}
