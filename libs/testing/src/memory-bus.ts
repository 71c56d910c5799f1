import { MemoryBus } from '@rtms/bus';
import { factStream } from '@rtms/contracts';

/** A bus inside this process that has the fact stream, ready for use. */
export async function memoryBus(): Promise<MemoryBus> {
  const bus = new MemoryBus();
  await bus.ensureStream(factStream);
  return bus;
}
