import { sfuCommands } from '@rtms/contracts';
import request from 'supertest';
import { chromiumPublishes, ffmpegPublishes } from '../sdp/testing/client-offers.js';
import { pathOf } from '../whip/testing/test-publishing.js';
import { TestWatching } from './testing/test-watching.js';

describe('WHEP', () => {
  let watching: TestWatching;
  beforeEach(async () => {
    watching = await TestWatching.open();
  });
  afterEach(() => watching.close());

  describe('viewers that connect and leave', () => {
    it('are counted, and the playback is idle when the last one is lost', async () => {
      await watching.publish();
      await watching.watch().expect(201);
      await watching.watch().expect(201);
      const [one, two] = watching.node.engine.viewers;
      one?.peerConnects();
      two?.peerConnects();
      await watching.plane.pass(1_000);
      one?.peerVanishes();
      await watching.plane.pass(1_000);
      two?.peerVanishes();
      expect(await watching.playbackFacts()).toEqual([
        { type: 'playback.active', viewerCount: 1 },
        { type: 'playback.active', viewerCount: 2 },
        { type: 'playback.active', viewerCount: 1 },
        { type: 'playback.idle', reason: 'viewer_lost' },
      ]);
    });

    it('are counted at most once a second between the first and the loss of the last', async () => {
      await watching.publish();
      for (let count = 0; count < 10; count += 1) await watching.watch().expect(201);
      for (const viewer of watching.node.engine.viewers) viewer.peerConnects();
      await watching.plane.pass(999);
      expect(await watching.playbackFacts()).toEqual([{ type: 'playback.active', viewerCount: 1 }]);
      await watching.plane.pass(1);
      expect((await watching.playbackFacts()).slice(1)).toEqual([{ type: 'playback.active', viewerCount: 10 }]);
      for (const viewer of watching.node.engine.viewers) viewer.peerVanishes();
      expect((await watching.playbackFacts()).slice(2)).toEqual([{ type: 'playback.idle', reason: 'viewer_lost' }]);
      await watching.plane.pass(1_000);
      expect(await watching.playbackFacts()).toHaveLength(3);
    });

    it('are closed exactly 30 s after their loss', async () => {
      await watching.publish();
      await watching.watch().expect(201);
      const [viewer] = watching.node.engine.viewers;
      viewer?.peerConnects();
      await watching.pass(60_000);
      viewer?.peerVanishes();
      // Rooms are swept every 500 ms.
      await watching.pass(500);
      await watching.pass(29_999);
      expect(watching.node.engine.viewers).toEqual([viewer]);
      await watching.pass(1);
      expect(watching.node.engine.viewers).toEqual([]);
    });

    it('stay when they reconnect within 30 s', async () => {
      await watching.publish();
      await watching.watch().expect(201);
      const [viewer] = watching.node.engine.viewers;
      viewer?.peerConnects();
      viewer?.peerVanishes();
      await watching.pass(29_000);
      viewer?.peerConnects();
      await watching.pass(500);
      viewer?.peerVanishes();
      await watching.pass(29_000);
      expect(watching.node.engine.viewers).toEqual([viewer]);
    });

    it('end the playback when the last one sends DELETE', async () => {
      await watching.publish();
      const path = pathOf((await watching.watch().expect(201)).headers['location']);
      watching.node.engine.viewers[0]?.peerConnects();
      await watching.leave(path).expect(200);
      await watching.leave(path).expect(200);
      expect(await watching.playbackFacts()).toEqual([
        { type: 'playback.active', viewerCount: 1 },
        { type: 'playback.ended', reason: 'viewer_left' },
      ]);
      expect((await watching.watch().expect(409)).body).toMatchObject({ reason: 'playback_ended' });
      expect(watching.node.engine.load().consumers).toBe(0);
    });

    it('are closed when they have not connected within 5 s', async () => {
      await watching.publish();
      await watching.watch().expect(201);
      await watching.pass(4_999);
      expect(watching.node.engine.viewers).toHaveLength(1);
      await watching.pass(1);
      expect([watching.node.engine.viewers, await watching.playbackFacts()]).toEqual([[], []]);
      await watching.watch().expect(201);
    });

    it('leave the playback ready when they leave before they connect', async () => {
      await watching.publish();
      const path = pathOf((await watching.watch().expect(201)).headers['location']);
      await watching.leave(path).expect(200);
      await watching.watch().expect(201);
      expect(await watching.playbackFacts()).toEqual([]);
    });
  });

  describe('a publisher that reconnects', () => {
    it('is sent to the remaining viewers if their answers list its codec', async () => {
      const first = await watching.publish();
      await watching.watch().expect(201);
      const [viewer] = watching.node.engine.viewers;
      viewer?.peerConnects();
      first.peerVanishes();
      const second = await watching.publish();
      expect([...(viewer?.sent ?? [])].map(sent => sent.started)).toEqual([true, true]);
      const sources = [...(viewer?.sent ?? [])].map(({ trackID }) => trackID).sort();
      expect(sources).toEqual(second.tracks.map(({ trackID }) => trackID).sort());
      expect(watching.node.engine.viewers).toHaveLength(1);
    });

    it('is not sent with a codec that the answers do not list', async () => {
      const first = await watching.publish();
      await watching.watch().expect(201);
      const [viewer] = watching.node.engine.viewers;
      viewer?.peerConnects();
      first.peerVanishes();
      await watching.publish(ffmpegPublishes());
      expect([...(viewer?.sent ?? [])].map(({ kind }) => kind)).toEqual(['audio']);
    });
  });

  describe('ends', () => {
    it('of a session by DELETE end its playbacks', async () => {
      const ingest = await watching.plane.ingestToken('ext_1');
      const posted = await request(watching.node.server)
        .post('/whip/ext_1')
        .set('Authorization', `Bearer ${ingest}`)
        .set('Content-Type', 'application/sdp')
        .send(chromiumPublishes());
      const publisher = watching.node.engine.publishers[0];
      publisher?.peerConnects();
      for (const track of publisher?.tracks ?? []) track.receiveRtp();
      const path = pathOf((await watching.watch().expect(201)).headers['location']);
      await request(watching.node.server)
        .delete(pathOf(posted.headers['location']))
        .set('Authorization', `Bearer ${ingest}`)
        .expect(200);
      expect(await watching.playbackFacts()).toEqual([{ type: 'playback.ended', reason: 'source_ended' }]);
      await watching.leave(path).expect(200);
      expect(watching.node.engine.viewers).toEqual([]);
    });

    it('by command report no fact', async () => {
      await watching.publish();
      await watching.watch().expect(201);
      await watching.plane.bus.request(sfuCommands.closePlayback.forNode('sfu-1'), { playbackID: 'play_1' });
      await watching.plane.bus.request(sfuCommands.closePlayback.forNode('sfu-1'), { playbackID: 'play_1' });
      expect(watching.node.engine.viewers).toEqual([]);
      expect((await watching.watch().expect(409)).body).toMatchObject({ reason: 'playback_ended' });
      expect(await watching.playbackFacts()).toEqual([]);
    });

    it('of the media worker leave the playback idle, and viewers may reconnect', async () => {
      await watching.publish();
      await watching.watch().expect(201);
      watching.node.engine.viewers[0]?.peerConnects();
      await watching.node.engine.killWorker();
      expect(await watching.playbackFacts()).toEqual([
        { type: 'playback.active', viewerCount: 1 },
        { type: 'playback.idle', reason: 'worker_lost' },
      ]);
      await watching.publish();
      await watching.watch().expect(201);
    });
  });
});
