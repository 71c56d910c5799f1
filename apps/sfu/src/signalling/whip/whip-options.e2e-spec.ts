import request from 'supertest';
import { chromiumPublishes } from '../sdp/testing/client-offers.js';
import { TestNode } from '../../testing/sfu-harness.js';
import { pathOf, TestPublishing, trickle } from './testing/test-publishing.js';

describe('WHIP', () => {
  let publishing: TestPublishing;
  beforeEach(async () => {
    publishing = await TestPublishing.open();
  });
  afterEach(() => publishing.close());

  describe('other methods', () => {
    it('answers GET and HEAD without content', async () => {
      const path = pathOf((await publishing.post().expect(201)).headers['location']);
      for (const address of ['/whip/ext_1', path]) {
        await request(publishing.node.server).get(address).expect(204);
        await request(publishing.node.server).head(address).expect(204);
      }
    });

    it('answers a preflight for any page', async () => {
      const response = await request(publishing.node.server)
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

    it('lists the allowed methods', async () => {
      const response = await request(publishing.node.server).put('/whip/ext_1').expect(405);
      expect(response.headers['allow']).toBe('OPTIONS, GET, HEAD, POST');
      expect(response.body).toMatchObject({ success: false, reason: 'method_not_allowed' });
      const session = await request(publishing.node.server).post('/whip/ext_1/key').expect(405);
      expect(session.headers['allow']).toBe('OPTIONS, GET, HEAD, PATCH, DELETE');
    });

    it('answers an unknown path with the error envelope', async () => {
      const response = await request(publishing.node.server).get('/nowhere').expect(404);
      expect(response.body).toMatchObject({ success: false, code: 'NOT_FOUND' });
    });
  });

  describe('TURN credentials', () => {
    const env = { TURN_URLS: 'turn:a.example,turns:a.example:443', TURN_SECRET: 'north-of-the-river' };
    const link =
      /^<turn:a\.example>; rel="ice-server"; username="(\d+):ext_2-\w{8}"; credential="[\w+/]{27}="; .*<turns:a/;
    let node: TestNode;
    let token: string;

    beforeEach(async () => {
      node = await TestNode.open(publishing.plane, { nodeID: 'sfu-2', env });
      await node.openSession('ext_2', undefined, 'room_2');
      token = await publishing.plane.ingestToken('ext_2', 300, 'room_2');
    });
    afterEach(() => node.close());

    function post(): request.Test {
      return send('post', '/whip/ext_2').set('Content-Type', 'application/sdp').send(chromiumPublishes());
    }

    function send(method: 'post' | 'options' | 'patch', path: string, bearer = token): request.Test {
      return request(node.server)[method](path).set('Authorization', `Bearer ${bearer}`);
    }

    it('are in the 201, and valid for an hour', async () => {
      const { headers } = await post().expect(201);
      const [, expiry] = link.exec(headers['link'] ?? '') ?? [];
      expect(Number(expiry)).toBe(Math.floor(publishing.plane.clock.now() / 1000) + 3_600);
    });

    it('are new after an ICE restart', async () => {
      const { headers } = await post().expect(201);
      const restarted = await send('patch', pathOf(headers['location']))
        .set('Content-Type', 'application/trickle-ice-sdpfrag')
        .set('If-Match', '*')
        .send(trickle('another'))
        .expect(200);
      expect(restarted.headers['link']).toMatch(link);
      expect(restarted.headers['link']).not.toBe(headers['link']);
    });

    it('are in OPTIONS of the endpoint for a valid token alone', async () => {
      const { headers } = await post().expect(201);
      expect((await send('options', '/whip/ext_2').expect(200)).headers['link']).toMatch(link);
      const expired = await publishing.plane.ingestToken('ext_2', -1, 'room_2');
      for (const asked of [
        send('options', '/whip/ext_2').set('Access-Control-Request-Method', 'POST'),
        send('options', '/whip/ext_2', expired),
        send('options', pathOf(headers['location'])),
        send('options', '/whip/ext_2/unknown', expired),
        request(node.server).options('/whip/ext_2'),
      ]) {
        expect((await asked.expect(200)).headers['link']).toBeUndefined();
      }
    });

    it('are not in a refused request', async () => {
      await post().expect(201);
      expect((await post().expect(409)).headers['link']).toBeUndefined();
    });
  });
});
