import { ManualClock } from '@rtms/testing';
import { publishRun } from '../../../../test/media/start-origin.js';
import { sizes, TestBroadcast } from './testing/test-broadcast.js';

let broadcast: TestBroadcast;
let clock: ManualClock;
beforeEach(async () => {
  clock = new ManualClock();
  broadcast = await TestBroadcast.open({ clock });
});
afterEach(() => broadcast.close());

describe('a broadcast that has gone', () => {
  it('cannot be fetched any more', async () => {
    const path = await broadcast.firstSegment();
    await broadcast.origin.registry.remove(broadcast.presentation);
    expect((await broadcast.get(path)).status).toBe(404);
    expect((await broadcast.get(`${broadcast.entry}?token=${broadcast.token}`)).status).toBe(404);
  });

  it('stays for one window after its end and then goes', async () => {
    const short = await broadcast.origin.present('bcast_short', { segmentSeconds: 2, windowSegments: 3 });
    await publishRun(short, broadcast.media, sizes);
    broadcast.origin.registry.retire(short);
    await clock.advance(5_999);
    expect(broadcast.origin.registry.get('bcast_short')).toBe(short);
    await clock.advance(1);
    expect(broadcast.origin.registry.get('bcast_short')).toBeUndefined();
  });
});
