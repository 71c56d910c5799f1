import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { type EndpointQuestion, endpointState, type EndpointState, roomSignalling, sfuCommands } from '@rtms/contracts';
import { EventLog } from '@rtms/testing';
import request from 'supertest';
import { chromiumPublishes, chromiumWatches, ffmpegPublishes } from '../sdp/testing/client-offers.js';
import { TestNode, TestPlane } from '../../testing/sfu-harness.js';
import { TestPublishing } from './testing/test-publishing.js';

describe('WHIP', () => {
  let publishing: TestPublishing;
  beforeEach(async () => {
    publishing = await TestPublishing.open();
  });
  afterEach(() => publishing.close());

  /** Moves the clock until the node answers. */
  async function afterWaiting(posted: PromiseLike<request.Response>): Promise<request.Response> {
    let isAnswered = false;
    const answer = Promise.resolve(posted).finally(() => (isAnswered = true));
    while (!isAnswered) await publishing.plane.pass(250);
    return answer;
  }

  describe('POST of an offer', () => {
    it('answers 201 with all headers that publishers read', async () => {
      const response = await publishing.post().expect(201);
      expect(response.headers['content-type']).toBe('application/sdp');
      expect(response.headers['location']).toMatch(/^http:\/\/sfu-1\.test\/whip\/ext_1\/[A-Za-z0-9_-]{32}$/);
      expect(response.headers['etag']).toMatch(/^"[^"]+"$/);
      expect(response.headers['content-length']).toBe(String(Buffer.byteLength(response.text)));
      expect(response.headers['transfer-encoding']).toBeUndefined();
      expect(response.headers['access-control-expose-headers']).toContain('Location');
      expect(response.text).toContain('a=recvonly');
    });

    it('makes the session active once connected and every kind has received RTP', async () => {
      await publishing.post().expect(201);
      const [publisher] = publishing.node.engine.publishers;
      publisher?.peerConnects();
      expect(await publishing.told()).toEqual([]);
      publisher?.tracks[0]?.receiveRtp();
      expect(await publishing.told()).toEqual([]);
      publisher?.tracks[1]?.receiveRtp();
      await publishing.plane.quiet();
      expect(publishing.plane.factsOf('ext_1')).toEqual([
        {
          type: 'external_session.active',
          tracks: [
            expect.objectContaining({ kind: 'audio', codec: 'opus', state: 'live' }),
            expect.objectContaining({ kind: 'video', codec: 'VP8', state: 'live' }),
          ],
        },
      ]);
    });

    it('takes the DTLS client role if the offer is passive', async () => {
      const response = await publishing.post(ffmpegPublishes()).expect(201);
      expect(response.text).toContain('a=setup:active');
      expect(publishing.node.engine.publishers[0]?.remote?.role).toBe('server');
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
      const response = await request(publishing.node.server)
        .post('/whip/ext_1')
        .set('Authorization', `Bearer ${publishing.token}`)
        .set('Content-Type', type)
        .send(body)
        .expect(status);
      expect(response.body).toMatchObject({ success: false, code: 'BAD_REQUEST', reason });
      expect(response.headers['access-control-allow-origin']).toBe('*');
      expect(publishing.node.engine.publishers).toEqual([]);
    });

    it('refuses tokens that are missing, wrong, expired, of another session or of another purpose', async () => {
      const tokens: [string | undefined, string][] = [
        [undefined, 'invalid_credentials'],
        ['Bearer nonsense', 'invalid_credentials'],
        [`Bearer ${await publishing.plane.ingestToken('ext_1', -10)}`, 'token_expired'],
        [`Bearer ${await publishing.plane.ingestToken('ext_2')}`, 'invalid_credentials'],
        [`Bearer ${await publishing.plane.playbackToken('ext_1')}`, 'invalid_credentials'],
        [`Bearer ${await (await TestPlane.open()).ingestToken('ext_1')}`, 'invalid_credentials'],
      ];
      for (const [authorization, reason] of tokens) {
        const call = request(publishing.node.server).post('/whip/ext_1').set('Content-Type', 'application/sdp');
        const response = await (authorization ? call.set('Authorization', authorization) : call).send(
          chromiumPublishes(),
        );
        expect(response.status).toBe(401);
        expect(response.headers['www-authenticate']).toMatch(/^Bearer/);
        expect(response.body).toMatchObject({ success: false, code: 'UNAUTHORIZED', reason });
      }
    });

    it('refuses a body above the limit and names the limit', async () => {
      const response = await publishing.post(`${chromiumPublishes()}${'a=x\r\n'.repeat(4_000)}`).expect(413);
      expect(response.body).toMatchObject({ reason: 'body_too_large', error: expect.stringContaining('16384 bytes') });
    });

    it.each([
      ['POST', '/whip/ext_1'],
      ['PATCH', '/whip/ext_1/key'],
      ['POST', '/whep/play_1'],
      ['PATCH', '/whep/play_1/key'],
      ['POST', '/whep/play_1/key/layer'],
      ['POST', '/whep/play_1/key/events'],
    ])('refuses %s %s without a token before its body arrives', async (method, path) => {
      const { port } = publishing.node.server.address() as AddressInfo;
      const socket = connect(port, '127.0.0.1');
      const head = [`${method} ${path} HTTP/1.1`, 'Host: x', 'Content-Type: application/sdp', 'Content-Length: 5000'];
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      expect(answer.toString()).toMatch(/^HTTP\/1\.1 401 /);
    });

    it('limits the requests of one address, and lets pages of any origin read the refusal', async () => {
      const node = await TestNode.open(publishing.plane, { nodeID: 'sfu-2', env: { RATE_LIMIT_ADDRESS_WRITES: '2' } });
      const post = () => request(node.server).post('/whip/ext_1').send('v=0');
      await post().expect(401);
      await post().expect(401);
      const response = await post().expect(429);
      expect(response.headers).toMatchObject({ 'access-control-allow-origin': '*', 'retry-after': '60' });
      expect(response.body).toMatchObject({ success: false, code: 'RATE_LIMITED', reason: 'rate_limited' });
      await request(node.server).get('/healthz').expect(200);
      await node.close();
    });

    it('answers 503 with Retry-After when no node holds the room and no gateway answers', async () => {
      const response = await publishing
        .post(undefined, await publishing.plane.ingestToken('ext_9', 300, 'room_9'), '/whip/ext_9')
        .expect(503);
      expect(response.headers['retry-after']).toBeDefined();
      expect(response.body).toMatchObject({ code: 'SERVICE_UNAVAILABLE', reason: 'controller_unavailable' });
    });

    describe('for a room that no node holds', () => {
      const postNowhere = async () =>
        publishing.post(undefined, await publishing.plane.ingestToken('ext_9', 300, 'room_9'), '/whip/ext_9');
      const gatewayAnswers = (state: EndpointState) =>
        publishing.plane.bus.respond(endpointState, question => {
          asked.add(question);
          return Promise.resolve({ state });
        });
      let asked: EventLog<EndpointQuestion>;
      beforeEach(() => {
        asked = new EventLog();
      });

      it.each([
        ['ended', 409, 'session_ended'],
        ['unknown', 404, 'not_found'],
      ] as const)('tells the publisher of a session that is %s not to retry', async (state, status, reason) => {
        await gatewayAnswers(state);
        const { headers, body, ...response } = await postNowhere();
        expect([response.status, body]).toEqual([status, expect.objectContaining({ reason })]);
        expect(headers['retry-after']).toBeUndefined();
        expect(asked.all).toEqual([{ protocol: 'whip', resourceID: 'ext_9' }]);
      });

      it('answers once a node holds the room, without a retry of the publisher', async () => {
        await gatewayAnswers('live');
        const first = asked.next();
        const posted = postNowhere();
        await first;
        await publishing.node.openSession('ext_9', ['audio', 'video'], 'room_9');
        expect((await afterWaiting(posted)).status).toBe(201);
      });

      it('does not wait for a lost owner once it holds the room itself', async () => {
        const { node, plane } = publishing;
        const reached = new EventLog<true>();
        const lost = await plane.bus.respond(roomSignalling.forResource('room_9'), () => {
          reached.add(true);
          return new Promise(() => undefined);
        });
        const first = reached.next();
        const posted = postNowhere();
        await first;
        const begun = plane.clock.now();
        await node.openSession('ext_9', ['audio', 'video'], 'room_9');
        expect((await afterWaiting(posted)).status).toBe(201);
        expect(plane.clock.now() - begun).toBeLessThanOrEqual(500);
        await lost.close();
      });

      it('asks the publisher of a session that waits for a node to retry after six seconds', async () => {
        await gatewayAnswers('live');
        const begun = publishing.plane.clock.now();
        const { headers, body, status } = await afterWaiting(postNowhere());
        expect(publishing.plane.clock.now() - begun).toBeGreaterThanOrEqual(5_000);
        expect([status, body]).toEqual([503, expect.objectContaining({ reason: 'controller_unavailable' })]);
        expect(headers['retry-after']).toBe('2');
      });

      it('asks the gateway once about a session that has ended', async () => {
        await gatewayAnswers('ended');
        await postNowhere();
        expect((await postNowhere()).status).toBe(409);
        expect(asked).toHaveLength(1);
      });

      it('answers 404 at a session URL of a session that has ended', async () => {
        await gatewayAnswers('ended');
        const token = await publishing.plane.ingestToken('ext_9', 300, 'room_9');
        const { status, headers } = await request(publishing.node.server)
          .patch('/whip/ext_9/somekey')
          .set('Authorization', `Bearer ${token}`)
          .set('Content-Type', 'application/trickle-ice-sdpfrag')
          .send('a=ice-ufrag:x');
        expect([status, headers['retry-after']]).toEqual([404, undefined]);
      });

      it('asks the viewer of an ended playback not to retry', async () => {
        await gatewayAnswers('ended');
        const token = await publishing.plane.playbackToken('play_9', 300, 'room_9');
        const { status, headers, body } = await publishing.post(chromiumWatches(), token, '/whep/play_9');
        expect([status, body]).toEqual([409, expect.objectContaining({ reason: 'playback_ended' })]);
        expect(headers['retry-after']).toBeUndefined();
      });
    });

    it.each([
      ['live', 503, 'controller_unavailable'],
      ['ended', 409, 'session_ended'],
      ['unknown', 404, 'not_found'],
    ] as const)(
      'asks about a session that its node does not know: one that is %s gets %i',
      async (state, status, reason) => {
        await publishing.plane.bus.respond(endpointState, () => Promise.resolve({ state }));
        const token = await publishing.plane.ingestToken('ext_2');
        const response = await afterWaiting(publishing.post(undefined, token, '/whip/ext_2'));
        expect([response.status, response.body]).toEqual([status, expect.objectContaining({ reason })]);
      },
    );

    it('tells an ended session from an unknown one', async () => {
      await publishing.plane.bus.request(sfuCommands.closeSession.forNode('sfu-1'), { sessionID: 'ext_1' });
      expect((await publishing.post().expect(409)).body).toMatchObject({ reason: 'session_ended' });
      await publishing.post(undefined, await publishing.plane.ingestToken('ext_2'), '/whip/ext_2').expect(404);
    });
  });
});
