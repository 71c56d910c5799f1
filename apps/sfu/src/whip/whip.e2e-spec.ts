import { sfuCommands } from '@rtms/contracts';
import { waitFor } from '@rtms/testing';
import request, { type Response } from 'supertest';
import { RoomRegistry } from '../rooms/room-registry.js';
import { offeredUfrag } from '../sdp/testing/build-offer.js';
import { chromiumPublishes, chromiumWatches, ffmpegPublishes } from '../sdp/testing/client-offers.js';
import { TestNode, TestPlane } from '../testing/sfu-harness.js';

let plane: TestPlane;
let node: TestNode;
let token: string;

beforeEach(async () => {
  plane = await TestPlane.open();
  node = await TestNode.open(plane);
  await node.openSession('ext_1');
  token = await plane.ingestToken('ext_1');
});

afterEach(() => node.close());

function post(offer = chromiumPublishes(), bearer = token, at = '/whip/ext_1') {
  return request(node.server)
    .post(at)
    .set('Authorization', `Bearer ${bearer}`)
    .set('Content-Type', 'application/sdp')
    .send(offer);
}

const pathOf = (location: string | undefined): string => new URL(location ?? '').pathname;

function connectPublisher(): void {
  const publisher = node.engine.publishers.at(-1);
  publisher?.peerConnects();
  for (const track of publisher?.tracks ?? []) track.receiveRtp();
}

/** Bodies of a type that supertest does not know come as bytes. */
const textOf = (response: Response): string => Buffer.from(response.body as Uint8Array).toString();

function patch(path: string, body: string, ifMatch?: string) {
  const call = request(node.server)
    .patch(path)
    .set('Authorization', `Bearer ${token}`)
    .set('Content-Type', 'application/trickle-ice-sdpfrag')
    .responseType('blob');
  return (ifMatch === undefined ? call : call.set('If-Match', ifMatch)).send(body);
}

const trickle = (ufrag: string): string =>
  [
    `a=ice-ufrag:${ufrag}`,
    'a=ice-pwd:a-password-of-22-characters',
    'm=audio 9 RTP/AVP 0',
    'a=mid:0',
    'a=candidate:1 1 UDP 1 192.0.2.1 61764 typ host',
    '',
  ].join('\r\n');

describe('POST of an offer', () => {
  it('answers 201 with everything that publishers read', async () => {
    const response = await post().expect(201);
    expect(response.headers['content-type']).toBe('application/sdp');
    expect(response.headers['location']).toMatch(/^http:\/\/sfu-1\.test\/whip\/ext_1\/[A-Za-z0-9_-]{32}$/);
    expect(response.headers['etag']).toMatch(/^"[^"]+"$/);
    expect(response.headers['content-length']).toBe(String(Buffer.byteLength(response.text)));
    expect(response.headers['transfer-encoding']).toBeUndefined();
    expect(response.headers['access-control-expose-headers']).toContain('Location');
    expect(response.text).toContain('a=recvonly');
  });

  it('makes the session active once connected and every kind has received RTP', async () => {
    await post().expect(201);
    const [publisher] = node.engine.publishers;
    publisher?.peerConnects();
    publisher?.tracks[0]?.receiveRtp();
    expect(plane.factsOf('ext_1')).toEqual([]);
    publisher?.tracks[1]?.receiveRtp();
    await waitFor(() => plane.factsOf('ext_1').length > 0);
    expect(plane.factsOf('ext_1')).toEqual([
      {
        type: 'external_session.active',
        tracks: [
          expect.objectContaining({ kind: 'audio', codec: 'opus', state: 'live' }),
          expect.objectContaining({ kind: 'video', codec: 'VP8', state: 'live' }),
        ],
      },
    ]);
  });

  it('takes the DTLS client part where the offer can only be the server', async () => {
    const response = await post(ffmpegPublishes()).expect(201);
    expect(response.text).toContain('a=setup:active');
    expect(node.engine.publishers[0]?.remote?.role).toBe('server');
  });

  it.each([
    ['a wrong content type', 415, 'unsupported_media_type', { type: 'application/json', body: '{}' }],
    ['a body that is no SDP', 400, 'malformed_sdp', { type: 'application/sdp', body: 'hello' }],
    ['an empty body', 400, 'malformed_sdp', { type: 'application/sdp', body: '' }],
    ['an offer that only receives', 422, 'unacceptable_offer', { type: 'application/sdp', body: chromiumWatches() }],
    [
      'an offer without a kind that was asked for',
      422,
      'unacceptable_offer',
      { type: 'application/sdp', body: chromiumPublishes({ kinds: ['audio'] }) },
    ],
    ['a body of 10 MB', 413, 'body_too_large', { type: 'application/sdp', body: 'v=0\r\n'.repeat(2_000_000) }],
  ])('refuses %s with %i and leaves nothing behind', async (_case, status, reason, { type, body }) => {
    const response = await request(node.server)
      .post('/whip/ext_1')
      .set('Authorization', `Bearer ${token}`)
      .set('Content-Type', type)
      .send(body)
      .expect(status);
    expect(response.body).toMatchObject({ success: false, code: 'BAD_REQUEST', reason });
    expect(response.headers['access-control-allow-origin']).toBe('*');
    expect(node.engine.publishers).toEqual([]);
  });

  it('refuses tokens that are missing, wrong, expired, of another session or of another purpose', async () => {
    const tokens: [string | undefined, string][] = [
      [undefined, 'invalid_credentials'],
      ['Bearer nonsense', 'invalid_credentials'],
      [`Bearer ${await plane.ingestToken('ext_1', -10)}`, 'token_expired'],
      [`Bearer ${await plane.ingestToken('ext_2')}`, 'invalid_credentials'],
      [`Bearer ${await plane.playbackToken('ext_1')}`, 'invalid_credentials'],
      [`Bearer ${await (await TestPlane.open()).ingestToken('ext_1')}`, 'invalid_credentials'],
    ];
    for (const [authorization, reason] of tokens) {
      const call = request(node.server).post('/whip/ext_1').set('Content-Type', 'application/sdp');
      const response = await (authorization ? call.set('Authorization', authorization) : call).send(
        chromiumPublishes(),
      );
      expect(response.status).toBe(401);
      expect(response.headers['www-authenticate']).toMatch(/^Bearer/);
      expect(response.body).toMatchObject({ success: false, code: 'UNAUTHORIZED', reason });
    }
  });

  it('answers 503 with Retry-After when no node holds the room', async () => {
    const response = await post(undefined, await plane.ingestToken('ext_9', 300, 'room_9'), '/whip/ext_9').expect(503);
    expect(response.headers['retry-after']).toBeDefined();
    expect(response.body).toMatchObject({ code: 'SERVICE_UNAVAILABLE', reason: 'controller_unavailable' });
  });

  it('says that a session has ended, or never was', async () => {
    await plane.bus.request(sfuCommands.closeSession.forNode('sfu-1'), { sessionID: 'ext_1' });
    expect((await post().expect(409)).body).toMatchObject({ reason: 'session_ended' });
    await post(undefined, await plane.ingestToken('ext_2'), '/whip/ext_2').expect(404);
  });
});

describe('a second publisher', () => {
  it('stays out while the first one is live, also when both come at once', async () => {
    const [one, two] = await Promise.all([post(), post()]);
    expect([one.status, two.status].sort()).toEqual([201, 409]);
    expect(node.engine.publishers).toHaveLength(1);
    const refused = one.status === 409 ? one : two;
    expect(refused.body).toMatchObject({ code: 'CONFLICT', reason: 'already_publishing' });
    expect(refused.headers['retry-after']).toBe('2');
  });

  it('takes over once the first one has lost ICE', async () => {
    const first = await post().expect(201);
    connectPublisher();
    await waitFor(() => plane.factTypesOf('ext_1').length === 1);
    node.engine.publishers[0]?.peerVanishes();
    await post().expect(201);
    connectPublisher();
    await waitFor(() => plane.factTypesOf('ext_1').length === 3);
    expect(plane.factTypesOf('ext_1')).toEqual([
      'external_session.active',
      'external_session.interrupted',
      'external_session.active',
    ]);
    expect(node.engine.publishers).toHaveLength(1);
    await patch(pathOf(first.headers['location']), trickle(offeredUfrag)).expect(404);
    await request(node.server)
      .delete(pathOf(first.headers['location']))
      .set('Authorization', `Bearer ${token}`)
      .expect(200);
    expect(node.engine.publishers).toHaveLength(1);
  });

  it('takes over once the first one was silent for two seconds', async () => {
    await post().expect(201);
    node.engine.publishers[0]?.peerConnects();
    for (const track of node.engine.publishers[0]?.tracks ?? []) track.receiveRtp(Date.now() - 2500);
    await post().expect(409);
    await waitFor(async () => (await post()).status === 201, { what: 'the first publisher to be given up' });
    expect(node.engine.publishers).toHaveLength(1);
  });
});

describe('PATCH', () => {
  it('takes candidates with the right ETag, or without one when the ufrag is the current one', async () => {
    const { headers } = await post().expect(201);
    const path = pathOf(headers['location']);
    const response = await patch(path, trickle(offeredUfrag), headers['etag']).expect(204);
    expect(response.headers['etag']).toBeUndefined();
    await patch(path, trickle(offeredUfrag)).expect(204);
  });

  it.each([
    ['no If-Match and another ufrag', undefined, 'other', 428],
    ['a wrong If-Match', '"wrong"', offeredUfrag, 412],
  ])('refuses %s', async (_case, ifMatch, ufrag, status) => {
    const { headers } = await post().expect(201);
    await patch(pathOf(headers['location']), trickle(ufrag), ifMatch).expect(status);
  });

  it.each(['*', '"*"'])('restarts ICE with If-Match %s and new credentials', async ifMatch => {
    const { headers } = await post().expect(201);
    const path = pathOf(headers['location']);
    const before = node.engine.publishers[0]?.ice.usernameFragment;
    const response = await patch(path, trickle('renewed'), ifMatch).expect(200);
    expect(response.headers['content-type']).toBe('application/trickle-ice-sdpfrag');
    expect(response.headers['etag']).not.toBe(headers['etag']);
    expect(node.engine.publishers[0]?.ice.usernameFragment).not.toBe(before);
    expect(textOf(response)).toContain(`a=ice-ufrag:${node.engine.publishers[0]?.ice.usernameFragment}`);
    await patch(path, trickle('renewed'), response.headers['etag']).expect(204);
    await patch(path, trickle('renewed'), headers['etag']).expect(412);
  });

  it('keeps the session when a restart fails', async () => {
    const { headers } = await post().expect(201);
    const path = pathOf(headers['location']);
    await patch(path, 'a=ice-ufrag:renewed\r\na=candidate:1 1 UDP 1 192.0.2.1 9 typ host\r\n', '*').expect(400);
    await patch(path, trickle(offeredUfrag), headers['etag']).expect(204);
  });

  it('refuses another type of body', async () => {
    const { headers } = await post().expect(201);
    await request(node.server)
      .patch(pathOf(headers['location']))
      .set('Authorization', `Bearer ${token}`)
      .set('Content-Type', 'application/sdp')
      .send(chromiumPublishes())
      .expect(415);
  });
});

describe('DELETE', () => {
  const remove = (path: string, bearer = token) =>
    request(node.server).delete(path).set('Authorization', `Bearer ${bearer}`).set('If-Match', '"ignored"');

  it('ends the session, and is done when repeated', async () => {
    const path = pathOf((await post().expect(201)).headers['location']);
    connectPublisher();
    await remove(path).expect(200);
    await remove(path).expect(200);
    await waitFor(() => plane.factTypesOf('ext_1').includes('external_session.ended'));
    expect(plane.factsOf('ext_1').at(-1)).toEqual({ type: 'external_session.ended', reason: 'publisher_left' });
    expect(node.engine.publishers).toEqual([]);
  });

  it('goes on with the token that opened the session after its expiry, and with no other expired one', async () => {
    token = await plane.ingestToken('ext_1', 1);
    const other = await plane.ingestToken('ext_1', -20);
    const path = pathOf((await post().expect(201)).headers['location']);
    await waitFor(async () => (await post()).body.reason === 'token_expired', { what: 'the token to expire' });
    await remove(path, other).expect(401);
    await patch(path, trickle(offeredUfrag)).expect(204);
    await remove(path).expect(200);
    await remove(path).expect(200);
    await remove(path, other).expect(401);
  });

  it('needs a token, and a session URL that exists', async () => {
    const path = pathOf((await post().expect(201)).headers['location']);
    await request(node.server).delete(path).expect(401);
    await remove('/whip/ext_1/unknown').expect(404);
    expect(node.engine.publishers).toHaveLength(1);
  });
});

describe('other methods', () => {
  it('answers GET and HEAD without content', async () => {
    const path = pathOf((await post().expect(201)).headers['location']);
    for (const address of ['/whip/ext_1', path]) {
      await request(node.server).get(address).expect(204);
      await request(node.server).head(address).expect(204);
    }
  });

  it('answers a preflight for any page', async () => {
    const response = await request(node.server)
      .options('/whip/ext_1')
      .set('Origin', 'https://page.example')
      .set('Access-Control-Request-Method', 'POST')
      .expect(200);
    expect(response.headers['access-control-allow-origin']).toBe('*');
    expect(response.headers['access-control-allow-headers']).toContain('If-Match');
    expect(response.headers['access-control-allow-methods']).toContain('PATCH');
    expect(response.headers['accept-post']).toBe('application/sdp');
    expect(response.headers['content-length']).toBe('0');
  });

  it('names the methods that are possible', async () => {
    const response = await request(node.server).put('/whip/ext_1').expect(405);
    expect(response.headers['allow']).toBe('OPTIONS, GET, HEAD, POST');
    expect(response.body).toMatchObject({ success: false, reason: 'method_not_allowed' });
    const session = await request(node.server).post('/whip/ext_1/key').expect(405);
    expect(session.headers['allow']).toBe('OPTIONS, GET, HEAD, PATCH, DELETE');
  });

  it('answers an unknown path with the failure envelope', async () => {
    const response = await request(node.server).get('/nowhere').expect(404);
    expect(response.body).toMatchObject({ success: false, code: 'NOT_FOUND' });
  });
});

describe('ICE servers', () => {
  it('stand in the 201 and in an authorised OPTIONS, never in a preflight', async () => {
    const env = { ICE_SERVERS: '[{"urls":"turn:turn.example","username":"u","credential":"c\\"d"}]' };
    const other = await TestNode.open(plane, { nodeID: 'sfu-2', env });
    try {
      await other.openSession('ext_2', undefined, 'room_2');
      const bearer = `Bearer ${await plane.ingestToken('ext_2', 300, 'room_2')}`;
      const link =
        '<turn:turn.example>; rel="ice-server"; username="u"; credential="c\\"d"; credential-type="password"';
      const posted = await request(other.server)
        .post('/whip/ext_2')
        .set('Authorization', bearer)
        .set('Content-Type', 'application/sdp')
        .send(chromiumPublishes())
        .expect(201);
      expect(posted.headers['link']).toBe(link);
      const asked = await request(other.server).options('/whip/ext_2').set('Authorization', bearer).expect(200);
      expect(asked.headers['link']).toBe(link);
      const preflight = await request(other.server)
        .options('/whip/ext_2')
        .set('Authorization', bearer)
        .set('Access-Control-Request-Method', 'POST');
      expect(preflight.headers['link']).toBeUndefined();
      expect((await request(other.server).options('/whip/ext_2').expect(200)).headers['link']).toBeUndefined();
    } finally {
      await other.close();
    }
  });
});

describe('a publisher that goes', () => {
  it('is reported lost with ICE, and live again when it comes back', async () => {
    await post().expect(201);
    connectPublisher();
    node.engine.publishers[0]?.peerVanishes();
    node.engine.publishers[0]?.peerConnects();
    await waitFor(() => plane.factTypesOf('ext_1').length === 3);
    expect(plane.factsOf('ext_1')[1]).toEqual({ type: 'external_session.interrupted', reason: 'publisher_lost' });
    expect(plane.factTypesOf('ext_1')[2]).toBe('external_session.active');
  });

  it('is reported lost when its RTP stops although ICE stands', async () => {
    await post().expect(201);
    connectPublisher();
    for (const track of node.engine.publishers[0]?.tracks ?? []) track.receiveRtp(Date.now() - 10_000);
    await waitFor(() => plane.factTypesOf('ext_1').includes('external_session.interrupted'));
  });

  it('may come back after its media worker died, in the same room', async () => {
    await post().expect(201);
    connectPublisher();
    await node.engine.killWorker();
    await waitFor(() => plane.factTypesOf('ext_1').length === 2);
    expect(plane.factsOf('ext_1')[1]).toEqual({ type: 'external_session.interrupted', reason: 'worker_lost' });
    await post().expect(201);
    connectPublisher();
    await waitFor(() => plane.factTypesOf('ext_1').length === 3);
    expect(node.app.get(RoomRegistry).list()).toHaveLength(1);
  });

  it('reports what is wrong with the streams, of all tracks together', async () => {
    await post().expect(201);
    const [audio, video] = node.engine.publishers[0]?.tracks ?? [];
    audio?.reportHealth(['silence']);
    video?.reportHealth(['b_frames', 'long_keyframe_interval'], 8);
    await waitFor(() => plane.factsOf('ext_1').length === 2);
    expect(plane.factsOf('ext_1').at(-1)).toEqual({
      type: 'external_session.health',
      health: ['silence', 'b_frames', 'long_keyframe_interval'],
      keyframeIntervalSeconds: 8,
    });
  });
});
