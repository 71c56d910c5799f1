import { QueryFailedError } from 'typeorm';
import { isDatabaseUnavailable } from '../database/database-errors.js';

/** Once may be chance; a fact that fails again and again holds up all facts behind it. */
const deliveriesToBeSure = { refused: 3, ownFault: 5 };

/** SQLSTATE classes: 22 data exception, 23 integrity constraint violation. */
const refusals = /^2[23]/;

/** Whether the database refuses the content of a fact, so that another try is in vain. */
export function isRefused(error: unknown, deliveries: number): boolean {
  if (deliveries < deliveriesToBeSure.refused || !(error instanceof QueryFailedError)) return false;
  const code = codeOf(error.driverError);
  return code !== undefined && refusals.test(code);
}

/**
 * Whether a fact seems to fail by a fault in the gateway. Errors of PostgreSQL and of sockets have a code. Some errors of
 * a lost connection have none, so the caller must also see that the database answers.
 */
export function isOwnFault(error: unknown, deliveries: number): boolean {
  if (deliveries < deliveriesToBeSure.ownFault || error instanceof QueryFailedError) return false;
  return codeOf(error) === undefined && !isDatabaseUnavailable(error);
}

function codeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}
