/** @weight 0.3 */
import ndc from 'node-datachannel';
import { systemClock } from '@rtms/clock';
import { MediasoupEngine } from '../media/mediasoup/mediasoup-engine.js';
import { DatachannelDriver } from '../media/testing/datachannel-driver.js';
import { describeViewers } from '../media/viewers.contract.js';
import { RelayedEngine } from './testing/relayed-engine.js';

afterAll(() => ndc.cleanup());

describeViewers('a room on another node (MediasoupEngine)', {
  start: options =>
    RelayedEngine.start(each => MediasoupEngine.start({ ...each, clock: systemClock }), options, systemClock),
  driver: () => new DatachannelDriver(),
  killWorker: async (_engine, pid) => {
    process.kill(pid, 'SIGKILL');
  },
});
