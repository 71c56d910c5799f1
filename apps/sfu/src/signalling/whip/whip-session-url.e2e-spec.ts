import request, { type Response } from 'supertest';
import { offeredUfrag } from '../sdp/testing/build-offer.js';
import { chromiumPublishes } from '../sdp/testing/client-offers.js';
import { pathOf, TestPublishing, trickle } from './testing/test-publishing.js';

describe('WHIP', () => {
  let publishing: TestPublishing;
  beforeEach(async () => {
    publishing = await TestPublishing.open();
  });
  afterEach(() => publishing.close());

  /** Bodies of a type that supertest does not know come as bytes. */
  const textOf = (response: Response): string => Buffer.from(response.body as Uint8Array).toString();

  describe('PATCH', () => {
    it('accepts candidates with the right ETag, or without one if the ufrag is current', async () => {
      const { headers } = await publishing.post().expect(201);
      const path = pathOf(headers['location']);
      const response = await publishing.patch(path, trickle(offeredUfrag), headers['etag']).expect(204);
      expect(response.headers['etag']).toBeUndefined();
      await publishing.patch(path, trickle(offeredUfrag)).expect(204);
    });

    it.each([
      ['no If-Match and another ufrag', undefined, 'other', 428],
      ['a wrong If-Match', '"wrong"', offeredUfrag, 412],
    ])('refuses %s', async (_case, ifMatch, ufrag, status) => {
      const { headers } = await publishing.post().expect(201);
      await publishing.patch(pathOf(headers['location']), trickle(ufrag), ifMatch).expect(status);
    });

    it.each(['*', '"*"'])('restarts ICE with If-Match %s and new credentials', async ifMatch => {
      const { headers } = await publishing.post().expect(201);
      const path = pathOf(headers['location']);
      const before = publishing.node.engine.publishers[0]?.ice.usernameFragment;
      const response = await publishing.patch(path, trickle('renewed'), ifMatch).expect(200);
      expect(response.headers['content-type']).toBe('application/trickle-ice-sdpfrag');
      expect(response.headers['etag']).not.toBe(headers['etag']);
      expect(publishing.node.engine.publishers[0]?.ice.usernameFragment).not.toBe(before);
      expect(textOf(response)).toContain(`a=ice-ufrag:${publishing.node.engine.publishers[0]?.ice.usernameFragment}`);
      await publishing.patch(path, trickle('renewed'), response.headers['etag']).expect(204);
      await publishing.patch(path, trickle('renewed'), headers['etag']).expect(412);
    });

    it('keeps the session when a restart fails', async () => {
      const { headers } = await publishing.post().expect(201);
      const path = pathOf(headers['location']);
      await publishing
        .patch(path, 'a=ice-ufrag:renewed\r\na=candidate:1 1 UDP 1 192.0.2.1 9 typ host\r\n', '*')
        .expect(400);
      await publishing.patch(path, trickle(offeredUfrag), headers['etag']).expect(204);
    });

    it('refuses another content type', async () => {
      const { headers } = await publishing.post().expect(201);
      await request(publishing.node.server)
        .patch(pathOf(headers['location']))
        .set('Authorization', `Bearer ${publishing.token}`)
        .set('Content-Type', 'application/sdp')
        .send(chromiumPublishes())
        .expect(415);
    });
  });

  describe('DELETE', () => {
    const remove = (path: string, bearer = publishing.token) =>
      request(publishing.node.server)
        .delete(path)
        .set('Authorization', `Bearer ${bearer}`)
        .set('If-Match', '"ignored"');

    it('ends the session, and is idempotent', async () => {
      const path = pathOf((await publishing.post().expect(201)).headers['location']);
      await publishing.connectPublisher();
      await remove(path).expect(200);
      await remove(path).expect(200);
      expect(await publishing.told()).toEqual(['external_session.active', 'external_session.ended']);
      expect(publishing.plane.factsOf('ext_1')[1]).toEqual({
        type: 'external_session.ended',
        reason: 'publisher_left',
      });
      expect(publishing.node.engine.publishers).toEqual([]);
    });

    it('accepts the expired token that opened the session, and no other expired token', async () => {
      const other = await publishing.plane.ingestToken('ext_1', -20);
      const path = pathOf((await publishing.post().expect(201)).headers['location']);
      await publishing.plane.pass(299_999);
      publishing.receiveMedia();
      expect((await publishing.post().expect(409)).body).toMatchObject({ reason: 'already_publishing' });
      await publishing.plane.pass(1);
      expect((await publishing.post().expect(401)).body).toMatchObject({ reason: 'token_expired' });
      await remove(path, other).expect(401);
      await publishing.patch(path, trickle(offeredUfrag)).expect(204);
      await remove(path).expect(200);
      await remove(path).expect(200);
      await remove(path, other).expect(401);
    });

    it('needs a token, and a session URL that exists', async () => {
      const path = pathOf((await publishing.post().expect(201)).headers['location']);
      await request(publishing.node.server).delete(path).expect(401);
      await remove('/whip/ext_1/unknown').expect(404);
      expect(publishing.node.engine.publishers).toHaveLength(1);
    });
  });
});
