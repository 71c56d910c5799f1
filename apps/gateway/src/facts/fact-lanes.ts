import type { DurableConsumer } from '@rtms/bus';
import { factStream } from '@rtms/contracts';

/**
 * The kinds of resources that facts are about, and how many facts of a kind are applied at the same time. Each kind has a
 * consumer of its own: the facts of one kind do not wait for those of another.
 */
export const factLanes = {
  /** Those of sessions and playbacks are applied in batches. */
  external_session: { atOnce: 200 },
  playback: { atOnce: 500 },
  broadcast: { atOnce: 2 },
  recording: { atOnce: 2 },
} as const;

export type FactResource = keyof typeof factLanes;
export const factResources = Object.keys(factLanes) as FactResource[];

/** The place in the stream; all replicas of the gateway share it, and one at a time reads. */
export function consumerOf(resource: FactResource): Required<DurableConsumer> {
  return { stream: factStream.name, durable: `gateway_${resource}`, subject: `rtms.fact.${resource}.>` };
}

/** The resource that a fact is about, by the subject of its message. */
export function resourceIDOf(subject: string): string {
  return subject.slice(subject.lastIndexOf('.') + 1);
}
