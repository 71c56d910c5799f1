/** @weight 0.2 */
import ndc from 'node-datachannel';
import { EventLog } from '@rtms/testing';
import type { ViewerTransport } from '../media-engine.js';
import { arrives, becomes, MediaScenes, type MediaScene } from '../testing/media-scene.js';
import { mediasoupUnderTest } from '../testing/mediasoup-under-test.js';
import { makeDtlsParameters } from '../../testing/member-parameters.js';

const scenes = new MediaScenes(mediasoupUnderTest);
let scene: MediaScene;

beforeEach(async () => {
  scene = await scenes.open({ workers: 1 });
});
afterEach(() => scenes.closeScenes());
afterAll(async () => {
  await scenes.close();
  ndc.cleanup();
});

const statistics = () => scene.engine.statistics;
const remote = () => makeDtlsParameters() as Parameters<ViewerTransport['connect']>[0];

async function openViewer(): Promise<ViewerTransport> {
  const viewer = await scene.room.openViewer();
  await viewer.connect(remote());
  return viewer;
}

describe('the statistics of mediasoup', () => {
  it('count the media of publishers and viewers by direction and kind', async () => {
    const { peer } = await scene.publish();
    const { peer: viewer, transport } = await scene.view(peer);
    await transport.start();
    await arrives(viewer);
    await scene.pass(6_000);
    const { received, sent } = statistics().streams;
    for (const { bytes, packets } of [received.audio, received.video, sent.audio, sent.video]) {
      expect(packets).toBeGreaterThan(0);
      expect(bytes).toBeGreaterThan(packets * 12);
    }
    expect(received.video.keyframeRequests).toBeGreaterThan(0);
    expect(statistics().connections.publisher.connected).toBe(1);
    expect(statistics().connections.viewer.connected).toBe(1);
  });

  it('contain the media that a sample of a viewer has read', async () => {
    const { peer } = await scene.publish();
    const { peer: viewer, transport } = await scene.view(peer);
    await transport.start();
    await arrives(viewer);
    const sample = await transport.measure();
    expect(sample?.packets).toBeGreaterThan(0);
    expect(statistics().streams.sent.video.packets).toBe(sample?.packets);
  });

  it('contain the media since the last reading when a client leaves, and never fall', async () => {
    const { peer, transport: publisher } = await scene.publish();
    const { peer: viewer, transport } = await scene.view(peer);
    await transport.start();
    await arrives(viewer);
    const { received, sent } = statistics().streams;
    expect([received.video.packets, sent.video.packets]).toEqual([0, 0]);
    await transport.close();
    await publisher.close();
    await scene.settle();
    expect(sent.video.packets).toBeGreaterThanOrEqual(5);
    expect(received.audio.packets).toBeGreaterThanOrEqual(5);
    const before = { ...sent.video };
    await scene.pass(6_000);
    expect(sent.video).toEqual(before);
  });

  it('report the time until the publisher sends all kinds, and until a viewer gets a keyframe', async () => {
    const starts = new EventLog<[string, number]>();
    statistics().onStarted.add((role, seconds) => starts.add([role, seconds]));
    const { peer } = await scene.publish();
    await starts.find(([role]) => role === 'publisher');
    const { peer: viewer, transport } = await scene.view(peer);
    await scene.pass(1_500);
    await transport.start();
    await arrives(viewer);
    expect(await starts.find(([role]) => role === 'viewer')).toEqual(['viewer', 1.5]);
    expect(starts.length).toBe(2);
  });

  it('tell connections that fail in ICE from those that the client cancels', async () => {
    const slow = await openViewer();
    const untried = await scene.room.openViewer();
    await scene.clock.advance(4_000);
    const hasty = await openViewer();
    for (const viewer of [slow, untried, hasty]) await viewer.close();
    expect(statistics().connections.viewer).toEqual({ connected: 0, ice_failed: 1, dtls_failed: 0, cancelled: 1 });
  });

  it('count a client whose certificate does not match as failed in DTLS', async () => {
    const { peer } = await scene.publish();
    const transport = await scene.room.openViewer();
    const { fingerprints } = remote();
    const disguised = Object.create(transport, {
      connect: {
        value: ({ role }: Parameters<ViewerTransport['connect']>[0]) => transport.connect({ role, fingerprints }),
      },
      // The driver waits for this state.
      state: { value: 'connected' },
    }) as ViewerTransport;
    await scene.driver.view(disguised, peer.tracks);
    await becomes(transport, 'lost');
    await transport.close();
    expect(statistics().connections.viewer).toEqual({ connected: 0, ice_failed: 0, dtls_failed: 1, cancelled: 0 });
  });

  it('count a publisher that falls silent', async () => {
    const { peer, transport } = await scene.publish();
    await peer.vanish();
    await scene.passUntil(() => transport.state === 'lost', 20_000);
    expect(statistics().losses).toEqual({ publisher: 1, viewer: 0, member: 0 });
  });
});
