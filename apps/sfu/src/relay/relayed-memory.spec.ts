import { systemClock } from '@rtms/clock';
import { MemoryEngine } from '../media/memory/memory-engine.js';
import { MemoryDriver } from '../media/testing/memory-driver.js';
import { describeViewers } from '../media/viewers.contract.js';
import { RelayedEngine } from './testing/relayed-engine.js';

describeViewers('a room on another node (MemoryEngine)', {
  start: options =>
    RelayedEngine.start(async each => new MemoryEngine({ ...each, clock: systemClock }), options, systemClock),
  driver: engine => new MemoryDriver(() => (engine as RelayedEngine<MemoryEngine>).relay.engine.viewers.at(-1)!),
  killWorker: (engine, pid) => (engine as RelayedEngine<MemoryEngine>).owner.engine.killWorker(pid),
});
