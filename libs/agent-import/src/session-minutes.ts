import { agentBounds } from '@rtms/contracts';
import type { Findings } from './findings.js';

const { min, max } = agentBounds.sessionMinutes;

/** Whole minutes, rounded up, so that no conversation ends sooner than it did. */
export function sessionMinutes(seconds: number, findings: Findings): number {
  const minutes = Math.min(Math.max(Math.ceil(seconds / 60), min), max);
  if (minutes * 60 !== seconds) {
    findings.warn(
      `The definition ends a session after ${describe(seconds)}; here it is ${minutes} min, of ${min} to ${max}.`,
    );
  }
  return minutes;
}

function describe(seconds: number): string {
  return `${new Intl.NumberFormat('en', { maximumFractionDigits: 3 }).format(seconds)} s`;
}
