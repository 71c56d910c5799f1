import { EventLog } from '@rtms/testing';
import type { FeedDestination } from '@rtms/contracts';
import type { MediaRoom, PublishedTrack, TransportState } from './media-engine.js';
import { arrives, becomes, MediaScenes, type EngineUnderTest, type MediaScene } from './testing/media-scene.js';

const h264 = { payloadType: 106, codec: 'H264', profile: '42e01f' } as const;

/** The behaviour that signalling needs of every media engine. */
export function describeMediaEngine(name: string, underTest: EngineUnderTest): void {
  describe(`${name} as a media engine`, () => {
    const scenes = new MediaScenes(underTest);
    let scene: MediaScene;

    afterEach(() => scenes.closeScenes());
    afterAll(() => scenes.close());

    it('opens a room once, also when called repeatedly', async () => {
      scene = await scenes.open({ workers: 2 });
      expect(await scene.engine.openRoom(scene.room.meetingID)).toBe(scene.room);
      expect(await scene.engine.openRoom('another')).not.toBe(scene.room);
    });

    it('opens a transport with credentials, a fingerprint, and candidates over UDP and passive TCP', async () => {
      scene = await scenes.open();
      const { ice, fingerprints, state } = await scene.room.openPublisher();
      expect(ice.usernameFragment.length).toBeGreaterThanOrEqual(4);
      expect(ice.password.length).toBeGreaterThanOrEqual(22);
      expect(ice.candidates.map(({ protocol, tcpType }) => tcpType ?? protocol).sort()).toEqual(['passive', 'udp']);
      expect(fingerprints.map(({ algorithm }) => algorithm)).toContain('sha-256');
      expect(state).toBe('new');
    });

    it('reports when a publisher connects, and once when a track receives RTP', async () => {
      scene = await scenes.open();
      const transport = await scene.room.openPublisher();
      const states: TransportState[] = [];
      transport.onStateChange(state => states.push(state));
      const peer = await scene.driver.publish(transport);
      const begun = new EventLog<PublishedTrack>();
      for (const track of peer.tracks) track.onReceiving(() => begun.add(track));
      expect(peer.tracks.map(track => track.lastReceivedAt())).toEqual([undefined, undefined]);
      peer.sendMedia();
      await scene.pass(20);
      await begun.atLeast(2);
      expect(peer.tracks.map(track => track.lastReceivedAt())).toEqual([scene.clock.now(), scene.clock.now()]);
      await scene.pass(1_000);
      expect(new Set(begun.all)).toEqual(new Set(peer.tracks));
      expect(begun.length).toBe(2);
      expect(states).toEqual(['connected']);
      expect(scene.engine.load().publishers).toBe(1);
    });

    it('returns the time of the last RTP packet', async () => {
      scene = await scenes.open();
      const { peer } = await scene.publish();
      const { peer: viewer, transport } = await scene.view(peer);
      await transport.start();
      for (const _time of [1, 2, 3]) {
        await arrives(viewer);
        await scene.pass(500);
      }
      for (const track of peer.tracks) expect(track.lastReceivedAt()).toBeGreaterThan(scene.clock.now() - 501);
    });

    it('returns reception statistics', async () => {
      scene = await scenes.open();
      const { peer } = await scene.publish({ keyframeInterval: 5 });
      const { peer: viewer, transport } = await scene.view(peer);
      await transport.start();
      await arrives(viewer);
      const [audio, video] = peer.tracks as [PublishedTrack, PublishedTrack];
      expect((await audio.reception()).packetsReceived).toBeGreaterThan(0);
      expect(await audio.reception()).toMatchObject({ packetsLost: 0, fractionLost: 0, width: null, frameRate: null });
      // A measurement of the pictures begins with a keyframe and takes 1.5 s.
      await video.reception();
      await scene.settle();
      for (const _time of [1, 2, 3]) await arrives(viewer);
      await scene.pass(1_500);
      const { frameRate, bitrate } = await video.reception();
      expect(frameRate).toBeGreaterThan(0);
      expect(bitrate).toBeGreaterThan(0);
    });

    it('requests a keyframe on demand, but not from a publisher without feedback', async () => {
      scene = await scenes.open();
      const { peer } = await scene.publish();
      const { peer: deaf } = await scene.publish({ feedback: false });
      expect(peer.keyframeRequests()).toBe(0);
      const asked = peer.nextKeyframeRequest();
      for (const { tracks } of [deaf, peer]) for (const track of tracks) await track.requestKeyframe();
      await asked;
      expect(deaf.keyframeRequests()).toBe(0);
    });

    it('reports when a publisher is lost', async () => {
      scene = await scenes.open();
      const { peer, transport } = await scene.publish();
      await peer.vanish();
      await scene.passUntil(() => transport.state === 'lost', 12_000);
      expect(transport.state).toBe('lost');
    });

    it('changes the credentials for an ICE restart', async () => {
      scene = await scenes.open();
      const transport = await scene.room.openPublisher();
      const before = transport.ice;
      const after = await transport.restartIce();
      expect(after.usernameFragment).not.toBe(before.usernameFragment);
      expect(after.candidates).toEqual(before.candidates);
      expect(transport.ice).toEqual(after);
    });

    it('refuses an offer without a known codec', async () => {
      scene = await scenes.open();
      const transport = await scene.room.openPublisher();
      const codec = { mimeType: 'video/H265', payloadType: 96, clockRate: 90_000, parameters: {}, rtcpFeedback: [] };
      const offer = { mid: '0', codecs: [codec], headerExtensions: [], encodings: [{ ssrc: 1 }], rtcp: {} };
      await expect(transport.publish('video', offer)).rejects.toMatchObject({ reason: 'unacceptable_offer' });
    });

    it('sends tracks to the destinations of a feed', async () => {
      scene = await scenes.open();
      const { peer } = await scene.publish({ video: h264 });
      const destinations: FeedDestination[] = [
        { kind: 'video', ip: '127.0.0.1', rtpPort: 9, rtcpPort: 10 },
        { kind: 'audio', ip: '127.0.0.1', rtpPort: 11, rtcpPort: 12 },
      ];
      const feed = await scene.room.openFeed(peer.tracks, destinations);
      const shape = feed.tracks.map(({ kind, codec, clockRate }) => [kind, codec.toLowerCase(), clockRate]);
      expect(shape.sort()).toEqual([
        ['audio', 'opus', 48_000],
        ['video', 'h264', 90_000],
      ]);
      expect(new Set(feed.tracks.map(track => track.ssrc)).size).toBe(2);
      expect(scene.engine.load().consumers).toBe(0);
      await feed.close();
      await feed.close();
    });

    it('refuses viewers beyond the budget, and rooms when all workers are full', async () => {
      scene = await scenes.open({ workers: 1, consumersPerWorker: 2 });
      const { peer } = await scene.publish();
      const { peer: viewer } = await scene.view(peer);
      const another = await scene.room.openViewer();
      const [track] = peer.tracks;
      const [capabilities] = viewer.capabilities;
      if (!track || !capabilities) throw new Error('no track');
      await expect(another.send(track, capabilities)).rejects.toMatchObject({ reason: 'capacity_reached' });
      await expect(scene.engine.openRoom('another')).rejects.toMatchObject({ reason: 'capacity_reached' });
      await viewer.sent[0]?.close();
      expect(await another.send(track, capabilities)).toBeDefined();
    });

    it('serves viewers on other workers when its own is full, and refuses them when all are full', async () => {
      scene = await scenes.open({ workers: 2, consumersPerWorker: 2 });
      const { peer } = await scene.publish();
      const viewers = [await scene.view(peer), await scene.view(peer)];
      for (const { transport, peer: viewer } of viewers) {
        await transport.start();
        await arrives(viewer);
      }
      expect(scene.engine.load().consumers).toBe(4);
      await expect(scene.view(peer)).rejects.toMatchObject({ reason: 'capacity_reached' });
      await viewers[1]?.transport.close();
      const { transport, peer: next } = await scene.view(peer);
      await transport.start();
      await arrives(next);
    });

    it('loses only the viewers on another worker when that worker dies', async () => {
      scene = await scenes.open({ workers: 2, consumersPerWorker: 2 });
      const { peer } = await scene.publish();
      const [here, there] = [await scene.view(peer), await scene.view(peer)];
      for (const { transport } of [here, there]) await transport.start();
      let isLost = false;
      scene.room.onLost(() => (isLost = true));
      const closed = becomes(there.transport, 'closed');
      await underTest.killWorker(scene.engine, scene.engine.workerPids()[1]!);
      await closed;
      expect([isLost, scene.engine.load().consumers]).toEqual([false, 2]);
      await arrives(here.peer);
      const { transport, peer: back } = await scene.view(peer);
      await transport.start();
      await arrives(back);
    });

    // A worker that only hangs is noticed after 10 s, but the clock stands still here.
    it('loses only the rooms of a media worker that dies, and replaces the worker', async () => {
      scene = await scenes.open({ workers: 2 });
      const there = await scene.engine.openRoom('on the other worker');
      const survivor = await scene.publish({}, there);
      const { peer: viewer, transport } = await scene.view(survivor.peer, there);
      await transport.start();
      const lost: MediaRoom[] = [];
      for (const room of [scene.room, there]) room.onLost(() => lost.push(room));
      const [dying, staying] = scene.engine.workerPids();
      if (dying === undefined || staying === undefined) throw new Error('two workers are needed');
      await underTest.killWorker(scene.engine, dying);
      expect(lost).toEqual([scene.room]);
      expect(scene.engine.workerPids()).toHaveLength(2);
      expect(scene.engine.workerPids()).toContain(staying);
      expect(scene.engine.workerPids()).not.toContain(dying);
      await arrives(viewer);
      scene.room = await scene.engine.openRoom(scene.room.meetingID);
      await scene.room.openPublisher();
    });
  });
}
