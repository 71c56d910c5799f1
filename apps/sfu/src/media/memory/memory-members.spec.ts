import { systemClock } from '@rtms/clock';
import { describeMembers } from '../media-members.contract.js';
import { MemoryMemberDriver } from '../testing/memory-member-driver.js';
import { MemoryEngine } from './memory-engine.js';

describeMembers('MemoryEngine', {
  start: async options => new MemoryEngine({ ...options, clock: systemClock }),
  openDriver: async () => new MemoryMemberDriver(),
  killWorker: async (engine, pid) => {
    if (engine instanceof MemoryEngine) await engine.killWorker(pid);
  },
});
