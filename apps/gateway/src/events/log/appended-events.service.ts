import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Bus, Closeable } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { checkValue } from '@rtms/http';
import { messageOf } from '@rtms/logging';
import { nanoid } from 'nanoid';
import { z } from 'zod';
import { changesSubject } from '../../platform/changes/resource-changes.service.js';
import { openWhenPossible } from '../../platform/jobs/open-when-possible.js';
import { DomainEvents } from '../../platform/runtime/domain-events.js';
import { BUS, CLOCK } from '../../platform/runtime/runtime.module.js';

/** The messages share the subject of changed resources, so that NATS needs no new permission. Each listener ignores the other's. */
const appendedSubject = changesSubject;

const message = z.object({
  replicaID: z.string(),
  appended: z.array(z.object({ accountID: z.string(), lastSequence: z.int() })),
});

/** The end of the log of one account. */
export type AppendedEvents = z.infer<typeof message>['appended'][number];

declare module '../../platform/runtime/domain-events.js' {
  interface DomainEventMap {
    /** Comes after the commit of new events. A lost message is not repeated. */
    'events.appended': [appended: readonly AppendedEvents[], origin: 'here' | 'elsewhere'];
  }
}

/** Emits `events.appended` on every replica. */
@Injectable()
export class AppendedEventsService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(AppendedEventsService.name);
  private readonly replicaID = nanoid();
  private listening: Closeable | undefined;

  constructor(
    private readonly domainEvents: DomainEvents,
    @Inject(BUS) private readonly bus: Bus,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.listening = openWhenPossible(this.clock, AppendedEventsService.name, () =>
      this.bus.listen<unknown>(appendedSubject, ({ payload }) => {
        const { data } = checkValue(message, payload);
        if (data && data.replicaID !== this.replicaID) this.emit(data.appended, 'elsewhere');
      }),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await this.listening?.close();
  }

  announce(appended: AppendedEvents[]): void {
    this.emit(appended, 'here');
    const { replicaID } = this;
    if (this.bus.isConnected())
      this.bus.announce(appendedSubject, { replicaID, appended } satisfies z.infer<typeof message>);
  }

  /** A failing listener must not fail the sequencer. */
  private emit(appended: readonly AppendedEvents[], origin: 'here' | 'elsewhere'): void {
    try {
      this.domainEvents.emit('events.appended', appended, origin);
    } catch (error) {
      this.logger.error(`new events are not handled: ${messageOf(error)}`);
    }
  }
}
