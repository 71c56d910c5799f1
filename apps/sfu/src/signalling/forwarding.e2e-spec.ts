import { roomSignalling, sfuCommands } from '@rtms/contracts';
import request from 'supertest';
import { publishOn, TestNode, TestPlane } from '../testing/sfu-harness.js';
import { chromiumPublishes, chromiumWatches } from './sdp/testing/client-offers.js';

describe('two nodes', () => {
  let plane: TestPlane;
  let node: TestNode;
  let other: TestNode;

  beforeEach(async () => {
    plane = await TestPlane.open();
    node = await TestNode.open(plane);
    other = await TestNode.open(plane, { nodeID: 'sfu-2' });
    await node.openSession('ext_1');
    await node.openPlayback('play_1', 'ext_1');
  });

  afterEach(async () => {
    await other.close();
    await node.close();
  });

  it('forward signalling to the node that holds the room, from POST to DELETE', async () => {
    const path = await publishOn(plane, node, 'ext_1', other.server);
    const bearer = `Bearer ${await plane.ingestToken('ext_1')}`;
    await request(other.server)
      .patch(path)
      .set('Authorization', bearer)
      .set('Content-Type', 'application/trickle-ice-sdpfrag')
      .set('If-Match', '"wrong"')
      .send('a=candidate:1 1 UDP 1 192.0.2.1 61764 typ host\r\n')
      .expect(412);
    const watched = await request(other.server)
      .post('/whep/play_1')
      .set('Authorization', `Bearer ${await plane.playbackToken('play_1')}`)
      .set('Content-Type', 'application/sdp')
      .send(chromiumWatches())
      .expect(201);
    expect(watched.headers['location']).toMatch(/^http:\/\/sfu-1\.test\/whep\/play_1\//);
    expect(watched.headers['access-control-allow-origin']).toBe('*');
    await request(other.server).delete(path).set('Authorization', bearer).expect(200);
    expect(node.engine.publishers).toEqual([]);
    expect(other.engine.publishers).toEqual([]);
  });

  it('forward error responses unchanged', async () => {
    const bearer = `Bearer ${await plane.ingestToken('ext_1')}`;
    const response = await request(other.server)
      .post('/whip/ext_1')
      .set('Authorization', bearer)
      .set('Content-Type', 'application/sdp')
      .send(chromiumWatches())
      .expect(422);
    expect(response.body).toMatchObject({ success: false, reason: 'unacceptable_offer' });
  });

  it('answer 503 when the room is closed and no gateway answers, and 200 to DELETE', async () => {
    const path = await publishOn(plane, node, 'ext_1', other.server);
    await plane.bus.request(sfuCommands.closeRoom.forNode('sfu-1'), { meetingID: 'room_1' });
    const bearer = `Bearer ${await plane.ingestToken('ext_1')}`;
    const post = request(other.server).post('/whip/ext_1').set('Authorization', bearer);
    await post.set('Content-Type', 'application/sdp').send(chromiumPublishes()).expect(503);
    await request(other.server).delete(path).set('Authorization', bearer).expect(200);
    const asked = { method: 'GET', path: '/whip/ext_1', headers: {}, body: '', requestID: 'r' };
    await expect(plane.bus.request(roomSignalling.forResource('room_1'), asked)).rejects.toThrow('no service responds');
  });
});
