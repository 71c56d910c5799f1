import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import type { RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { clientOf } from './client-address.js';

export interface AddressLimits {
  windowSeconds: number;
  /** Requests of one client within a window, see `clientOf`; 0: no limit. */
  addressReads: number;
  addressWrites: number;
}

interface Window {
  endsAt: number;
  count: number;
}

/** 100,000 clients take about 10 MB. The client that was quiet for longest is forgotten first. */
const maxClients = 100_000;

const reads: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Refuses requests above the limits with 429 `rate_limited` and `Retry-After`. Counts in the memory of this process: a
 * media node shares no database with others. `prepare` may add headers to a refusal, such as those of CORS.
 */
export function limitAddresses(
  { windowSeconds, addressReads, addressWrites }: AddressLimits,
  clock: Clock,
  prepare: (response: Response) => void = () => undefined,
): RequestHandler {
  const windows = new LRUCache<string, Window>({ max: maxClients });
  return ({ method, ip }, response, next) => {
    const isRead = reads.includes(method);
    const quota = isRead ? addressReads : addressWrites;
    if (quota === 0) return next();
    const now = clock.now();
    const subject = `${isRead ? 'r' : 'w'} ${clientOf(ip)}`;
    const window = windows.get(subject);
    if (!window || window.endsAt <= now) {
      windows.set(subject, { endsAt: now + windowSeconds * 1000, count: 1 });
      return next();
    }
    if (window.count < quota) {
      window.count += 1;
      return next();
    }
    prepare(response);
    const seconds = Math.ceil((window.endsAt - now) / 1000);
    response.setHeader('Retry-After', String(seconds));
    next(new ServiceError('rate_limited', `Too many requests. Try again in ${seconds} s.`));
  };
}
