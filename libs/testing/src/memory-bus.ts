import { MemoryBroker, MemoryBus } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { factStream } from '@rtms/contracts';

/** Creates an in-process bus with the fact stream. */
export async function memoryBus(clock?: Clock): Promise<MemoryBus> {
  const bus = new MemoryBus(new MemoryBroker(clock));
  await bus.ensureStream(factStream);
  return bus;
}
