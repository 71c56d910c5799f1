import { describeMediaEngine } from '../media-engine.contract.js';
import { MemoryDriver } from '../testing/memory-driver.js';
import { MemoryEngine } from './memory-engine.js';

describeMediaEngine('MemoryEngine', {
  start: async options => new MemoryEngine(options),
  driver: () => new MemoryDriver(),
  killWorker: async (engine, pid) => {
    if (engine instanceof MemoryEngine) await engine.killWorker(pid);
  },
});
