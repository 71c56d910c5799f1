import request from 'supertest';
import { chromiumPublishes } from '../signalling/sdp/testing/client-offers.js';
import type { TestNode, TestPlane } from './sfu-harness.js';

/** Publishes over WHIP until media arrives at the node. `server` may be another node's. Returns the path of the session URL. */
export async function publishOn(
  plane: TestPlane,
  node: TestNode,
  sessionID: string,
  server = node.server,
): Promise<string> {
  const bearer = `Bearer ${await plane.ingestToken(sessionID)}`;
  const response = await request(server)
    .post(`/whip/${sessionID}`)
    .set('Authorization', bearer)
    .set('Content-Type', 'application/sdp')
    .send(chromiumPublishes())
    .expect(201);
  const publisher = node.engine.publishers.at(-1);
  publisher?.peerConnects();
  for (const track of publisher?.tracks ?? []) track.receiveRtp();
  await plane.quiet();
  return new URL(response.headers['location'] ?? '').pathname;
}
