import type { Findings } from './findings.js';
import type { Place } from './place.js';
import type { Sourced, SourcedNumber } from './reading.js';

/** A number that the definition gives; a value of another kind is noted. */
export function readNumber(place: Place, findings: Findings): SourcedNumber {
  const value = place.number();
  if (value === undefined && place.exists) findings.note('number_expected', place.path, {});
  return { value, path: place.path };
}

export function noPrompt(path: string, findings: Findings): Sourced {
  findings.note('prompt_missing', path, {});
  findings.finish('instructions_missing', path, {});
  return { text: '', path };
}
