import { systemClock } from '@rtms/clock';
import { describeMembers } from '../media-members.contract.js';
import { ChromiumMemberDriver } from '../testing/chromium-member-driver.js';
import { killMediasoupWorker, startMediasoup } from './testing/mediasoup-under-test.js';

describeMembers('MediasoupEngine with mediasoup-client in Chromium', {
  start: options => startMediasoup({ ...options, clock: systemClock }),
  openDriver: () => ChromiumMemberDriver.open(),
  killWorker: killMediasoupWorker,
});
