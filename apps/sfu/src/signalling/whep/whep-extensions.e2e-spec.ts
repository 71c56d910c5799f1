import { sfuCommands } from '@rtms/contracts';
import { freePort } from '@rtms/testing';
import request from 'supertest';
import type { MemorySentTrack } from '../../media/memory/memory-viewer.js';
import { chromiumPublishesLayers, chromiumWatches } from '../sdp/testing/client-offers.js';
import { TestNode, TestPlane } from '../../testing/sfu-harness.js';
import { ViewerStream } from './testing/viewer-stream.js';

describe('WHEP extensions', () => {
  let plane: TestPlane;
  let node: TestNode;
  let token: string;
  let base: string;
  /** The token of the viewer. */
  let session: { path: string; link: string };
  const streams: ViewerStream[] = [];

  beforeEach(async () => {
    plane = await TestPlane.open();
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    node = await TestNode.open(plane, { port, env: { INTERNAL_URL: base } });
    await node.openSession('ext_1');
    await node.openPlayback('play_1', 'ext_1');
    token = await plane.playbackToken('play_1');
    await publish();
    session = await watch();
  });

  afterEach(async () => {
    for (const stream of streams.splice(0)) stream.close();
    await node.close();
  });

  async function publish(): Promise<void> {
    await request(node.server)
      .post('/whip/ext_1')
      .set('Authorization', `Bearer ${await plane.ingestToken('ext_1')}`)
      .set('Content-Type', 'application/sdp')
      .send(chromiumPublishesLayers())
      .expect(201);
    const publisher = node.engine.publishers.at(-1);
    publisher?.peerConnects();
    for (const track of publisher?.tracks ?? []) track.receiveRtp();
    await plane.quiet();
  }

  async function watch(): Promise<typeof session> {
    const { headers } = await call('post', '/whep/play_1', chromiumWatches(), 'application/sdp').expect(201);
    return { path: new URL(headers['location'] ?? '').pathname, link: headers['link'] ?? '' };
  }

  function call(method: 'post' | 'delete' | 'get', path: string, body = '', type = 'application/json', on = node) {
    const sent = request(on.server)[method](path);
    return sent.set('Authorization', `Bearer ${token}`).set('Content-Type', type).send(body);
  }

  async function subscribe(types: string[], on = node): Promise<string> {
    const { headers } = await call('post', `${session.path}/events`, JSON.stringify(types), undefined, on).expect(201);
    return new URL(headers['location'] ?? '').pathname;
  }

  async function listen(path: string, at = base): Promise<ViewerStream> {
    const stream = await ViewerStream.open(path, token, at);
    streams.push(stream);
    return stream;
  }

  function sentVideo(): MemorySentTrack {
    const sent = [...(node.engine.viewers[0]?.sent ?? [])].find(({ kind }) => kind === 'video');
    if (!sent) throw new Error('There is no video.');
    return sent;
  }

  describe('the extensions of WHEP', () => {
    it('are in the Link header of the 201, below the session URL', () => {
      const at = `http://sfu-1.test${session.path}`;
      expect(session.link).toContain(
        `<${at}/events>; rel="urn:ietf:params:whep:ext:core:server-sent-events"; events="active,inactive,layers,reconnect,viewercount"`,
      );
      expect(session.link).toContain(`<${at}/layer>; rel="urn:ietf:params:whep:ext:core:layer"`);
    });

    it('need the token, and a session URL that exists', async () => {
      await request(node.server).post(`${session.path}/events`).send('[]').expect(401);
      await call('post', '/whep/play_1/nothing/events', '[]').expect(404);
      await call('get', `${session.path}/events/nothing`).expect(404);
      const { headers } = await call('get', `${session.path}/events`).expect(405);
      expect(headers['allow']).toBe('OPTIONS, POST');
    });
  });

  describe('events', () => {
    it('start with the current state', async () => {
      node.engine.viewers[0]?.peerConnects();
      await plane.quiet();
      const heard = await listen(await subscribe(['active', 'viewercount', 'inactive', 'layers', 'unknown']));
      await heard.quiet(node);
      expect(heard.events.all).toEqual([
        { type: 'layers', data: expect.any(Object) },
        { type: 'active', data: {} },
        { type: 'viewercount', data: { viewercount: 1 } },
      ]);
    });

    it('report the loss and return of the publisher, and the viewer count', async () => {
      const heard = await listen(await subscribe(['active', 'inactive', 'viewercount']));
      node.engine.publishers[0]?.peerVanishes();
      await publish();
      await watch();
      for (const viewer of node.engine.viewers) viewer.peerConnects();
      await plane.pass(1_000);
      await heard.quiet(node);
      expect(heard.events.all).toEqual([
        { type: 'active', data: {} },
        { type: 'viewercount', data: { viewercount: 0 } },
        { type: 'inactive', data: {} },
        { type: 'active', data: {} },
        { type: 'viewercount', data: { viewercount: 1 } },
        { type: 'viewercount', data: { viewercount: 2 } },
      ]);
    });

    it('contain only the subscribed types', async () => {
      const heard = await listen(await subscribe(['inactive']));
      node.engine.publishers[0]?.peerVanishes();
      await publish();
      await heard.quiet(node);
      expect(heard.types).toEqual(['inactive']);
    });

    it('contain reconnect when the node drains', async () => {
      const heard = await listen(await subscribe(['reconnect']));
      await plane.bus.request(sfuCommands.drain.forNode('sfu-1'), { draining: true });
      await heard.quiet(node);
      expect([heard.types, heard.hasEnded]).toEqual([['reconnect'], false]);
    });

    it('end with DELETE of the stream, and with the viewer', async () => {
      const [first, second] = [await subscribe(['active']), await subscribe(['active'])];
      const [a, b] = [await listen(first), await listen(second)];
      await call('delete', first).expect(200);
      await a.ended;
      await call('get', first).expect(404);
      await b.quiet(node);
      expect(b.hasEnded).toBe(false);
      await call('delete', session.path).expect(200);
      await b.ended;
    });

    it('contain a comment every 15 s as a heartbeat', async () => {
      // A viewer that never connects is closed after 5 s.
      node.engine.viewers[0]?.peerConnects();
      await plane.quiet();
      const heard = await listen(await subscribe(['reconnect']));
      let beats = 0;
      const beat = heard.heartbeat().then(() => beats++);
      await plane.pass(14_999);
      await heard.quiet(node);
      expect(beats).toBe(0);
      await plane.pass(1);
      await beat;
      expect(heard.events.all).toEqual([]);
    });

    it('refuse a body that is not a list of names, and too many streams', async () => {
      await call('post', `${session.path}/events`, '{"a":1}').expect(400);
      for (const _time of [1, 2, 3, 4]) await subscribe([]);
      await call('post', `${session.path}/events`, '[]').expect(503);
    });

    it('work through a node that does not hold the room', async () => {
      const other = await TestNode.open(plane, { nodeID: 'sfu-2', port: await freePort() });
      try {
        const heard = await listen(await subscribe(['active', 'inactive'], other), await other.app.getUrl());
        await heard.hears('active');
        node.engine.publishers[0]?.peerVanishes();
        await heard.quiet(node);
        expect([heard.types, heard.hasEnded]).toEqual([['active', 'inactive'], false]);
      } finally {
        for (const stream of streams.splice(0)) stream.close();
        await other.close();
      }
    });
  });

  describe('layer selection', () => {
    const layer = (wish: object, method: 'post' | 'delete' = 'post') =>
      call(method, `${session.path}/layer`, JSON.stringify(wish));

    it('limits the layers until DELETE', async () => {
      await layer({ encodingId: 'h', temporalLayerId: 1 }).expect(200);
      expect(sentVideo().preferred).toEqual({ spatialLayer: 0, temporalLayer: 1 });
      await layer({ mediaId: '1', spatialLayerId: 1 }).expect(200);
      expect(sentVideo().preferred).toEqual({ spatialLayer: 1 });
      await layer({}, 'delete').expect(200);
      expect(sentVideo().preferred).toBeUndefined();
    });

    it.each([[{ mediaId: 'none' }], [{ encodingId: 'x' }], [{ spatialLayerId: 2 }], ['text']])(
      'refuses %j',
      async wish => {
        await layer(wish as object).expect(400);
        expect(sentVideo().preferred).toBeUndefined();
      },
    );

    it('stays when the publisher reconnects', async () => {
      await layer({ encodingId: 'h' }).expect(200);
      const former = sentVideo();
      node.engine.publishers[0]?.peerVanishes();
      await publish();
      expect(sentVideo()).not.toBe(former);
      expect(sentVideo().preferred).toEqual({ spatialLayer: 0 });
    });

    it('causes an event when other layers arrive', async () => {
      const heard = await listen(await subscribe(['layers']));
      sentVideo().arrive({ spatialLayer: 1, temporalLayer: 2 });
      await heard.quiet(node);
      expect(JSON.stringify(heard.events.all.at(-1)?.data)).toContain(
        '"active":[{"id":"l","spatialLayer":1,"temporalLayer":2}]',
      );
    });
  });
});
