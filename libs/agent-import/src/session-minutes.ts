import { agentBounds } from '@rtms/contracts';
import type { Findings } from './findings.js';

const { min, max } = agentBounds.sessionMinutes;

/** Whole minutes, rounded up, so that no conversation ends sooner than it did. */
export function sessionMinutes(seconds: number, path: string, findings: Findings): number {
  const minutes = Math.min(Math.max(Math.ceil(seconds / 60), min), max);
  if (minutes * 60 !== seconds) findings.note('session_bounded', path, { seconds, minutes, min, max });
  return minutes;
}
