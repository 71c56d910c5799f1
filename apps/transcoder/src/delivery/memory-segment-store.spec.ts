import { MemorySegmentStore } from './memory-segment-store.js';
import { describeSegmentStore } from './segment-store.contract.js';

describe('the segment store in memory', () => {
  describeSegmentStore(() => Promise.resolve(new MemorySegmentStore()));
});
