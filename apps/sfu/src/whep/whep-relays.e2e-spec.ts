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
    owner = await TestNode.openWith(plane, new MemoryEngine({ consumersPerWorker: 20 }));
    let loads = 0;
    await plane.bus.listen(nodeLoadSubject('sfu-2'), () => loads++);
    relay = await TestNode.open(plane, { nodeID: 'sfu-2' });
    await waitFor(() => loads > 0, { what: 'the other node to be heard of' });
    await owner.openSession('ext_1');
    await owner.openPlayback('play_1', 'ext_1');
    await publish();
    await waitFor(() => plane.factTypesOf('ext_1').includes('external_session.active'));
    // But for what it keeps, it is full.
    owner.engine.rooms[0]?.worker.budget.reserve(17);
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

  async function publish(): Promise<void> {
    await post('/whip/ext_1', await plane.ingestToken('ext_1'), chromiumPublishes());
    const publisher = owner.engine.publishers.at(-1);
    publisher?.peerConnects();
    for (const track of publisher?.tracks ?? []) track.receiveRtp();
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

  it('is told to reconnect when it cannot be sent a publisher that comes back, and the others are sent it', async () => {
    const { heard, hasEnded } = await listen(await watch());
    await watch();
    const [failing, other] = relay.engine.viewers;
    if (failing) failing.send = () => Promise.reject(new Error('not now'));
    owner.engine.publishers[0]?.peerVanishes();
    await publish();
    await waitFor(() => hasEnded(), { what: 'the stream to end' });
    expect(heard()).toContain('event: reconnect');
    await waitFor(() => [...(other?.sent ?? [])].filter(({ started }) => started).length === 2);
    expect(relay.engine.viewers).toEqual([other]);
  });

  it('is cut when it connects and what it was prepared for cannot be started', async () => {
    await post('/whep/play_1', await plane.playbackToken('play_1'), chromiumWatches());
    const [viewer] = relay.engine.viewers;
    if (viewer) viewer.start = () => Promise.reject(new Error('not now'));
    viewer?.peerConnects();
    await waitFor(() => relay.engine.viewers.length === 0, { what: 'the viewer to be cut' });
  });

  it('is served here out of what is kept where the other node fails it', async () => {
    await watch();
    const room = relay.engine.rooms[0]!;
    const open = room.openViewer.bind(room);
    room.openViewer = async numbers =>
      Object.assign(await open(numbers), { send: () => Promise.reject(new Error('no')) });
    await post('/whep/play_1', await plane.playbackToken('play_1'), chromiumWatches());
    expect(owner.engine.viewers).toHaveLength(1);
    await waitFor(() => relay.engine.viewers.length === 1, { what: 'the other place to be given back' });
  });
});
