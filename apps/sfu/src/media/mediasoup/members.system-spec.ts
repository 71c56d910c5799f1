import { systemClock } from '@rtms/clock';
import { describeMembers } from '../media-members.contract.js';
import { ChromiumMemberDriver } from '../testing/chromium-member-driver.js';
import { MediasoupEngine } from './mediasoup-engine.js';

describeMembers('MediasoupEngine with mediasoup-client in Chromium', {
  start: options => MediasoupEngine.start({ ...options, clock: systemClock }),
  openDriver: () => ChromiumMemberDriver.open(),
  killWorker: async (_engine, pid) => void process.kill(pid, 'SIGKILL'),
});
