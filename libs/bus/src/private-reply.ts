import { nuid } from '@nats-io/transport-node';

/**
 * Sends a request whose reply address tells nothing of others: the client counts those up from a random start, and
 * whoever is asked could answer requests to others from them.
 */
export function withPrivateReply<Sent>(send: () => Sent): Sent {
  nuid.reset();
  const sent = send();
  nuid.reset();
  return sent;
}
