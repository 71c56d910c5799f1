import request from 'supertest';
import type { MemoryPublisher } from '../../../media/memory/memory-publisher.js';
import { chromiumPublishes, chromiumWatches } from '../../sdp/testing/client-offers.js';
import { TestNode, TestPlane } from '../../../testing/sfu-harness.js';

/** A node with the session `ext_1` and its playback `play_1`, and the token of a viewer. */
export class TestWatching {
  private constructor(
    readonly plane: TestPlane,
    readonly node: TestNode,
    /** The token of the viewers. */
    public token: string,
  ) {}

  static async open(): Promise<TestWatching> {
    const plane = await TestPlane.open();
    const node = await TestNode.open(plane);
    await node.openSession('ext_1');
    await node.openPlayback('play_1', 'ext_1');
    return new TestWatching(plane, node, await plane.playbackToken('play_1'));
  }

  close(): Promise<void> {
    return this.node.close();
  }

  /** `hasBFrames`: the publisher is an ingest node, which says so. */
  async publish(offer = chromiumPublishes(), hasBFrames = false): Promise<MemoryPublisher> {
    const ingest = await this.plane.ingestToken('ext_1', undefined, undefined, hasBFrames);
    await request(this.node.server)
      .post('/whip/ext_1')
      .set('Authorization', `Bearer ${ingest}`)
      .set('Content-Type', 'application/sdp')
      .send(offer)
      .expect(201);
    const publisher = this.node.engine.publishers.at(-1);
    if (!publisher) throw new Error('There is no publisher.');
    publisher.peerConnects();
    for (const track of publisher.tracks) track.receiveRtp();
    await this.plane.quiet();
    return publisher;
  }

  /** Moves the clock while the publishers go on sending. */
  async pass(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0; left -= 1_000) {
      for (const { tracks } of this.node.engine.publishers) tracks.forEach(track => track.receiveRtp());
      await this.plane.pass(Math.min(left, 1_000));
    }
  }

  watch(offer = chromiumWatches(), at = '/whep/play_1'): request.Test {
    return request(this.node.server)
      .post(at)
      .set('Authorization', `Bearer ${this.token}`)
      .set('Content-Type', 'application/sdp')
      .send(offer);
  }

  leave(path: string): request.Test {
    return request(this.node.server).delete(path).set('Authorization', `Bearer ${this.token}`);
  }

  /** All facts about the playback, once everything is quiet. */
  async playbackFacts() {
    await this.plane.quiet();
    return this.plane.factsOf('play_1');
  }
}
