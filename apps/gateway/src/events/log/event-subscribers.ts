import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AccountEvent } from './account-event.js';

/**
 * Gets new events inside the transaction that adds them to the log: several accounts, each account's events in order. A failure rolls
 * the whole portion back, and the sequencer tries it again.
 */
export type EventSubscriber = (manager: EntityManager, events: readonly AccountEvent[]) => Promise<void>;

/** The subscribers run one after the other, in the order of their registration. */
@Injectable()
export class EventSubscribers {
  private readonly subscribers: EventSubscriber[] = [];

  register(subscriber: EventSubscriber): void {
    this.subscribers.push(subscriber);
  }

  async notify(manager: EntityManager, events: readonly AccountEvent[]): Promise<void> {
    for (const subscriber of this.subscribers) await subscriber(manager, events);
  }
}
