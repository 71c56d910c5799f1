import type { ImportResult } from './imported-agent.js';

/** An agent of this service from another platform's definition. Never throws, and reads nothing but the text. */
export function importAgent(text: string): ImportResult {
  return { ok: false, code: text.trim() === '' ? 'empty' : 'unknown_format', message: 'Nothing was pasted.' };
}
