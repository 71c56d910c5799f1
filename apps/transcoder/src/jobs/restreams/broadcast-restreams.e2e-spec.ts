/** @weight 0.6 for 8 s */
import { systemClock } from '@rtms/clock';
import { freePort } from '@rtms/testing';
import { openBroadcastBench, startRequest } from '../../../test/broadcast-bench.js';
import { restreamBenches, restreamRequest } from '../../../test/restream-bench.js';
import { RtpSource } from '../../../test/rtp-source.js';
import { BroadcastFeed } from './broadcast-feed.js';

const { open, target, remember } = restreamBenches();
const key = 'key-Xk29fqL8';

describe('a restream of a broadcast', () => {
  it('copies the best rendition and its sound, also after a failing target', async () => {
    const source = () => new RtpSource({ video: 'h264', size: '640x360', frameRate: '25' });
    const stage = remember(await openBroadcastBench(source));
    await stage.broadcasts.start(startRequest());
    await stage.becomesActive();
    const bench = await open({ openBroadcast: BroadcastFeed.opener(stage.registry, systemClock) });
    const [good, closed] = [await freePort(), await freePort()];
    const url = `rtmp://127.0.0.1:${good}/live/event`;
    const receiver = await target(`${url}/${key}`, ['-listen', '1']);
    const start = (restreamID: string, to: string) =>
      bench.restreams.start({
        ...restreamRequest(restreamID, { protocol: 'rtmp', url: to, streamKey: key }),
        ...{ sourceID: 'bcast_1', from: 'broadcast' },
      });
    await start('rs_2', `rtmp://127.0.0.1:${closed}/live/event`);
    await start('rs_1', url);
    await bench.fact('rs_1', 'restream.active');
    expect(await bench.fact('rs_2', 'restream.retrying')).toMatchObject({ problem: 'connection_refused' });
    await receiver.has(250_000);
    expect(bench.restreams.inventory()).toContainEqual({ restreamID: 'rs_1', state: 'active' });
    expect(stage.broadcasts.inventory()).toEqual([{ broadcastID: 'bcast_1', state: 'active' }]);
    const taken = await receiver.probe();
    expect(taken).toMatchObject({ video: 'h264', size: '640x360', audio: 'aac', errors: undefined });
    expect(taken.pictures).toBeGreaterThan(20);
    expect(taken.volume).toBeGreaterThan(-40);
  });
});
