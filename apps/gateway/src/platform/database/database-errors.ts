import { ServiceError } from '@rtms/contracts';
import { QueryFailedError } from 'typeorm';

/** Node's own codes, and PostgreSQL's classes 08 (connection), 57P (shutdown), 53 (resources). */
const unavailableCodes =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|08...|57P..|53...)$/;
const unavailableMessages =
  /Connection terminated|connection timeout|timeout exceeded|Query read timeout|Client has encountered a connection error|not queryable|DataSource is not (?:initialized|set)|Driver not Connected/i;

/** Whether a failure means that PostgreSQL cannot be reached now, so that trying again later makes sense. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof QueryFailedError) return isDatabaseUnavailable(error.driverError);
  const { code, message, errors } = fieldsOf(error);
  // Node tries every address of a host and reports all of the failures together.
  if (Array.isArray(errors) && errors.some(isDatabaseUnavailable)) return true;
  if (typeof code === 'string' && unavailableCodes.test(code)) return true;
  return typeof message === 'string' && unavailableMessages.test(message);
}

function fieldsOf(error: unknown): { code?: unknown; message?: unknown; errors?: unknown } {
  return typeof error === 'object' && error !== null ? error : {};
}

export function databaseUnavailable(): ServiceError {
  return new ServiceError('dependency_unavailable', 'The database cannot be reached right now. Try again in a moment.');
}

/** Whether an insert or update met a unique index; `constraint` narrows it to one. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return isViolation(error, '23505', constraint);
}

/** Whether a change would leave a reference to nothing; `constraint` names the reference. */
export function isReferenceViolation(error: unknown, constraint: string): boolean {
  return isViolation(error, '23503', constraint);
}

/** Whether a change met a rule of the table. */
export function isRuleViolation(error: unknown, constraint: string): boolean {
  return isViolation(error, '23514', constraint);
}

function isViolation(error: unknown, wanted: string, constraint: string): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  const { code, constraint: met } = error.driverError as { code?: unknown; constraint?: unknown };
  return code === wanted && met === constraint;
}
