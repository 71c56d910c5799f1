import { isFields, type Place } from '../definition/place.js';
import type { PlatformB } from '../platform-b/platform-b.js';
import { refusal, severalDefinitions, squadRefusal, type Refusal } from './refusals.js';
import { isAssistant, isSquad, isWorkflow } from './shape-a.js';
import { recogniseB } from './shape-b.js';

/** An object around the definition, and its fields that were read. */
export interface Wrapper {
  place: Place;
  taken: readonly string[];
}

export type RecognisedAgent = ({ platform: 'A'; assistant: Place } | ({ platform: 'B' } & PlatformB)) & {
  around: readonly Wrapper[];
};
export type Recognised = RecognisedAgent | Refusal;

/** Wrappers of real exports: an object, a webhook payload, an API response, or a list of one. */
const wrappers = ['assistant', 'agent', 'squad', 'workflow', 'message', 'call', 'data', 'result'];
const lists = ['results', 'assistants', 'agents'];
/** Only these wrappers contain further parts of the definition. The others are messages about calls. */
const bundles: ReadonlySet<string> = new Set(['assistant', 'agent']);
const maxWrappers = 6;

/** Recognises the platform of a definition by its shape, after removing wrappers. */
export function recognise(place: Place, depth = 0): Recognised {
  if (depth > maxWrappers) return refusal('unknown_format', {});
  if (Array.isArray(place.value)) return recogniseList(place, depth);
  if (!isFields(place.value)) return refusal('unknown_format', {});
  const found = recogniseFields(place) ?? recogniseInside(place, depth);
  return found ?? refusal(isSavedError(place) ? 'saved_error' : 'unknown_format', {});
}

function recogniseList(place: Place, depth: number): Recognised {
  const [first, ...others] = place.items();
  if (!first) return refusal('unknown_format', {});
  return others.length > 0 ? severalDefinitions([first, ...others]) : recognise(first, depth + 1);
}

function recogniseFields(place: Place): Recognised | undefined {
  const b = recogniseB(place);
  if (b) return b;
  if (isSquad(place)) return squadRefusal(place.at('members').items());
  if (isWorkflow(place)) return refusal('workflow', {});
  return isAssistant(place) ? { platform: 'A', assistant: place, around: [] } : undefined;
}

/** Returns the first recognised wrapper, else the first refusal. */
function recogniseInside(place: Place, depth: number): Recognised | undefined {
  const inside = [
    ...wrappers.filter(name => isFields(place.at(name).value) || Array.isArray(place.at(name).value)),
    ...lists.filter(name => Array.isArray(place.at(name).value)),
  ];
  const found = inside.map(name => within(place, name, depth)).filter(inner => !isUnknown(inner));
  return found.find(({ platform }) => platform !== undefined) ?? found[0];
}

function within(place: Place, name: string, depth: number): Recognised {
  const found = recognise(place.at(name), depth + 1);
  if (found.platform === undefined || !bundles.has(name)) return found;
  return { ...found, around: [...found.around, { place, taken: [name] }] };
}

function isUnknown(recognised: Recognised): boolean {
  return recognised.platform === undefined && recognised.code === 'unknown_format';
}

function isSavedError(place: Place): boolean {
  const [message, error] = [place.at('message'), place.at('error')];
  const says = message.label() !== '' || error.label() !== '' || isFields(error.value);
  return says && [place.at('statusCode'), place.at('status'), error].some(mark => mark.value !== undefined);
}
