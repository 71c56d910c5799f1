import type { Bus } from './bus.js';

/** The part of the bus that asks. */
export type Requester = Pick<Bus, 'request'>;

/** Asks on behalf of one request: its id goes along with every command, also with those that come much later. */
export function requesterFor(bus: Requester, requestID: string | undefined): Requester {
  if (requestID === undefined) return bus;
  return { request: (address, request, options) => bus.request(address, request, { requestID, ...options }) };
}
