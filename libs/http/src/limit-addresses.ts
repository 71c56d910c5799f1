import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import type { RequestHandler, Response } from 'express';
import { clientOf } from './client-address.js';
import { isRead, RequestCounts, secondsLeft, windowStart } from './request-counts.js';

export interface AddressLimits {
  windowSeconds: number;
  /** Requests of one client within a window, see `clientOf`; 0: no limit. */
  addressReads: number;
  addressWrites: number;
}

/**
 * Refuses requests above the limits with 429 `rate_limited` and `Retry-After`. Counts in the memory of this process: a
 * media node shares no database with others. `prepare` may add headers to a refusal, such as those of CORS.
 */
export function limitAddresses(
  { windowSeconds, addressReads, addressWrites }: AddressLimits,
  clock: Clock,
  prepare: (response: Response) => void = () => undefined,
): RequestHandler {
  const counts = new RequestCounts(clock);
  return ({ method, ip }, response, next) => {
    const quota = isRead(method) ? addressReads : addressWrites;
    if (quota === 0) return next();
    const now = clock.now();
    const subject = `${isRead(method) ? 'r' : 'w'} ${clientOf(ip)}`;
    if (counts.take(subject, windowStart(now, windowSeconds), quota) !== false) return next();
    prepare(response);
    const seconds = secondsLeft(now, windowSeconds);
    response.setHeader('Retry-After', String(seconds));
    next(new ServiceError('rate_limited', `Too many requests. Try again in ${seconds} s.`));
  };
}
