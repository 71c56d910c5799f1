import type { AgentReference } from './imported-agent.js';
import type { Place } from './place.js';

/** A text with the place that it comes from. */
export interface Sourced {
  text: string;
  path: string;
}

/** A number, undefined where the definition gives none. */
export interface SourcedNumber {
  value: number | undefined;
  path: string;
}

/** The part of a reading that a platform-B prompt gives: an LLM or a conversation flow. */
export interface PromptReading {
  instructions: Sourced;
  firstMessage: Sourced;
  speaksFirst: boolean;
  temperature: SourcedNumber;
  model: string;
  /** The defaults of variables. */
  known: Place;
}

/** The definition as a platform's mapping reads it, before the bounds of this service are applied. */
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
