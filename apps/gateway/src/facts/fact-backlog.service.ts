import { Inject, Injectable } from '@nestjs/common';
import type { Backlog, Bus } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { BUS, CLOCK } from '../runtime.module.js';
import { consumerOf, factResources, type FactResource } from './fact-lanes.js';

/** A fact that waits for longer than this makes the database say less than is known; the clocks of two machines differ. */
const lateMs = 5_000;

/** Facts that wait in the stream, whichever replica of the gateway takes them. */
@Injectable()
export class FactBacklog {
  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Those of the resources about which a fact waits: what the database says of them is not the present. */
  async waitingAmong(resource: FactResource, ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const subjects = new Map(ids.map(id => [`rtms.fact.${resource}.*.${id}`, id]));
    const waiting = await this.bus.waitingUnder(consumerOf(resource), [...subjects.keys()]);
    return new Set([...waiting].map(subject => subjects.get(subject) ?? ''));
  }

  /** Whether a fact has waited for more than 5 s. */
  async isLate(): Promise<boolean> {
    const lag = await this.measure();
    return lag.some(({ oldestAt }) => oldestAt !== undefined && this.clock.now() - oldestAt.getTime() > lateMs);
  }

  /** How many facts of each kind wait, and since when. */
  measure(): Promise<(Backlog & { resource: FactResource })[]> {
    return Promise.all(
      factResources.map(async resource => ({ resource, ...(await this.bus.backlog(consumerOf(resource))) })),
    );
  }
}
