import { targetResolutions } from '../event-settings/event-options.js';
import { resolutionLines } from '../event-settings/resolution-lines.js';
import { MediaTestBed } from '../testing/media-test-bed.js';

describe('a broadcast', () => {
  let bed: MediaTestBed;

  beforeAll(async () => {
    bed = await MediaTestBed.start();
  });
  afterAll(() => bed.close());

  const start = async (): Promise<unknown> => {
    bed.meetingID = await bed.createRoom({ eventType: 'webinar' });
    const broadcastID = await bed.openBroadcast(await bed.openActiveSession());
    return bed.transcoder.received('broadcast.start').find(each => each['broadcastID'] === broadcastID)?.['maxHeight'];
  };

  it('has 720 lines at most where nothing else is set', async () => {
    expect(await start()).toBe(720);
  });

  it('has the lines of its room’s target resolution at most', async () => {
    await bed.request('post', '/v1/eventssettings', { action: 'create', type: 'webinar' });
    for (const targetResolution of targetResolutions) {
      const change = { action: 'update', type: 'webinar', targetResolution };
      await bed.request('post', '/v1/eventssettings', change);
      expect([targetResolution, await start()]).toEqual([targetResolution, resolutionLines[targetResolution]]);
    }
  });
});
