import type { AgentReference } from '../findings/imported-agent.js';
import type { Place } from './place.js';
import type { Findings } from '../findings/findings.js';

/** A text with its path in the definition. */
export interface Sourced {
  text: string;
  path: string;
}

/** A number with its path; undefined if absent. */
export interface SourcedNumber {
  value: number | undefined;
  path: string;
}

/** The part of a reading from a platform-B prompt (an LLM or a conversation flow). */
export interface PromptReading {
  instructions: Sourced;
  firstMessage: Sourced;
  speaksFirst: boolean;
  temperature: SourcedNumber;
  model: string;
  /** Defaults of the variables. */
  known: Place;
}

/** A definition after a platform's mapping, before the bounds of this service apply. */
export interface Reading {
  name: Sourced;
  instructions: Sourced;
  firstMessage: Sourced;
  speaksFirst: boolean;
  temperature: SourcedNumber;
  closing: Sourced;
  sessionSeconds: SourcedNumber;
  webhook: Sourced;
  reference: { [Field in keyof AgentReference]: string };
  known?: Place;
}

/** Reads a number. Adds a note for a value of another type. */
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
