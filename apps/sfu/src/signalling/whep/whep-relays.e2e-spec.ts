import { sfuCommands } from '@rtms/contracts';
import request from 'supertest';
import { MemoryEngine } from '../../media/memory/memory-engine.js';
import { chromiumPublishes, chromiumWatches } from '../sdp/testing/client-offers.js';
import { TestNode, TestPlane } from '../../testing/sfu-harness.js';
import { ViewerStream } from './testing/viewer-stream.js';

describe('a WHEP viewer whose connection is on another node', () => {
  let plane: TestPlane;
  let owner: TestNode;
  let relay: TestNode;
  const streams: ViewerStream[] = [];

  beforeEach(async () => {
    plane = await TestPlane.open();
    owner = await TestNode.openWith(plane, new MemoryEngine({ clock: plane.clock, consumersPerWorker: 20 }));
    relay = await TestNode.open(plane, { nodeID: 'sfu-2' });
    await owner.openSession('ext_1');
    await owner.openPlayback('play_1', 'ext_1');
    await publish();
    // The node is full except for its reserved tracks.
    owner.engine.rooms[0]?.worker.budget.reserve(17);
  });

  afterEach(async () => {
    for (const stream of streams.splice(0)) stream.close();
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
    await plane.quiet();
  }

  const pathOf = ({ headers }: request.Response): string => new URL(headers['location'] ?? '').pathname;

  /** The events of the viewer at that address. */
  async function listen(address: string): Promise<ViewerStream> {
    const token = await plane.playbackToken('play_1');
    const events = await post(`${address}/events`, token, '["reconnect"]', 'application/json');
    const { port } = owner.server.address() as { port: number };
    const stream = await ViewerStream.open(pathOf(events), token, `http://127.0.0.1:${port}`);
    streams.push(stream);
    return stream;
  }

  async function watch(): Promise<string> {
    const address = pathOf(await post('/whep/play_1', await plane.playbackToken('play_1'), chromiumWatches()));
    relay.engine.viewers.at(-1)?.peerConnects();
    await plane.quiet();
    return address;
  }

  it('counts and ends like any other viewer, by its session URL', async () => {
    const address = await watch();
    expect([owner.engine.viewers.length, relay.engine.viewers.length]).toEqual([0, 1]);
    const token = await plane.playbackToken('play_1');
    await request(owner.server).delete(address).set('Authorization', `Bearer ${token}`).expect(200);
    await plane.quiet();
    expect(plane.factTypesOf('play_1')).toEqual(['playback.active', 'playback.ended']);
    expect(relay.engine.rooms).toEqual([]);
  });

  it('receives reconnect when that node drains', async () => {
    const stream = await listen(await watch());
    await plane.bus.request(sfuCommands.drain.forNode('sfu-2'), { draining: true });
    await plane.quiet();
    await stream.quiet(owner);
    expect([stream.types, stream.hasEnded]).toEqual([['reconnect'], false]);
  });

  it('receives reconnect when that node loses it', async () => {
    const stream = await listen(await watch());
    await relay.engine.killWorker();
    // The next sweep of the room closes a viewer whose relay has ended.
    await plane.pass(500);
    await stream.ended;
    expect(stream.types).toEqual(['reconnect']);
    expect(plane.factTypesOf('play_1')).toEqual(['playback.active', 'playback.idle']);
  });

  it('receives reconnect if it cannot receive a publisher that reconnects', async () => {
    const stream = await listen(await watch());
    await watch();
    const [failing, other] = relay.engine.viewers;
    if (failing) failing.send = () => Promise.reject(new Error('not now'));
    owner.engine.publishers[0]?.peerVanishes();
    await publish();
    await plane.pass(500);
    await stream.ended;
    expect(stream.types).toEqual(['reconnect']);
    expect([...(other?.sent ?? [])].map(({ started }) => started)).toEqual([true, true]);
    expect(relay.engine.viewers).toEqual([other]);
  });

  it('is closed if its tracks cannot start when it connects', async () => {
    await post('/whep/play_1', await plane.playbackToken('play_1'), chromiumWatches());
    const [viewer] = relay.engine.viewers;
    if (viewer) viewer.start = () => Promise.reject(new Error('not now'));
    viewer?.peerConnects();
    await plane.quiet();
    expect(relay.engine.viewers).toEqual([]);
  });

  it('is served by the owner node if the other node fails', async () => {
    await watch();
    const room = relay.engine.rooms[0]!;
    const open = room.openViewer.bind(room);
    room.openViewer = async numbers =>
      Object.assign(await open(numbers), { send: () => Promise.reject(new Error('no')) });
    await post('/whep/play_1', await plane.playbackToken('play_1'), chromiumWatches());
    expect(owner.engine.viewers).toHaveLength(1);
    await plane.quiet();
    expect(relay.engine.viewers).toHaveLength(1);
  });
});
