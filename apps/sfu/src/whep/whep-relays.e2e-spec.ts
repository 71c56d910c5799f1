import { nodeLoadSubject, sfuCommands } from '@rtms/contracts';
import { waitFor } from '@rtms/testing';
import request from 'supertest';
import { MemoryEngine } from '../media/memory/memory-engine.js';
import { chromiumPublishes, chromiumWatches } from '../sdp/testing/client-offers.js';
import { TestNode, TestPlane } from '../testing/sfu-harness.js';

describe('a WHEP viewer whose connection is on another node', () => {
  let plane: TestPlane;
  let owner: TestNode;
  let relay: TestNode;

  beforeEach(async () => {
    plane = await TestPlane.open();
    owner = await TestNode.openWith(plane, new MemoryEngine({ consumersPerWorker: 1 }));
    let loads = 0;
    await plane.bus.listen(nodeLoadSubject('sfu-2'), () => loads++);
    relay = await TestNode.open(plane, { nodeID: 'sfu-2' });
    await waitFor(() => loads > 0, { what: 'the other node to be heard of' });
    await owner.openSession('ext_1');
    await owner.openPlayback('play_1', 'ext_1');
    await post('/whip/ext_1', await plane.ingestToken('ext_1'), chromiumPublishes());
    const publisher = owner.engine.publishers[0];
    publisher?.peerConnects();
    for (const track of publisher?.tracks ?? []) track.receiveRtp();
    await waitFor(() => plane.factTypesOf('ext_1').includes('external_session.active'));
  });

  afterEach(async () => {
    await owner.close();
    await relay.close();
  });

  function post(path: string, token: string, body: string, type = 'application/sdp') {
    return request(owner.server)
      .post(path)
      .set({ Authorization: `Bearer ${token}`, 'Content-Type': type })
      .send(body)
      .expect(201);
  }

  const pathOf = ({ headers }: request.Response): string => new URL(headers['location'] ?? '').pathname;

  /** What is told to the viewer at that address. */
  async function listen(address: string): Promise<{ heard: () => string; hasEnded: () => boolean }> {
    const token = await plane.playbackToken('play_1');
    const events = await post(`${address}/events`, token, '["reconnect"]', 'application/json');
    let heard = '';
    let ended = false;
    const { port } = owner.server.address() as { port: number };
    const headers = { authorization: `Bearer ${token}` };
    const stream = await fetch(`http://127.0.0.1:${port}${pathOf(events)}`, { headers });
    void (async () => {
      for await (const chunk of stream.body ?? []) heard += Buffer.from(chunk).toString();
      ended = true;
    })().catch(() => undefined);
    return { heard: () => heard, hasEnded: () => ended };
  }

  async function watch(): Promise<string> {
    const address = pathOf(await post('/whep/play_1', await plane.playbackToken('play_1'), chromiumWatches()));
    relay.engine.viewers.at(-1)?.peerConnects();
    await waitFor(() => plane.factTypesOf('play_1').includes('playback.active'));
    return address;
  }

  it('is counted and ends as any other, by the URL that it was given', async () => {
    const address = await watch();
    expect([owner.engine.viewers.length, relay.engine.viewers.length]).toEqual([0, 1]);
    const token = await plane.playbackToken('play_1');
    await request(owner.server).delete(address).set('Authorization', `Bearer ${token}`).expect(200);
    await waitFor(() => plane.factTypesOf('play_1').at(-1) === 'playback.ended');
    await waitFor(() => relay.engine.rooms.length === 0, { what: 'nothing to be left' });
  });

  it('is told to reconnect when that node is drained', async () => {
    const { heard, hasEnded } = await listen(await watch());
    await plane.bus.request(sfuCommands.drain.forNode('sfu-2'), { draining: true });
    await waitFor(() => heard().includes('event: reconnect'));
    expect(hasEnded()).toBe(false);
  });

  it('is told to reconnect when that node loses it', async () => {
    const { heard, hasEnded } = await listen(await watch());
    await relay.engine.killWorker();
    await waitFor(() => hasEnded(), { what: 'the stream to end' });
    expect(heard()).toContain('event: reconnect');
    await waitFor(() => plane.factTypesOf('play_1').at(-1) === 'playback.idle');
  });
});
