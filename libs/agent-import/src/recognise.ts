import { isFields, textOf, type Fields } from './fields.js';
import type { PlatformB } from './platform-b.js';
import { isAssistant, isSquad, isWorkflow } from './shape-a.js';
import { recogniseB } from './shape-b.js';
import { savedError, severalDefinitions, squad, unknownFormat, workflow, type Refusal } from './refusals.js';

export type Recognised = { platform: 'A'; assistant: Fields } | ({ platform: 'B' } & PlatformB) | Refusal;

/** What real exports put around a definition: an object of their own, a webhook's payload, a list of one. */
const wrappers = ['assistant', 'agent', 'squad', 'workflow', 'message', 'call', 'data', 'result'];
const maxWrappers = 6;

/** Which platform a definition is of, by its shape, with whatever stands around it taken off. */
export function recognise(value: unknown, depth = 0): Recognised {
  if (depth > maxWrappers) return unknownFormat;
  if (Array.isArray(value)) return value.length > 1 ? severalDefinitions(value) : recognise(value[0], depth + 1);
  if (!isFields(value)) return unknownFormat;
  return recogniseFields(value) ?? recogniseInside(value, depth) ?? (isSavedError(value) ? savedError : unknownFormat);
}

function recogniseFields(fields: Fields): Recognised | undefined {
  const b = recogniseB(fields);
  if (b) return b;
  if (isSquad(fields)) return squad(fields.members as unknown[]);
  if (isWorkflow(fields)) return workflow;
  return isAssistant(fields) ? { platform: 'A', assistant: fields } : undefined;
}

/** The first wrapper with something known in it; else what is wrong with what is in there. */
function recogniseInside(fields: Fields, depth: number): Recognised | undefined {
  const inside = wrappers.map(name => fields[name]).filter(inner => typeof inner === 'object' && inner !== null);
  const found = inside.map(inner => recognise(inner, depth + 1)).filter(inner => inner !== unknownFormat);
  return found.find(({ platform }) => platform !== undefined) ?? found[0];
}

function isSavedError({ message, statusCode, status, error }: Fields): boolean {
  const says = textOf(message) !== '' || textOf(error) !== '' || isFields(error);
  return says && [statusCode, status, error].some(mark => mark !== undefined);
}
