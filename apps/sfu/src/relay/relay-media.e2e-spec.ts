/** @weight 0.3 */
import { readdir } from 'node:fs/promises';
import ndc from 'node-datachannel';
import { systemClock } from '@rtms/clock';
import { waitFor } from '@rtms/testing';
import { MediasoupEngine } from '../media/mediasoup/mediasoup-engine.js';
import { DatachannelDriver } from '../media/testing/datachannel-driver.js';
import { arrives, MediaScene } from '../media/testing/media-scene.js';
import { RelayedEngine } from './testing/relayed-engine.js';

afterAll(() => ndc.cleanup());

/** What a media worker holds: routers, handlers, sockets. */
async function held({ workers: [worker] }: MediasoupEngine): Promise<unknown> {
  if (!worker) throw new Error('no worker');
  const { routerIds, channelMessageHandlers } = await worker.dump();
  const { channelRequestHandlers: requests, channelNotificationHandlers: notifications } = channelMessageHandlers;
  const handlers = { requests: requests.sort(), notifications: notifications.sort() };
  return { routerIds, handlers, fds: (await readdir(`/proc/${worker.pid}/fd`)).length };
}

describe('the media workers of a room on two nodes', () => {
  let engine: RelayedEngine<MediasoupEngine>;
  let scene: MediaScene;

  beforeEach(async () => {
    scene = await MediaScene.open({
      start: async options =>
        (engine = await RelayedEngine.start(
          each => MediasoupEngine.start({ ...each, clock: systemClock }),
          options,
          systemClock,
        )),
      driver: () => new DatachannelDriver(),
      killWorker: () => Promise.resolve(),
    });
  });

  afterEach(() => scene.close());

  it('hold nothing of it once the last viewer has gone, and one copy of a track until then', async () => {
    const { peer } = await scene.publish();
    const [owner, relay] = [engine.owner.engine, engine.relay.engine];
    const before = [await held(owner), await held(relay)];
    const viewers = [await scene.view(peer), await scene.view(peer)];
    for (const { transport, peer: viewer } of viewers) {
      await transport.start();
      await arrives(viewer);
    }
    expect([owner.status().pipes, relay.status().pipes]).toEqual([2, 0]);
    expect(relay.load().consumers).toBe(4);
    for (const { transport } of viewers) await transport.close();
    await waitFor(async () => expect([await held(owner), await held(relay)]).toEqual(before) === undefined, {
      what: 'nothing to be left',
    });
    expect([owner.status().pipes, relay.load().consumers]).toEqual([0, 0]);
  });

  it('go on by another place when the relay’s worker died', async () => {
    const { peer } = await scene.publish();
    const { transport } = await scene.view(peer);
    const [pid = 0] = engine.relay.engine.workerPids();
    process.kill(pid, 'SIGKILL');
    await waitFor(() => transport.state === 'closed', { what: 'the viewer to be cut' });
    await waitFor(() => engine.relay.engine.workerPids().length === 1, { what: 'a new worker' });
    const again = await scene.view(peer);
    await again.transport.start();
    await arrives(again.peer);
  });
});

describe('a relay that announces an address where it does not receive', () => {
  let engine: RelayedEngine<MediasoupEngine>;
  let scene: MediaScene;

  beforeEach(async () => {
    const addresses = ['127.0.0.1', '127.0.0.2'];
    const start = (each: object): Promise<MediasoupEngine> =>
      MediasoupEngine.start({ ...each, relayAddress: addresses.shift()!, clock: systemClock });
    scene = await MediaScene.open({
      start: async options => (engine = await RelayedEngine.start(start, options, systemClock)),
      driver: () => new DatachannelDriver(),
      killWorker: () => Promise.resolve(),
    });
  });

  afterEach(() => scene.close());

  it('is left within seconds', async () => {
    const { peer } = await scene.publish();
    const { transport } = await scene.view(peer);
    await transport.start();
    await waitFor(() => transport.state === 'connected', { what: 'the viewer to connect' });
    await waitFor(() => transport.state === 'closed', { what: 'the relay to be left', timeoutMs: 15_000 });
    expect(engine.owner.relaying.others()).toEqual([]);
  });
});
