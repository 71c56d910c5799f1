import { createHash } from 'node:crypto';
import { ServiceError } from '@rtms/contracts';

const form = /^(\d{1,15})\.([A-Za-z0-9_-]{8})$/;

/** The position in the log of an account. Its second part tells it from positions of other accounts. */
export function cursorOf(accountID: string, sequence: number): string {
  return `${sequence}.${markOf(accountID)}`;
}

/** Returns the sequence of the last event before the position. `field` has the cursor. Throws BAD_REQUEST, `invalid_cursor`. */
export function readCursor(accountID: string, cursor: string, field = 'after'): number {
  const [, sequence, mark] = form.exec(cursor) ?? [];
  if (sequence === undefined)
    throw invalidCursor(`${field} must be a nextCursor of this API, or the id of a streamed event.`);
  if (mark !== markOf(accountID)) throw invalidCursor(`${field} is a cursor of another account.`);
  return Number(sequence);
}

export function invalidCursor(message: string): ServiceError {
  return new ServiceError('invalid_cursor', message);
}

function markOf(accountID: string): string {
  return createHash('sha256').update(accountID).digest('base64url').slice(0, 8);
}
