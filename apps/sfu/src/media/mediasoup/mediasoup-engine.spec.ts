import ndc from 'node-datachannel';
import { describeMediaEngine } from '../media-engine.contract.js';
import { DatachannelDriver } from '../testing/datachannel-driver.js';
import { MediasoupEngine } from './mediasoup-engine.js';

afterAll(() => ndc.cleanup());

describeMediaEngine('MediasoupEngine', {
  start: options => MediasoupEngine.start(options),
  driver: () => new DatachannelDriver(),
  killWorker: async (_engine, pid) => {
    process.kill(pid, 'SIGKILL');
  },
});
