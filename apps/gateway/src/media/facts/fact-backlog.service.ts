import { Inject, Injectable } from '@nestjs/common';
import type { Backlog, Bus, DurableConsumer } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { factStream } from '@rtms/contracts';
import { BUS, CLOCK } from '../../platform/runtime/runtime.module.js';

/**
 * The number of facts that are applied in parallel, by kind of resource. Each kind has its own consumer, so facts of one
 * kind do not wait for facts of another kind.
 */
export const factLanes = {
  /** Facts of sessions and playbacks are applied in batches. */
  external_session: { atOnce: 200 },
  playback: { atOnce: 500 },
  broadcast: { atOnce: 2 },
  recording: { atOnce: 2 },
  restream: { atOnce: 2 },
} as const;

export type FactResource = keyof typeof factLanes;
export const factResources = Object.keys(factLanes) as FactResource[];

/** The durable consumer of a kind. All replicas share it, and one replica at a time reads. */
export function consumerOf(resource: FactResource): Required<DurableConsumer> {
  return { stream: factStream.name, durable: `gateway_${resource}`, subject: `rtms.fact.${resource}.>` };
}

/** The ID of the fact's resource, from the subject of its message. */
export function resourceIDOf(subject: string): string {
  return subject.slice(subject.lastIndexOf('.') + 1);
}

/** The database is out of date when a fact waits for longer. Clocks of machines differ by less. */
const lateMs = 5_000;

/** The facts that wait in the stream for any replica of the gateway. */
@Injectable()
export class FactBacklogService {
  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The given resources about which a fact waits. Their rows are out of date. */
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

  /** The number of waiting facts of each kind, and the time of the oldest. */
  measure(): Promise<(Backlog & { resource: FactResource })[]> {
    return Promise.all(
      factResources.map(async resource => ({ resource, ...(await this.bus.backlog(consumerOf(resource))) })),
    );
  }
}
