import { QueryFailedError } from 'typeorm';
import { isDatabaseUnavailable } from '../../platform/database/database-errors.js';

/** One failure may be chance. A fact that always fails would block all facts behind it. */
const deliveriesToBeSure = { refused: 3, ownFault: 5 };

/** SQLSTATE classes: 22 data exception, 23 integrity constraint violation. */
const refusals = /^2[23]/;

/** Whether the database refuses the content of the fact, so that a retry cannot succeed. */
export function isRefused(error: unknown, deliveries: number): boolean {
  if (deliveries < deliveriesToBeSure.refused || !(error instanceof QueryFailedError)) return false;
  const code = codeOf(error.driverError);
  return code !== undefined && refusals.test(code);
}

/**
 * Whether the fact seems to fail by a bug in the gateway. Errors of PostgreSQL and of sockets have a code. Some errors of a
 * lost connection have no code, so the caller must also check that the database answers.
 */
export function isOwnFault(error: unknown, deliveries: number): boolean {
  if (deliveries < deliveriesToBeSure.ownFault || error instanceof QueryFailedError) return false;
  return codeOf(error) === undefined && !isDatabaseUnavailable(error);
}

function codeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}
