import { MemoryEngine } from '../media/memory/memory-engine.js';
import { MemoryDriver } from '../media/testing/memory-driver.js';
import { describeViewers } from '../media/viewers.contract.js';
import { RelayedEngine } from './testing/relayed-engine.js';

describeViewers('a room on another node (MemoryEngine)', {
  start: ({ clock, ...options }) =>
    RelayedEngine.start(async each => new MemoryEngine({ ...each, clock }), options, clock),
  driver: (engine, clock) =>
    new MemoryDriver(clock, () => (engine as RelayedEngine<MemoryEngine>).relay.engine.viewers.at(-1)!),
  killWorker: (engine, pid) => (engine as RelayedEngine<MemoryEngine>).owner.engine.killWorker(pid),
  settle: () => Promise.resolve(),
});
