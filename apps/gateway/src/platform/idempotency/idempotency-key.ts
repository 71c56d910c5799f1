import { ServiceError } from '@rtms/contracts';
import type { Request } from 'express';

const acceptable = /^[\x20-\x7e]{1,255}$/;

/** What the header says; undefined when the request does not carry it, or is none that it has a meaning for. */
export function readIdempotencyKey({ method, headers }: Pick<Request, 'method' | 'headers'>): string | undefined {
  const sent = headers['idempotency-key'];
  if (method !== 'POST' || sent === undefined) return undefined;
  if (typeof sent === 'string' && acceptable.test(sent)) return sent;
  throw new ServiceError('invalid_request', 'Idempotency-Key must be 1 to 255 printable ASCII characters.');
}
