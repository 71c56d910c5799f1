import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { BusPermissionError } from './bus-errors.js';
import { isForbidden } from './to-bus-error.js';

export interface OpenedSubscription {
  subscription: Subscription;
  /** Why the server has refused it, if it has. */
  refusal(): Error | undefined;
}

export function openSubscription(
  connection: NatsConnection,
  subject: string,
  onMessage: (message: Msg) => void,
  options: { queue?: string } = {},
): OpenedSubscription {
  let refusal: Error | undefined;
  const subscription = connection.subscribe(subject, {
    ...options,
    callback: (error, message) => {
      if (error) refusal = isForbidden(error) ? new BusPermissionError(subject) : error;
      else onMessage(message);
    },
  });
  return { subscription, refusal: () => refusal };
}
