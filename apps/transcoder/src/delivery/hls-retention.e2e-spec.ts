import { waitFor } from '@rtms/testing';
import { publishRun } from '../../../../test/media/start-origin.js';
import { sizes, TestBroadcast } from './testing/test-broadcast.js';

let broadcast: TestBroadcast;
beforeEach(async () => {
  broadcast = await TestBroadcast.open();
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
    const short = await broadcast.origin.present('bcast_short', { segmentSeconds: 1, windowSegments: 1 });
    await publishRun(short, broadcast.media, sizes);
    broadcast.origin.registry.retire(short);
    expect(broadcast.origin.registry.get('bcast_short')).toBe(short);
    await waitFor(() => broadcast.origin.registry.get('bcast_short') === undefined, {
      what: 'the end of the retention',
    });
  });
});
