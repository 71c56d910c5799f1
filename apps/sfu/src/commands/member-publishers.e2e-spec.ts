import { sfuCommands } from '@rtms/contracts';
import request from 'supertest';
import { chromiumPublishes, chromiumWatches } from '../signalling/sdp/testing/client-offers.js';
import { MemberBench } from '../testing/member-bench.js';

describe('the publishers of members', () => {
  let bench: MemberBench;
  beforeEach(async () => {
    bench = await MemberBench.open();
  });
  afterEach(() => bench.close());

  describe('an external session whose publisher uses the client SDK', () => {
    beforeEach(() => bench.node.openSession('ext_1'));

    it('is active when every kind arrives, interrupted when the publisher is lost, and in the inventory once', async () => {
      const publisher = await bench.join('ext_1');
      await bench.publish(publisher, 'microphone');
      publisher.sender.tracks[0]?.receiveRtp();
      await bench.publish(publisher, 'camera');
      await bench.plane.quiet();
      expect(bench.plane.factTypesOf('ext_1')).toEqual([]);
      publisher.sender.tracks[1]?.receiveRtp();
      await bench.plane.quiet();
      expect(bench.plane.factsOf('ext_1')).toHaveLength(1);
      expect(bench.plane.factsOf('ext_1')[0]).toMatchObject({
        type: 'external_session.active',
        tracks: [{ kind: 'audio', codec: 'opus', state: 'live' }, { kind: 'video' }],
      });
      expect(await bench.command(sfuCommands.inventory, {})).toMatchObject({
        members: [],
        sessions: [{ state: 'active' }],
      });
      publisher.sender.peerVanishes();
      await bench.plane.quiet();
      expect(bench.plane.factTypesOf('ext_1').slice(1)).toEqual(['external_session.interrupted']);
      publisher.sender.peerConnects();
      await bench.plane.quiet();
      expect(bench.plane.factTypesOf('ext_1').slice(2)).toEqual(['external_session.active']);
    });

    it('reports its tracks again when one is paused or closed', async () => {
      const publisher = await bench.join('ext_1');
      const [, { trackID }] = [await bench.publish(publisher, 'microphone'), await bench.publish(publisher, 'camera')];
      for (const track of publisher.sender.tracks) track.receiveRtp();
      await bench.command(sfuCommands.pauseTrack, { trackID });
      await bench.command(sfuCommands.closeTrack, { trackID });
      await bench.plane.quiet();
      const states = bench.plane
        .factsOf('ext_1')
        .map(fact => 'tracks' in fact && fact.tracks.map(({ state }) => state));
      expect(states).toEqual([['live', 'live'], ['live', 'paused'], ['live']]);
    });

    it('accepts one publisher, one track of a kind, and only its own kinds', async () => {
      const publisher = await bench.join('ext_1');
      await bench.publish(publisher, 'camera');
      await expect(bench.publish(publisher, 'screen')).rejects.toMatchObject({
        failure: { reason: 'already_publishing' },
      });
      await bench.node.openSession('ext_2', ['audio']);
      const other = await bench.join('ext_2');
      await expect(bench.publish(other, 'camera')).rejects.toMatchObject({ failure: { reason: 'invalid_request' } });
    });

    it('has viewers and feeds like a WHIP session', async () => {
      const publisher = await bench.join('ext_1');
      for (const source of ['microphone', 'camera'] as const) await bench.publish(publisher, source);
      for (const track of publisher.sender.tracks) track.receiveRtp();
      await bench.node.openPlayback('play_1', 'ext_1');
      await request(bench.node.server)
        .post('/whep/play_1')
        .set('Authorization', `Bearer ${await bench.plane.playbackToken('play_1')}`)
        .set('Content-Type', 'application/sdp')
        .send(chromiumWatches())
        .expect(201);
      const [viewer] = bench.node.engine.viewers;
      viewer?.peerConnects();
      expect([...(viewer?.sent ?? [])].map(({ trackID }) => trackID).sort()).toEqual(
        publisher.sender.tracks.map(({ trackID }) => trackID).sort(),
      );
      const destinations = [{ kind: 'video' as const, ip: '127.0.0.1', rtpPort: 5004, rtcpPort: 5005 }];
      await bench.command(sfuCommands.openFeed, { feedID: 'bcast_1', sourceID: 'ext_1', destinations });
      publisher.sender.peerVanishes();
      await bench.plane.quiet();
      expect(bench.node.engine.feeds).toEqual([]);
    });

    it('refuses a WHIP publisher, and is refused by one', async () => {
      const publisher = await bench.join('ext_1');
      await bench.publish(publisher, 'camera');
      await request(bench.node.server)
        .post('/whip/ext_1')
        .set('Authorization', `Bearer ${await bench.plane.ingestToken('ext_1')}`)
        .set('Content-Type', 'application/sdp')
        .send(chromiumPublishes())
        .expect(409);
      await bench.command(sfuCommands.closeMember, { participantID: 'ext_1' });
      await request(bench.node.server)
        .post('/whip/ext_1')
        .set('Authorization', `Bearer ${await bench.plane.ingestToken('ext_1')}`)
        .set('Content-Type', 'application/sdp')
        .send(chromiumPublishes())
        .expect(201);
      await expect(bench.publish(await bench.join('ext_1'), 'camera')).rejects.toMatchObject({
        failure: { reason: 'already_publishing' },
      });
    });

    it('reports pictures above the account’s limit', async () => {
      const maxSource = { pixels: 640 * 360 - 1, pixelsPerSecond: 1e9 };
      await bench.node.openSession('ext_2', ['video'], 'room_1', maxSource);
      const publisher = await bench.join('ext_2');
      await bench.publish(publisher, 'camera');
      // Media goes on while the node looks at the pictures.
      for (let second = 0; second < 4; second += 1) {
        publisher.sender.tracks[0]?.receiveRtp();
        await bench.plane.pass(1_000);
      }
      const told = { type: 'external_session.health', health: ['picture_too_large'] };
      expect(bench.plane.factsOf('ext_2').at(-1)).toEqual(told);
    });

    it('closes the publisher’s media when it ends', async () => {
      const publisher = await bench.join('ext_1');
      await bench.publish(publisher, 'camera');
      await bench.command(sfuCommands.closeSession, { sessionID: 'ext_1' });
      expect(publisher.sender.state).toBe('closed');
      expect(bench.node.engine.load()).toMatchObject({ consumers: 0, publishers: 0 });
    });

    it('is interrupted when the publisher reopens its media, and active again afterwards', async () => {
      const publisher = await bench.join('ext_1');
      for (const source of ['microphone', 'camera'] as const) await bench.publish(publisher, source);
      for (const track of publisher.sender.tracks) track.receiveRtp();
      await bench.plane.quiet();
      const again = await bench.join('ext_1');
      for (const source of ['microphone', 'camera'] as const) await bench.publish(again, source);
      for (const track of again.sender.tracks) track.receiveRtp();
      await bench.plane.quiet();
      expect(bench.plane.factTypesOf('ext_1')).toEqual([
        'external_session.active',
        'external_session.interrupted',
        'external_session.active',
      ]);
    });
  });
});
