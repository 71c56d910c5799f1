/** @weight 0.2 */
import ndc from 'node-datachannel';
import { systemClock } from '@rtms/clock';
import { describeMediaEngine } from '../media-engine.contract.js';
import type { EngineUnderTest } from '../testing/media-scene.js';
import { describeViewers } from '../viewers.contract.js';
import { DatachannelDriver } from '../testing/datachannel-driver.js';
import { MediasoupEngine } from './mediasoup-engine.js';

afterAll(() => ndc.cleanup());

const underTest: EngineUnderTest = {
  start: options => MediasoupEngine.start({ ...options, clock: systemClock }),
  driver: () => new DatachannelDriver(),
  killWorker: async (_engine, pid) => {
    process.kill(pid, 'SIGKILL');
  },
};

describeMediaEngine('MediasoupEngine', underTest);
describeViewers('MediasoupEngine', underTest);
