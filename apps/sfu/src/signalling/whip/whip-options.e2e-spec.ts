/** @weight 0.4 */
import request from 'supertest';
import { chromiumPublishes } from '../sdp/testing/client-offers.js';
import { TestNode } from '../../testing/sfu-harness.js';
import { pathOf, TestPublishing } from './testing/test-publishing.js';

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

describe('ICE servers', () => {
  it('are in the 201 and in an authorised OPTIONS, never in a preflight', async () => {
    const env = { ICE_SERVERS: '[{"urls":"turn:turn.example","username":"u","credential":"c\\"d"}]' };
    const other = await TestNode.open(publishing.plane, { nodeID: 'sfu-2', env });
    try {
      await other.openSession('ext_2', undefined, 'room_2');
      const bearer = `Bearer ${await publishing.plane.ingestToken('ext_2', 300, 'room_2')}`;
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
