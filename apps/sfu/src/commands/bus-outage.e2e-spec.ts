import type { Bus, MemoryBus } from '@rtms/bus';
import { BUS } from '@rtms/node';
import { ManualClock } from '@rtms/testing';
import request from 'supertest';
import { chromiumWatches } from '../signalling/sdp/testing/client-offers.js';
import { publishOn, TestNode, TestPlane } from '../testing/sfu-harness.js';

/** A node that loses the bus while a publisher sends and viewers watch. */
describe('a minute without the bus', () => {
  let plane: TestPlane;
  let node: TestNode;
  let bus: MemoryBus;
  let clock: ManualClock;

  beforeEach(async () => {
    clock = new ManualClock();
    plane = await TestPlane.open(clock);
    node = await TestNode.open(plane);
    bus = node.app.get<Bus>(BUS, { strict: false }) as MemoryBus;
    await node.openSession('ext_1');
    await node.openPlayback('play_1', 'ext_1');
    await publishOn(plane, node, 'ext_1');
  });
  afterEach(() => node.close());

  /** The publisher sends on, and every three seconds an orchestrator asks whether the node is ready. */
  async function goOnFor(seconds: number): Promise<Set<number>> {
    const statuses = new Set<number>();
    for (let second = 0; second < seconds; second++) {
      for (const track of node.engine.publishers.at(-1)?.tracks ?? []) track.receiveRtp();
      await clock.advance(1_000);
      if (second % 3 === 0) statuses.add((await request(node.server).get('/readyz')).status);
    }
    return statuses;
  }

  async function watch(): Promise<request.Response> {
    const answer = await request(node.server)
      .post('/whep/play_1')
      .set('Authorization', `Bearer ${await plane.playbackToken('play_1')}`)
      .set('Content-Type', 'application/sdp')
      .send(chromiumWatches());
    if (answer.status === 201) node.engine.viewers.at(-1)?.peerConnects();
    return answer;
  }

  it('keeps the node ready, publishers and viewers connected, and serves new viewers', async () => {
    expect((await watch()).status).toBe(201);
    bus.disconnect();
    expect(await goOnFor(60)).toEqual(new Set([200]));
    const { body } = await request(node.server).get('/readyz').expect(200);
    expect(body).toMatchObject({ error: { bus: { status: 'down' } } });
    expect((await watch()).status).toBe(201);
    const states = node.engine.viewers.map(({ state }) => state);
    expect([node.engine.publishers.at(-1)?.state, states]).toEqual(['connected', ['connected', 'connected']]);
    bus.reconnect();
    await goOnFor(10);
    await plane.quiet();
    expect(plane.factTypesOf('ext_1').filter(type => type !== 'external_session.active')).toEqual([]);
  });
});
