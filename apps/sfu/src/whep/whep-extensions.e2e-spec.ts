import { sfuCommands } from '@rtms/contracts';
import { freePort, waitFor } from '@rtms/testing';
import request from 'supertest';
import type { MemorySentTrack } from '../media/memory/memory-viewer.js';
import { chromiumPublishesLayers, chromiumWatches } from '../sdp/testing/client-offers.js';
import { TestNode, TestPlane } from '../testing/sfu-harness.js';

let plane: TestPlane;
let node: TestNode;
let token: string;
let base: string;
/** Of the viewer. */
let session: { path: string; link: string };
const streams: AbortController[] = [];

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
  for (const stream of streams.splice(0)) stream.abort();
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
}

async function watch(): Promise<typeof session> {
  const { headers } = await call('post', '/whep/play_1', chromiumWatches(), 'application/sdp').expect(201);
  return { path: new URL(headers['location'] ?? '').pathname, link: headers['link'] ?? '' };
}

function call(method: 'post' | 'delete' | 'get', path: string, body = '', type = 'application/json', on = node) {
  return request(on.server)[method](path).set('Authorization', `Bearer ${token}`).set('Content-Type', type).send(body);
}

async function subscribe(types: string[], on = node): Promise<string> {
  const { headers } = await call('post', `${session.path}/events`, JSON.stringify(types), undefined, on).expect(201);
  return new URL(headers['location'] ?? '').pathname;
}

interface Heard {
  events: { type: string; data: unknown }[];
  ended: boolean;
}

/** Reads an event stream in the background. */
async function listen(path: string, at = base): Promise<Heard> {
  const abort = new AbortController();
  streams.push(abort);
  const response = await fetch(`${at}${path}`, { headers: { Authorization: `Bearer ${token}` }, signal: abort.signal });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(response.headers.get('x-rtms-stream-origin')).toBeNull();
  const heard: Heard = { events: [], ended: false };
  void read(response, heard).catch(() => undefined);
  return heard;
}

async function read(response: Response, heard: Heard): Promise<void> {
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk as Uint8Array).toString();
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, type, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      if (type !== undefined) heard.events.push({ type, data: JSON.parse(data ?? '') as unknown });
    }
  }
  heard.ended = true;
}

const hears = (heard: Heard, type: string, data?: unknown): Promise<unknown> =>
  waitFor(
    () => heard.events.some(event => event.type === type && (data === undefined || expectEqual(event.data, data))),
    { what: `the event ${type} among ${JSON.stringify(heard.events)}` },
  );

function expectEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function sentVideo(): MemorySentTrack {
  const sent = [...(node.engine.viewers[0]?.sent ?? [])].find(({ kind }) => kind === 'video');
  if (!sent) throw new Error('There is no video.');
  return sent;
}

describe('the extensions of WHEP', () => {
  it('stand in the Link header of the 201, below the session URL', () => {
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
  it('tell first how things are', async () => {
    node.engine.viewers[0]?.peerConnects();
    await waitFor(() => plane.factsOf('play_1').length === 1);
    const heard = await listen(await subscribe(['active', 'viewercount', 'inactive', 'layers', 'unknown']));
    await hears(heard, 'active', {});
    await hears(heard, 'viewercount', { viewercount: 1 });
    await hears(heard, 'layers');
    expect(heard.events.map(({ type }) => type)).not.toContain('inactive');
  });

  it('tell that the publisher was lost and came back, and how many watch', async () => {
    const heard = await listen(await subscribe(['active', 'inactive', 'viewercount']));
    node.engine.publishers[0]?.peerVanishes();
    await hears(heard, 'inactive');
    await publish();
    await waitFor(() => heard.events.filter(({ type }) => type === 'active').length === 2, { what: 'active again' });
    await watch();
    for (const viewer of node.engine.viewers) viewer.peerConnects();
    await hears(heard, 'viewercount', { viewercount: 2 });
  });

  it('leave out what was not asked for', async () => {
    const heard = await listen(await subscribe(['inactive']));
    node.engine.publishers[0]?.peerVanishes();
    await hears(heard, 'inactive');
    expect(heard.events.map(({ type }) => type)).toEqual(['inactive']);
  });

  it('ask the viewer to come again when the node is drained', async () => {
    const heard = await listen(await subscribe(['reconnect']));
    await plane.bus.request(sfuCommands.drain.forNode('sfu-1'), { draining: true });
    await hears(heard, 'reconnect');
    expect(heard.ended).toBe(false);
  });

  it('end with DELETE of the stream, and with the viewer', async () => {
    const [first, second] = [await subscribe(['active']), await subscribe(['active'])];
    const [a, b] = [await listen(first), await listen(second)];
    await call('delete', first).expect(200);
    await waitFor(() => a.ended, { what: 'the deleted stream to end' });
    await call('get', first).expect(404);
    expect(b.ended).toBe(false);
    await call('delete', session.path).expect(200);
    await waitFor(() => b.ended, { what: 'the stream to end with its viewer' });
  });

  it('are refused as anything but a list of names, or too many times', async () => {
    await call('post', `${session.path}/events`, '{"a":1}').expect(400);
    for (const _time of [1, 2, 3, 4]) await subscribe([]);
    await call('post', `${session.path}/events`, '[]').expect(503);
  });

  it('work through a node that does not hold the room', async () => {
    const other = await TestNode.open(plane, { nodeID: 'sfu-2', port: await freePort() });
    try {
      const heard = await listen(await subscribe(['active', 'inactive'], other), await other.app.getUrl());
      await hears(heard, 'active');
      node.engine.publishers[0]?.peerVanishes();
      await hears(heard, 'inactive');
      expect(heard.ended).toBe(false);
    } finally {
      for (const stream of streams.splice(0)) stream.abort();
      await other.close();
    }
  });
});

describe('layer selection', () => {
  const layer = (wish: object, method: 'post' | 'delete' = 'post') =>
    call(method, `${session.path}/layer`, JSON.stringify(wish));

  it('sends at most the layers that were asked for, until DELETE', async () => {
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

  it('stays when the publisher comes back', async () => {
    await layer({ encodingId: 'h' }).expect(200);
    const former = sentVideo();
    node.engine.publishers[0]?.peerVanishes();
    await publish();
    await waitFor(() => sentVideo() !== former && sentVideo().preferred !== undefined, { what: 'the wish to be kept' });
    expect(sentVideo().preferred).toEqual({ spatialLayer: 0 });
  });

  it('is told of by an event when other layers arrive', async () => {
    const heard = await listen(await subscribe(['layers']));
    sentVideo().arrive({ spatialLayer: 1, temporalLayer: 2 });
    await waitFor(
      () =>
        JSON.stringify(heard.events.at(-1)?.data).includes('"active":[{"id":"l","spatialLayer":1,"temporalLayer":2}]'),
      { what: 'the layers that arrive' },
    );
  });
});
