import type { NodeLease } from '@rtms/contracts';

export const sampleLease: NodeLease = {
  nodeID: 'sfu-1',
  role: 'sfu',
  epoch: 1,
  publicUrl: 'http://127.0.0.1:4001',
  internalUrl: 'http://127.0.0.1:4001',
  load: 0,
  capacity: 400,
  draining: false,
};
