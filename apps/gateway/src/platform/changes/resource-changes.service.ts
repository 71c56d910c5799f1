import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Bus, Closeable } from '@rtms/bus';
import type { Clock, Timer } from '@rtms/clock';
import { checkValue } from '@rtms/http';
import { messageOf } from '@rtms/logging';
import { nanoid } from 'nanoid';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { openWhenPossible } from '../jobs/open-when-possible.js';
import { DomainEvents } from '../runtime/domain-events.js';
import { BUS, CLOCK } from '../runtime/runtime.module.js';
import { announceWrites } from './announcing-query-runner.js';
import { anything, ChangeSet, isKnownChange, type ResourceChange } from './change-set.js';

/** Only gateways send and hear messages of this subject. */
export const changesSubject = 'rtms.gateway.changes';
/** The pause between two messages to the other replicas. The first change after a pause is sent at once. */
const pauseMs = 50;

declare module '../runtime/domain-events.js' {
  interface DomainEventMap {
    /** Comes after the commit. `origin`: the replica that committed. */
    'resources.changed': [changes: readonly ResourceChange[], origin: 'here' | 'elsewhere'];
  }
}

const text = z.string().nullable();
const message = z.object({
  /** The announcing replica, which ignores its own message. */
  replicaID: z.string(),
  changes: z.array(z.object({ kind: z.string(), id: text, accountID: text, participantID: z.string().optional() })),
});

/**
 * Emits `resources.changed` for the changes of every replica. Changes of this replica come from the database connection and
 * go to the other replicas over the bus: combined, bounded, and at most one message per pause.
 */
@Injectable()
export class ResourceChangesService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(ResourceChangesService.name);
  private readonly replicaID = nanoid();
  private readonly waiting = new ChangeSet();
  private readonly opened: Closeable[] = [];
  private pause: Timer | undefined;

  constructor(
    dataSource: DataSource,
    private readonly domainEvents: DomainEvents,
    @Inject(BUS) private readonly bus: Bus,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    announceWrites(dataSource, changes => this.announce(changes));
  }

  onApplicationBootstrap(): void {
    this.opened.push(
      openWhenPossible(this.clock, ResourceChangesService.name, () =>
        this.bus.listen<unknown>(changesSubject, ({ payload }) => this.hear(payload)),
      ),
      this.bus.onConnectionChange(connected => connected && this.recover()),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.opened.splice(0).map(each => each.close()));
    this.pause?.cancel();
    this.flush();
  }

  /** Announces committed changes of this replica. */
  announce(changes: readonly ResourceChange[]): void {
    this.emit(changes, 'here');
    for (const change of changes) this.waiting.add(change);
    this.send();
  }

  /** The bus has dropped the messages of both sides. */
  private recover(): void {
    this.waiting.take();
    for (const change of anything) this.waiting.add(change);
    this.emit(anything, 'elsewhere');
    this.send();
  }

  private send(): void {
    if (this.pause || !this.flush()) return;
    this.pause = this.clock.after(pauseMs, () => {
      this.pause = undefined;
      this.send();
    });
  }

  /** Returns whether a message was sent. */
  private flush(): boolean {
    if (this.waiting.isEmpty || !this.bus.isConnected()) return false;
    const { replicaID } = this;
    this.bus.announce(changesSubject, { replicaID, changes: this.waiting.take() } satisfies z.infer<typeof message>);
    return true;
  }

  private hear(payload: unknown): void {
    const { data } = checkValue(message, payload);
    if (data && data.replicaID !== this.replicaID) this.emit(data.changes.filter(isKnownChange), 'elsewhere');
  }

  /** A failing listener must not fail the transaction, which is committed. */
  private emit(changes: readonly ResourceChange[], origin: 'here' | 'elsewhere'): void {
    try {
      this.domainEvents.emit('resources.changed', changes, origin);
    } catch (error) {
      this.logger.error(`changes are not handled: ${messageOf(error)}`);
    }
  }
}
