/** @weight 0.3 */
import { readdir } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { waitFor } from '@rtms/testing';
import ndc from 'node-datachannel';
import type { MediasoupEngine, MediasoupEngineOptions } from '../media/mediasoup/mediasoup-engine.js';
import { killMediasoupWorker, settleMediasoup, startMediasoup } from '../media/testing/mediasoup-under-test.js';
import { sentAs } from '../media/codecs.js';
import { DatachannelDriver } from '../media/testing/datachannel-driver.js';
import { arrives, becomes, MediaScenes, type MediaScene } from '../media/testing/media-scene.js';
import { RelayedEngine } from './testing/relayed-engine.js';

afterAll(() => ndc.cleanup());

let engine: RelayedEngine<MediasoupEngine>;

/** Two nodes with a media worker each. `relayAddresses`: of the owner, then of the relay. */
function scenesOn(...relayAddresses: string[]): MediaScenes {
  return new MediaScenes({
    start: async ({ clock, ...options }) => {
      const start = (each: Omit<MediasoupEngineOptions, 'clock'>): Promise<MediasoupEngine> => {
        const relayAddress = relayAddresses.shift();
        return startMediasoup({ ...each, clock, ...(relayAddress !== undefined && { relayAddress }) });
      };
      engine = await RelayedEngine.start(start, options, clock);
      return engine;
    },
    driver: () => new DatachannelDriver(),
    killWorker: () => Promise.reject(new Error('name the node whose worker is meant')),
    settle: async () => {
      for (const _round of [1, 2, 3]) {
        for (const node of [engine.owner, engine.relay]) await settleMediasoup(node.engine);
        await engine.owner.bus.settled();
      }
    },
  });
}

/** The routers, handlers and sockets of a media worker. */
async function held({ workers: [worker] }: MediasoupEngine): Promise<unknown> {
  if (!worker) throw new Error('no worker');
  const { routerIds, channelMessageHandlers } = await worker.dump();
  const { channelRequestHandlers: requests, channelNotificationHandlers: notifications } = channelMessageHandlers;
  const handlers = { requests: requests.sort(), notifications: notifications.sort() };
  return { routerIds, handlers, fds: (await readdir(`/proc/${worker.pid}/fd`)).length };
}

describe('the media workers of a room on two nodes', () => {
  let scenes: MediaScenes;
  let scene: MediaScene;

  beforeEach(async () => {
    scenes = scenesOn();
    scene = await scenes.open({ workers: 1 });
  });

  afterEach(() => scenes.closeScenes());

  it('hold one copy of a track until the last viewer leaves, then nothing', async () => {
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
    // The nodes exchange commands, and each sends requests to its worker.
    const after = async () => [await held(owner), await held(relay)];
    await waitFor(async () => isDeepStrictEqual(await after(), before), { what: 'the workers to hold what they held' });
    expect([owner.status().pipes, relay.load().consumers]).toEqual([0, 0]);
  });

  it('serve a viewer with its own payload types, without paused tracks', async () => {
    const { peer } = await scene.publish();
    const numbered = { audio: 109, video: { payloadType: 120, codec: 'VP8' as const, rtx: 124 } };
    const numbers = peer.tracks.map(({ kind, codec }) => {
      const [payloadType, rtx] = kind === 'audio' ? [109] : [120, 124];
      return { codec: sentAs(codec)!, payloadType, ...(rtx !== undefined && { rtxPayloadType: rtx }) };
    });
    const transport = await scene.room.openViewer(numbers);
    const viewer = await scene.driver.view(transport, peer.tracks, numbered);
    await transport.start();
    await arrives(viewer);
    expect([viewer.payloadTypes('audio'), viewer.payloadTypes('video')]).toEqual([[109], [120]]);
    const asked = peer.nextKeyframeRequest();
    await peer.tracks[1]?.pause();
    // After a delay the driver sends many packets at once, and some of them may still be on their way.
    const standsStill = async () => {
      const before = viewer.received('video');
      await viewer.arrives('audio');
      return viewer.received('video') === before;
    };
    await waitFor(standsStill, { what: 'sound without pictures' });
    await peer.tracks[1]?.resume();
    await Promise.all([viewer.arrives('video'), asked]);
  });

  it('continue on another node when the relay’s worker dies', async () => {
    const { peer } = await scene.publish();
    const { transport } = await scene.view(peer);
    const closed = becomes(transport, 'closed');
    await killMediasoupWorker(engine.relay.engine, engine.relay.engine.workerPids()[0] ?? 0);
    await closed;
    const again = await scene.view(peer);
    await again.transport.start();
    await arrives(again.peer);
  });
});

describe('a relay with a wrong announced address', () => {
  const scenes = scenesOn('127.0.0.1', '127.0.0.2');

  afterEach(() => scenes.closeScenes());

  it('is given up', async () => {
    const scene = await scenes.open({ workers: 1 });
    const { peer } = await scene.publish();
    const { transport } = await scene.view(peer);
    await transport.start();
    await becomes(transport, 'connected');
    // Its time passes only while the publisher sends.
    for (let seconds = 0; transport.state !== 'closed' && seconds < 60; seconds += 0.5) {
      await peer.sends();
      await scene.pass(500);
    }
    expect([transport.state, engine.owner.relaying.others()]).toEqual(['closed', []]);
  });
});
