import { systemClock } from '@rtms/clock';
import { describeMediaEngine } from '../media-engine.contract.js';
import type { EngineUnderTest } from '../testing/media-scene.js';
import { describeViewers } from '../viewers.contract.js';
import { MemoryDriver } from '../testing/memory-driver.js';
import { describeMembers } from '../media-members.contract.js';
import { MemoryMemberDriver } from '../testing/memory-member-driver.js';
import { MemoryEngine } from './memory-engine.js';

const underTest: EngineUnderTest = {
  start: async options => new MemoryEngine(options),
  driver: (_engine, clock) => new MemoryDriver(clock),
  killWorker: async (engine, pid) => {
    if (engine instanceof MemoryEngine) await engine.killWorker(pid);
  },
  settle: () => Promise.resolve(),
};

describeMediaEngine('MemoryEngine', underTest);
describeViewers('MemoryEngine', underTest);

describeMembers('MemoryEngine', {
  start: async options => new MemoryEngine({ ...options, clock: systemClock }),
  openDriver: async () => new MemoryMemberDriver(),
  killWorker: async (engine, pid) => {
    if (engine instanceof MemoryEngine) await engine.killWorker(pid);
  },
});
