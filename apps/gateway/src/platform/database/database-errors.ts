import { ServiceError, type ErrorReason } from '@rtms/contracts';
import { QueryFailedError } from 'typeorm';

/** Node's own codes, and PostgreSQL's classes 08 (connection), 57P (shutdown), 53 (resources). */
const unavailableCodes =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|08...|57P..|53...)$/;
const unavailableMessages =
  /Connection terminated|connection timeout|timeout exceeded|Query read timeout|Client has encountered a connection error|not queryable|DataSource is not (?:initialized|set)|Driver not Connected/i;

/** Returns whether PostgreSQL is unavailable now, so that a later retry can succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof QueryFailedError) return isDatabaseUnavailable(error.driverError);
  if (isChangedResult(error)) return true;
  const { code, message, errors } = fieldsOf(error);
  // Node.js tries each address of a host and reports all failures together.
  if (Array.isArray(errors) && errors.some(isDatabaseUnavailable)) return true;
  if (typeof code === 'string' && unavailableCodes.test(code)) return true;
  return typeof message === 'string' && unavailableMessages.test(message);
}

/**
 * Returns whether a column has had another type since the connection prepared the statement. PostgreSQL's code means any missing feature, and
 * its message has the language of the server. So the name of PostgreSQL's function tells it.
 */
export function isChangedResult(error: unknown): boolean {
  const { code, routine } = fieldsOf(error);
  return code === '0A000' && routine === 'RevalidateCachedQuery';
}

/** Returns whether a statement waited too long for a lock. PostgreSQL has rolled back what the statement did. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof QueryFailedError && fieldsOf(error.driverError).code === '55P03';
}

function fieldsOf(error: unknown): { code?: unknown; message?: unknown; errors?: unknown; routine?: unknown } {
  return typeof error === 'object' && error !== null ? error : {};
}

export function databaseUnavailable(): ServiceError {
  return new ServiceError('dependency_unavailable', 'The database cannot be reached right now. Try again in a moment.');
}

/** Returns whether an insert or update met this unique index. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const violated = violationOf(error);
  return violated?.code === '23505' && violated.constraint === constraint;
}

/** The error of each constraint that a statement may violate, by the name of the constraint. */
export type Violations = Readonly<Record<string, readonly [reason: ErrorReason, message: string]>>;

/**
 * Returns a handler of failed statements: `insert(row).catch(explainViolation({ domains_key: ['name_taken', 'Choose …'] }))`. A violated
 * constraint of the table becomes its error. Any other error stays the same.
 */
export function explainViolation(violations: Violations): (error: unknown) => never {
  return error => {
    const explained = violations[violationOf(error)?.constraint ?? ''];
    throw explained ? new ServiceError(...explained) : error;
  };
}

/** PostgreSQL's class 23: the change breaks a constraint, such as a unique index, a reference or a check. */
function violationOf(error: unknown): { code: string; constraint: string } | undefined {
  if (!(error instanceof QueryFailedError)) return undefined;
  const { code, constraint } = error.driverError as { code?: unknown; constraint?: unknown };
  const isViolation = typeof code === 'string' && code.startsWith('23') && typeof constraint === 'string';
  return isViolation ? { code, constraint } : undefined;
}
