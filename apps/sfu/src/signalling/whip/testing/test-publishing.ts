import request from 'supertest';
import { chromiumPublishes } from '../../sdp/testing/client-offers.js';
import { TestNode, TestPlane } from '../../../testing/sfu-harness.js';

/** A node with the session `ext_1`, and the token of its publisher. */
export class TestPublishing {
  private constructor(
    readonly plane: TestPlane,
    readonly node: TestNode,
    /** The token of calls without another token. */
    public token: string,
  ) {}

  static async open(): Promise<TestPublishing> {
    const plane = await TestPlane.open();
    const node = await TestNode.open(plane);
    await node.openSession('ext_1');
    return new TestPublishing(plane, node, await plane.ingestToken('ext_1'));
  }

  post(offer = chromiumPublishes(), bearer = this.token, at = '/whip/ext_1'): request.Test {
    return request(this.node.server)
      .post(at)
      .set('Authorization', `Bearer ${bearer}`)
      .set('Content-Type', 'application/sdp')
      .send(offer);
  }

  patch(path: string, body: string, ifMatch?: string): request.Test {
    const call = request(this.node.server)
      .patch(path)
      .set('Authorization', `Bearer ${this.token}`)
      .set('Content-Type', 'application/trickle-ice-sdpfrag')
      .responseType('blob');
    return (ifMatch === undefined ? call : call.set('If-Match', ifMatch)).send(body);
  }

  /** The newest publisher connects, and its media arrives. */
  async connectPublisher(): Promise<void> {
    this.node.engine.publishers.at(-1)?.peerConnects();
    this.receiveMedia();
    await this.plane.quiet();
  }

  /** A packet of each track of the newest publisher arrives. */
  receiveMedia(): void {
    for (const track of this.node.engine.publishers.at(-1)?.tracks ?? []) track.receiveRtp();
  }

  /** The types of all facts about the session, once everything is quiet. */
  async told(): Promise<string[]> {
    await this.plane.quiet();
    return this.plane.factTypesOf('ext_1');
  }

  close(): Promise<void> {
    return this.node.close();
  }
}

export const pathOf = (location: string | undefined): string => new URL(location ?? '').pathname;

export const trickle = (ufrag: string): string =>
  [
    `a=ice-ufrag:${ufrag}`,
    'a=ice-pwd:a-password-of-22-characters',
    'm=audio 9 RTP/AVP 0',
    'a=mid:0',
    'a=candidate:1 1 UDP 1 192.0.2.1 61764 typ host',
    '',
  ].join('\r\n');
