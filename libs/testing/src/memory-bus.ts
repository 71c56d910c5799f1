import { MemoryBroker, MemoryBus } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { factStream } from '@rtms/contracts';

/** A bus inside this process that has the fact stream, ready for use. */
export async function memoryBus(clock?: Clock): Promise<MemoryBus> {
  const bus = new MemoryBus(new MemoryBroker(clock));
  await bus.ensureStream(factStream);
  return bus;
}
