import type { AgentReference } from './imported-agent.js';
import type { Fields } from './fields.js';

/** What a platform's mapping reads out of a definition, before the bounds of this service are applied. */
export interface Reading {
  name: string;
  instructions: string;
  firstMessage: string;
  speaksFirst: boolean;
  temperature: number | undefined;
  closing: string;
  sessionSeconds: number | undefined;
  webhook: string;
  reference: { [Field in keyof AgentReference]: string };
  /** Values of variables that are known. */
  known: Fields;
}
