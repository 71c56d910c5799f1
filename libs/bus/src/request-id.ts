import { randomUUID } from 'node:crypto';

/** For requests that did not begin with a caller's own id. */
export function makeRequestID(): string {
  return randomUUID();
}
