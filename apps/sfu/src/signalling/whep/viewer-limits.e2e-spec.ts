import { sfuCommands } from '@rtms/contracts';
import request from 'supertest';
import { chromiumPublishes, chromiumWatches } from '../sdp/testing/client-offers.js';
import { TestNode, TestPlane } from '../../testing/sfu-harness.js';

describe('the limits of viewers', () => {
  let plane: TestPlane;
  let nodes: TestNode[];

  beforeEach(async () => {
    plane = await TestPlane.open();
    nodes = [];
  });

  afterEach(async () => {
    for (const node of nodes) await node.close();
  });

  async function openNode(nodeID: string): Promise<TestNode> {
    const node = await TestNode.open(plane, { nodeID });
    nodes.push(node);
    return node;
  }

  /** A published session in a room of the node's own. */
  async function publish(node: TestNode): Promise<{ meetingID: string; sessionID: string }> {
    const names = { meetingID: `room_${node.nodeID}`, sessionID: `ext_${node.nodeID}` };
    await node.openSession(names.sessionID, ['audio', 'video'], names.meetingID);
    const token = await plane.ingestToken(names.sessionID, 300, names.meetingID);
    await post(node, `/whip/${names.sessionID}`, token, chromiumPublishes()).expect(201);
    const publisher = node.engine.publishers.at(-1);
    publisher?.peerConnects();
    for (const track of publisher?.tracks ?? []) track.receiveRtp();
    await plane.quiet();
    return names;
  }

  function post(node: TestNode, path: string, token: string, offer: string) {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/sdp' };
    return request(node.server).post(path).set(headers).send(offer);
  }

  interface Account {
    accountID: string;
    limits: { viewersPerPlayback: number; viewersPerAccount: number };
  }

  const accountOf = (accountID: string, viewersPerPlayback = 100, viewersPerAccount = 100): Account => ({
    accountID,
    limits: { viewersPerPlayback, viewersPerAccount },
  });

  /** A playback of an account, and its token. */
  async function openPlayback(node: TestNode, playbackID: string, account: Account) {
    const { meetingID, sessionID } = { meetingID: `room_${node.nodeID}`, sessionID: `ext_${node.nodeID}` };
    const tracks: ('audio' | 'video')[] = ['audio', 'video'];
    const opening = { meetingID, sessionID, playbackID, tracks, payloadMatching: 'fixed' as const, account };
    await plane.bus.request(sfuCommands.openPlayback.forNode(node.nodeID), opening);
    const token = await plane.playbackToken(playbackID, 300, meetingID);
    return async (isConnected: boolean): Promise<number> => {
      const response = await post(node, `/whep/${playbackID}`, token, chromiumWatches());
      if (response.status !== 201) {
        expect(response.headers['retry-after']).toBe('10');
        expect(response.body).toMatchObject({ code: 'SERVICE_UNAVAILABLE', reason: 'capacity_reached' });
      } else if (isConnected) {
        node.engine.viewers.at(-1)?.peerConnects();
        await plane.quiet();
      }
      return response.status;
    };
  }

  /** Moves the clock while the publishers of a node go on sending. */
  async function passSeconds(node: TestNode, seconds: number): Promise<void> {
    for (let left = seconds; left > 0; left--) {
      for (const { tracks } of node.engine.publishers) for (const track of tracks) track.receiveRtp();
      await plane.pass(1_000);
    }
  }

  async function statusesOf(count: number, watch: (isConnected: boolean) => Promise<number>, isConnected = true) {
    const statuses: number[] = [];
    for (let each = 0; each < count; each++) statuses.push(await watch(isConnected));
    return statuses;
  }

  describe('viewers of one playback', () => {
    it('are limited, without affecting other playbacks and accounts', async () => {
      const node = await openNode('sfu-1');
      await publish(node);
      const account = accountOf('acct_1', 2);
      const watch = await openPlayback(node, 'play_1', account);
      expect(await statusesOf(3, watch)).toEqual([201, 201, 503]);
      expect(await statusesOf(1, await openPlayback(node, 'play_2', account))).toEqual([201]);
      expect(await statusesOf(1, await openPlayback(node, 'play_3', accountOf('acct_2')))).toEqual([201]);
    });

    it('may be more as soon as the limit is raised', async () => {
      const node = await openNode('sfu-1');
      await publish(node);
      const watch = await openPlayback(node, 'play_1', accountOf('acct_1', 1));
      expect(await statusesOf(2, watch)).toEqual([201, 503]);
      await plane.bus.request(sfuCommands.setViewerLimits.forNode('sfu-1'), accountOf('acct_1', 2));
      expect(await statusesOf(2, watch)).toEqual([201, 503]);
    });

    it('free their places when they leave', async () => {
      const node = await openNode('sfu-1');
      await publish(node);
      const watch = await openPlayback(node, 'play_1', accountOf('acct_1', 1));
      expect(await statusesOf(2, watch, false)).toEqual([201, 503]);
      // The viewer never connected.
      await passSeconds(node, 5);
      expect(await statusesOf(2, watch)).toEqual([201, 503]);
    });
  });

  describe('viewers of one account', () => {
    it('are limited over all its playbacks on a node', async () => {
      const node = await openNode('sfu-1');
      await publish(node);
      const account = accountOf('acct_1', 2, 3);
      expect(await statusesOf(2, await openPlayback(node, 'play_1', account))).toEqual([201, 201]);
      expect(await statusesOf(2, await openPlayback(node, 'play_2', account))).toEqual([201, 503]);
    });

    it('are limited over all nodes once these have announced their counts', async () => {
      const [one, other] = [await openNode('sfu-1'), await openNode('sfu-2')];
      await publish(one);
      await publish(other);
      const account = accountOf('acct_1', 9, 3);
      expect(await statusesOf(2, await openPlayback(one, 'play_1', account))).toEqual([201, 201]);
      await plane.pass(1_000);
      const watch = await openPlayback(other, 'play_2', account);
      expect(await statusesOf(2, watch)).toEqual([201, 503]);
      expect(await statusesOf(1, await openPlayback(other, 'play_3', accountOf('acct_2')))).toEqual([201]);
    });

    it('no longer count on a node that was silent for the time of a lease', async () => {
      const [one, other] = [await openNode('sfu-1'), await openNode('sfu-2')];
      await publish(one);
      await publish(other);
      const account = accountOf('acct_1', 9, 1);
      expect(await statusesOf(1, await openPlayback(one, 'play_1', account))).toEqual([201]);
      await plane.pass(1_000);
      const watch = await openPlayback(other, 'play_2', account);
      expect(await statusesOf(1, watch)).toEqual([503]);
      await nodes.shift()?.close();
      await passSeconds(other, 6);
      expect(await statusesOf(1, watch)).toEqual([201]);
    });

    it('occupy at most a quarter of a node while they never connect', async () => {
      const node = await openNode('sfu-1');
      await publish(node);
      const places = node.engine.load().capacity / 2;
      const watch = await openPlayback(node, 'play_1', accountOf('acct_1', 10_000, 10_000));
      const statuses = await statusesOf(places, watch, false);
      expect(statuses.filter(status => status === 201)).toHaveLength(Math.max(20, places / 4));
      expect(await statusesOf(1, await openPlayback(node, 'play_2', accountOf('acct_2')))).toEqual([201]);
    });
  });
});
