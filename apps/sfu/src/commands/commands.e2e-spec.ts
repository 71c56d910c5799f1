import { RemoteError, type Address } from '@rtms/bus';
import { leaseBucket, sfuCommands, unpackSamples, type NodeLease } from '@rtms/contracts';
import request from 'supertest';
import { RoomRegistry } from '../rooms/room-registry.js';
import { chromiumWatches } from '../signalling/sdp/testing/client-offers.js';
import { publishOn, TestNode, TestPlane } from '../testing/sfu-harness.js';

describe('commands over the bus', () => {
  let plane: TestPlane;
  let node: TestNode;

  beforeEach(async () => {
    plane = await TestPlane.open();
    node = await TestNode.open(plane);
  });

  afterEach(() => node.close());

  function command<Request, Reply>(address: { forNode(nodeID: string): Address<Request, Reply> }, body: Request) {
    return plane.bus.request(address.forNode('sfu-1'), body);
  }

  const publish = (sessionID: string): Promise<string> => publishOn(plane, node, sessionID);

  describe('commands', () => {
    it('are idempotent', async () => {
      for (const _time of [1, 2]) {
        await node.openSession('ext_1');
        await node.openPlayback('play_1', 'ext_1');
      }
      expect(await command(sfuCommands.inventory, {})).toEqual({
        epoch: plane.clock.now(),
        meetingIDs: ['room_1'],
        sessions: [{ sessionID: 'ext_1', meetingID: 'room_1', state: 'pending' }],
        playbacks: [{ playbackID: 'play_1', sessionID: 'ext_1', state: 'ready' }],
        members: [],
        relayedViewers: 0,
      });
      for (const _time of [1, 2]) {
        await command(sfuCommands.closePlayback, { playbackID: 'play_1' });
        await command(sfuCommands.closeSession, { sessionID: 'ext_1' });
        await command(sfuCommands.closeRoom, { meetingID: 'room_1' });
      }
      expect(await command(sfuCommands.inventory, {})).toMatchObject({ sessions: [], playbacks: [] });
      expect(node.engine.rooms).toEqual([]);
    });

    it('report the active state again when an open command is repeated', async () => {
      await node.openSession('ext_1');
      await publish('ext_1');
      await node.openPlayback('play_1', 'ext_1');
      const posted = await request(node.server)
        .post('/whep/play_1')
        .set('Authorization', `Bearer ${await plane.playbackToken('play_1')}`)
        .set('Content-Type', 'application/sdp')
        .send(chromiumWatches());
      expect(posted.status).toBe(201);
      node.engine.viewers[0]?.peerConnects();
      await plane.quiet();
      await node.openSession('ext_1');
      await node.openPlayback('play_1', 'ext_1');
      await plane.quiet();
      for (const resourceID of ['ext_1', 'play_1']) {
        const [first, ...others] = plane.factsOf(resourceID);
        expect(others).toEqual([first]);
      }
    });

    it('return the reception statistics of a session', async () => {
      await node.openSession('ext_1');
      expect((await command(sfuCommands.sessionStatistics, { sessionID: 'ext_1' })).tracks).toEqual([]);
      await publish('ext_1');
      const { tracks, measuredAt } = await command(sfuCommands.sessionStatistics, { sessionID: 'ext_1' });
      expect(tracks.map(({ kind, packetsReceived }) => [kind, packetsReceived]).sort()).toEqual([
        ['audio', 1],
        ['video', 1],
      ]);
      expect(Date.parse(measuredAt)).toBe(plane.clock.now());
      const unknown = command(sfuCommands.sessionStatistics, { sessionID: 'ext_2' });
      await expect(unknown).rejects.toMatchObject({ failure: { reason: 'not_found' } });
    });

    it('return the samples of a session', async () => {
      // The test's publisher sends one packet, and is lost after three seconds.
      await plane.pass(9_000);
      await node.openSession('ext_1');
      await publish('ext_1');
      await plane.pass(1_000);
      const { minutes } = await command(sfuCommands.readSamples, { sessionID: 'ext_1' });
      expect(minutes.flatMap(({ samples }) => samples)).toEqual([expect.objectContaining({ fractionLost: 0 })]);
      expect((await command(sfuCommands.readSamples, { sessionID: 'ext_2' })).minutes).toEqual([]);
    });

    it('give the samples of viewers, with a verdict', async () => {
      await node.openSession('ext_1');
      await publish('ext_1');
      await node.openPlayback('play_1', 'ext_1');
      await request(node.server)
        .post('/whep/play_1')
        .set('Authorization', `Bearer ${await plane.playbackToken('play_1')}`)
        .set('Content-Type', 'application/sdp')
        .send(chromiumWatches());
      node.engine.viewers[0]?.peerConnects();
      // The publisher stays connected, but sends nothing any more.
      for (const _time of [1, 2]) await plane.pass(10_000);
      const { minutes } = await command(sfuCommands.readViewerSamples, { playbackID: 'play_1', viewers: 5 });
      expect(minutes.flatMap(each => unpackSamples(each)).map(({ cause }) => cause)).toEqual(['publisher_stalled']);
      expect(minutes[0]?.viewerID).toMatch(/^vwr_[\w-]{21}$/);
    });

    it('open one room for simultaneous sessions', async () => {
      await Promise.all(['ext_1', 'ext_2', 'ext_3'].map(sessionID => node.openSession(sessionID)));
      expect(node.engine.rooms).toHaveLength(1);
      expect(node.app.get(RoomRegistry).sessions()).toHaveLength(3);
    });

    it('list the active resources in the inventory', async () => {
      await node.openSession('ext_1');
      await publish('ext_1');
      expect(await command(sfuCommands.inventory, {})).toMatchObject({ sessions: [{ state: 'active' }] });
    });

    it.each([
      ['a playback of an unknown session', 'not_found', { sessionID: 'ext_9', payloadMatching: 'fixed' as const }],
    ])('refuse %s', async (_case, reason, given) => {
      await node.openSession('ext_1');
      const wanted = { meetingID: 'room_1', playbackID: 'play_1', tracks: ['video' as const], ...given };
      const refusal = command(sfuCommands.openPlayback, wanted);
      await expect(refusal).rejects.toBeInstanceOf(RemoteError);
      await expect(refusal).rejects.toMatchObject({ failure: { reason } });
    });

    it('request a keyframe from the publisher', async () => {
      await node.openSession('ext_1');
      await publish('ext_1');
      await command(sfuCommands.requestKeyframe, { sourceID: 'ext_1' });
      expect(node.engine.publishers[0]?.tracks.map(({ kind, keyframeRequests }) => [kind, keyframeRequests])).toEqual([
        ['audio', 0],
        ['video', 1],
      ]);
    });
  });

  describe('feeds', () => {
    const destinations = [{ kind: 'video' as const, ip: '127.0.0.1', rtpPort: 5004, rtcpPort: 5005 }];
    const open = () => command(sfuCommands.openFeed, { feedID: 'bcast_1', sourceID: 'ext_1', destinations });

    beforeEach(() => node.openSession('ext_1'));

    it('need a live publisher', async () => {
      await expect(open()).rejects.toMatchObject({ failure: { reason: 'source_not_active' } });
    });

    it('are replaced by a feed with the same id, and closed by command', async () => {
      await publish('ext_1');
      const { tracks } = await open();
      expect(tracks).toEqual([expect.objectContaining({ kind: 'video', codec: 'VP8' })]);
      await open();
      expect(node.engine.feeds).toHaveLength(1);
      await command(sfuCommands.closeFeed, { feedID: 'bcast_1' });
      await command(sfuCommands.closeFeed, { feedID: 'bcast_1' });
      expect(node.engine.feeds).toEqual([]);
    });

    it('are not closed by a command that names old destinations', async () => {
      await publish('ext_1');
      await open();
      const others = [{ ...destinations[0]!, ip: '127.0.0.2' }];
      await command(sfuCommands.openFeed, { feedID: 'bcast_1', sourceID: 'ext_1', destinations: others });
      await command(sfuCommands.closeFeed, { feedID: 'bcast_1', destinations });
      expect(node.engine.feeds).toHaveLength(1);
      await command(sfuCommands.closeFeed, { feedID: 'bcast_1', destinations: others });
      expect(node.engine.feeds).toEqual([]);
    });

    it('close when their publisher is lost, and open again when it reconnects', async () => {
      await publish('ext_1');
      await open();
      node.engine.publishers[0]?.peerVanishes();
      await plane.quiet();
      expect(node.engine.feeds).toEqual([]);
      await publish('ext_1');
      await open();
      expect(node.engine.feeds).toHaveLength(1);
    });
  });

  describe('the node', () => {
    it('stores a lease and deletes it when it stops', async () => {
      const leases = await plane.bus.keyValue<NodeLease>(leaseBucket);
      expect(await leases.get('sfu.sfu-1')).toMatchObject({
        nodeID: 'sfu-1',
        role: 'sfu',
        publicUrl: 'http://sfu-1.test',
        capacity: 400,
        draining: false,
      });
      await node.close();
      expect(await leases.get('sfu.sfu-1')).toBeUndefined();
    });

    it('accepts nothing new while it drains', async () => {
      await command(sfuCommands.drain, { draining: true });
      await expect(node.openSession('ext_1')).rejects.toMatchObject({ failure: { reason: 'controller_unavailable' } });
      await command(sfuCommands.drain, { draining: false });
      await node.openSession('ext_1');
    });

    it('reports whether it is ready', async () => {
      await request(node.server).get('/healthz').expect(200);
      await request(node.server).get('/readyz').expect(200);
      const metrics = await request(node.server).get('/metrics').expect(200);
      expect(metrics.text).toContain('process_cpu');
    });
  });

  describe('a hundred sessions with commands in wrong orders', () => {
    it('leave nothing behind', async () => {
      const rounds = Array.from({ length: 100 }, (_, index) => index);
      for (const index of rounds) await comeAndGo(index);
      expect(node.engine.publishers).toEqual([]);
      expect(node.engine.viewers).toEqual([]);
      expect(node.engine.feeds).toEqual([]);
      expect(node.engine.load()).toMatchObject({ consumers: 0, publishers: 0 });
      await command(sfuCommands.closeRoom, { meetingID: 'room_1' });
      expect(node.engine.rooms).toEqual([]);
    });

    async function comeAndGo(index: number): Promise<void> {
      const [sessionID, playbackID] = [`ext_${index}`, `play_${index}`];
      await node.openSession(sessionID);
      await node.openPlayback(playbackID, sessionID);
      const path = await publish(sessionID);
      await watch(playbackID);
      await openFeed(sessionID);
      await endings[index % endings.length]?.(sessionID, playbackID, path);
      await command(sfuCommands.closePlayback, { playbackID });
      await command(sfuCommands.closeSession, { sessionID });
    }

    async function watch(playbackID: string): Promise<void> {
      await request(node.server)
        .post(`/whep/${playbackID}`)
        .set('Authorization', `Bearer ${await plane.playbackToken(playbackID)}`)
        .set('Content-Type', 'application/sdp')
        .send(chromiumWatches())
        .expect(201);
      node.engine.viewers.at(-1)?.peerConnects();
    }

    function openFeed(sessionID: string) {
      const destinations = [{ kind: 'video' as const, ip: '127.0.0.1', rtpPort: 5004, rtcpPort: 5005 }];
      return command(sfuCommands.openFeed, { feedID: `bcast_${sessionID}`, sourceID: sessionID, destinations });
    }

    const endings: ((sessionID: string, playbackID: string, path: string) => Promise<unknown>)[] = [
      sessionID => command(sfuCommands.closeSession, { sessionID }),
      (_sessionID, playbackID) => command(sfuCommands.closePlayback, { playbackID }),
      async (sessionID, _playbackID, path) =>
        request(node.server)
          .delete(path)
          .set('Authorization', `Bearer ${await plane.ingestToken(sessionID)}`)
          .expect(200),
      async () => node.engine.viewers.at(-1)?.peerVanishes(),
      async sessionID => {
        node.engine.publishers.at(-1)?.peerVanishes();
        await publish(sessionID);
      },
      () => command(sfuCommands.closeRoom, { meetingID: 'room_1' }),
      () => node.engine.killWorker(),
      async () => node.engine.publishers.at(-1)?.close(),
    ];
  });
});
