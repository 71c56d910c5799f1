import { leaseBucket, roomMediaEventSubject, sfuCommands, type NodeLease, type RoomMediaEvent } from '@rtms/contracts';
import { MediaNode } from '@rtms/node';
import { EventLog, freePort } from '@rtms/testing';
import request from 'supertest';
import { chromiumPublishes, chromiumWatches } from '../signalling/sdp/testing/client-offers.js';
import { TestNode, TestPlane } from '../testing/sfu-harness.js';
import { ViewerStream } from '../signalling/whep/testing/viewer-stream.js';

describe('draining', () => {
  let plane: TestPlane;
  let node: TestNode;
  const opened: ViewerStream[] = [];

  async function start(env: Record<string, string> = {}): Promise<void> {
    plane = await TestPlane.open();
    const port = await freePort();
    node = await TestNode.open(plane, { port, env: { INTERNAL_URL: `http://127.0.0.1:${port}`, ...env } });
    await node.openSession('ext_1');
    await node.openPlayback('play_1', 'ext_1');
  }

  afterEach(async () => {
    for (const stream of opened.splice(0)) stream.close();
    await node.close();
  });

  async function publish(): Promise<request.Response> {
    const response = await request(node.server)
      .post('/whip/ext_1')
      .set('Authorization', `Bearer ${await plane.ingestToken('ext_1')}`)
      .set('Content-Type', 'application/sdp')
      .send(chromiumPublishes());
    if (response.status !== 201) return response;
    const publisher = node.engine.publishers.at(-1);
    publisher?.peerConnects();
    for (const track of publisher?.tracks ?? []) track.receiveRtp();
    await plane.quiet();
    return response;
  }

  /** A connected viewer that listens to `reconnect`. */
  async function watch(): Promise<ViewerStream> {
    const token = await plane.playbackToken('play_1');
    const call = (path: string, type: string, body: string) =>
      request(node.server).post(path).set('Authorization', `Bearer ${token}`).set('Content-Type', type).send(body);
    const viewer = await call('/whep/play_1', 'application/sdp', chromiumWatches()).expect(201);
    node.engine.viewers.at(-1)?.peerConnects();
    const events = await call(`${pathOf(viewer)}/events`, 'application/json', '["reconnect"]').expect(201);
    const { port } = node.server.address() as { port: number };
    const stream = await ViewerStream.open(pathOf(events), token, `http://127.0.0.1:${port}`);
    opened.push(stream);
    return stream;
  }

  /** The publisher goes on sending for a while. */
  async function sendFor(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0; left -= 1_000) {
      for (const track of node.engine.publishers.at(-1)?.tracks ?? []) track.receiveRtp();
      await plane.pass(Math.min(left, 1_000));
    }
  }

  const pathOf = ({ headers }: request.Response): string => new URL(headers['location'] ?? '').pathname;

  const command = (draining: boolean) => plane.bus.request(sfuCommands.drain.forNode('sfu-1'), { draining });

  /** Begins to drain the node. Returns a function that answers whether the node is empty by now. */
  function watchEmptiness(): () => Promise<boolean> {
    let isEmpty = false;
    void node.app
      .get(MediaNode)
      .drain.untilEmpty()
      .then(() => (isEmpty = true));
    return async () => {
      await plane.quiet();
      return isEmpty;
    };
  }

  const readiness = async (): Promise<number> => (await request(node.server).get('/readyz')).status;

  async function lease(): Promise<NodeLease | undefined> {
    return (await plane.bus.keyValue<NodeLease>(leaseBucket)).get('sfu.sfu-1');
  }

  describe('a draining node', () => {
    it('reports not ready before viewers receive reconnect', async () => {
      await start();
      await publish();
      const viewer = await watch();
      const drained = command(true);
      await viewer.hears('reconnect');
      expect(await readiness()).toBe(503);
      expect(await lease()).toMatchObject({ draining: true });
      await drained;
      await viewer.quiet(node);
      expect([viewer.types, viewer.hasEnded]).toEqual([['reconnect'], false]);
    });

    it('keeps its publisher while the publisher stays', async () => {
      await start();
      await publish();
      await command(true);
      await sendFor(59_999);
      expect(await publish()).toMatchObject({ status: 409 });
      await plane.quiet();
      expect(plane.factTypesOf('ext_1')).toEqual(['external_session.active']);
    });

    it('sends a publisher that reconnects to another node', async () => {
      await start();
      await publish();
      await command(true);
      node.engine.publishers[0]?.peerVanishes();
      const { status, headers } = await publish();
      expect(status).toBe(503);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    });

    it('sends reconnect to viewers when their room moves to another node', async () => {
      await start();
      await publish();
      await command(true);
      const latecomer = await watch();
      await latecomer.quiet(node);
      expect(latecomer.types).toEqual([]);
      await plane.bus.request(sfuCommands.closeRoom.forNode('sfu-1'), { meetingID: 'room_1' });
      await latecomer.ended;
      expect(latecomer.types).toEqual(['reconnect']);
    });

    it('accepts work again when the drain is cancelled, and ends nothing', async () => {
      await start({ DRAIN_SECONDS: '30' });
      await publish();
      await command(true);
      await command(false);
      expect(await readiness()).toBe(200);
      expect(await lease()).toMatchObject({ draining: false });
      await node.openSession('ext_2');
      await sendFor(60_000);
      expect(plane.factTypesOf('ext_1')).toEqual(['external_session.active']);
    });

    describe('after its time', () => {
      let viewer: ViewerStream;
      let isEmpty: () => Promise<boolean>;

      async function drainFor30Seconds(open: () => Promise<unknown> = async () => undefined): Promise<void> {
        await start({ DRAIN_SECONDS: '30' });
        await publish();
        viewer = await watch();
        await open();
        isEmpty = watchEmptiness();
        await plane.quiet();
        await sendFor(29_999);
      }

      const draining = { type: 'external_session.interrupted', reason: 'node_draining' };

      it('offers its sessions to the gateway exactly then, and sends media until the gateway moves the room', async () => {
        await drainFor30Seconds();
        expect(plane.factTypesOf('ext_1')).toEqual(['external_session.active']);
        await plane.pass(1);
        await sendFor(5_000);
        expect(plane.factsOf('ext_1').slice(1)).toEqual([draining]);
        expect(plane.factTypesOf('play_1')).toEqual(['playback.active']);
        expect([viewer.types, viewer.hasEnded, node.engine.load().publishers]).toEqual([['reconnect'], false, 1]);
        expect(await isEmpty()).toBe(false);
        await plane.bus.request(sfuCommands.closeRoom.forNode('sfu-1'), { meetingID: 'room_1' });
        await viewer.ended;
        expect(viewer.types).toEqual(['reconnect', 'reconnect']);
        expect(node.engine.load()).toMatchObject({ consumers: 0, publishers: 0 });
        expect(await isEmpty()).toBe(true);
      });

      it('offers a session without a publisher too', async () => {
        await drainFor30Seconds(() => node.openSession('ext_2'));
        await plane.pass(1);
        expect(plane.factsOf('ext_2')).toEqual([draining]);
      });

      it('closes its connections after ten more seconds without the gateway, and ends no session', async () => {
        const member = { meetingID: 'room_1', participantID: 'part_1' };
        await drainFor30Seconds(() => plane.bus.request(sfuCommands.openMember.forNode('sfu-1'), member));
        const heard = new EventLog<RoomMediaEvent>();
        await plane.bus.listen<RoomMediaEvent>(`${roomMediaEventSubject}.room_1`, ({ payload }) => heard.add(payload));
        await plane.pass(1);
        await sendFor(9_999);
        expect([await isEmpty(), heard.all]).toEqual([false, []]);
        await plane.pass(1);
        expect([await isEmpty(), heard.all]).toEqual([true, [{ type: 'media.lost', ...member }]]);
        expect([viewer.types, node.engine.load().publishers]).toEqual([['reconnect', 'reconnect'], 0]);
        expect(plane.factsOf('ext_1').slice(1)).toEqual([draining]);
      });

      it('reports its sessions active again when the drain is cancelled before they moved', async () => {
        await drainFor30Seconds();
        await plane.pass(1);
        await command(false);
        await sendFor(20_000);
        expect(plane.factTypesOf('ext_1')).toEqual([
          'external_session.active',
          'external_session.interrupted',
          'external_session.active',
        ]);
        expect([viewer.hasEnded, node.engine.load().publishers]).toEqual([false, 1]);
      });
    });

    it('is empty at once without clients, and leaves pending sessions to the gateway', async () => {
      await start();
      await node.app.get(MediaNode).drain.untilEmpty();
      await plane.quiet();
      expect(plane.factTypesOf('ext_1')).toEqual([]);
    });

    it('is empty as soon as its last member has left', async () => {
      await start();
      const member = { meetingID: 'room_1', participantID: 'part_1' };
      await plane.bus.request(sfuCommands.openMember.forNode('sfu-1'), member);
      const empty = watchEmptiness();
      expect(await empty()).toBe(false);
      await plane.bus.request(sfuCommands.closeMember.forNode('sfu-1'), member);
      expect(await empty()).toBe(true);
    });

    it('is empty as soon as its last viewer has left', async () => {
      await start({ DRAIN_SECONDS: '120' });
      await publish();
      await watch();
      const [viewer] = node.engine.viewers;
      const empty = watchEmptiness();
      await plane.quiet();
      node.engine.publishers[0]?.peerVanishes();
      expect(await publish()).toMatchObject({ status: 503 });
      expect([node.engine.publishers, await empty()]).toEqual([[], false]);
      viewer?.peerVanishes();
      await plane.pass(30_500);
      expect(await empty()).toBe(true);
    });

    it('is empty as soon as its publisher has left', async () => {
      await start();
      const published = await publish();
      const empty = node.app.get(MediaNode).drain.untilEmpty();
      await request(node.server)
        .delete(pathOf(published))
        .set('Authorization', `Bearer ${await plane.ingestToken('ext_1')}`)
        .expect(200);
      await empty;
      await plane.quiet();
      expect(plane.factsOf('ext_1').at(-1)).toEqual({ type: 'external_session.ended', reason: 'publisher_left' });
    });
  });

  describe('a node that stops', () => {
    it('does not wait for its viewers to close their event streams', async () => {
      await start();
      await publish();
      const viewer = await watch();
      await node.close();
      await viewer.ended;
      expect(viewer.types).toEqual([]);
    });
  });
});
