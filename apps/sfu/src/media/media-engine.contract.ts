import { waitFor } from '@rtms/testing';
import type { FeedDestination } from '@rtms/contracts';
import type { TransportState } from './media-engine.js';
import type { PublishedTrack } from './media-engine.js';
import { arrives, mediaGoOn, MediaScene, type EngineUnderTest } from './testing/media-scene.js';

const h264 = { payloadType: 106, codec: 'H264', profile: '42e01f' } as const;

/** What signalling relies on, whichever engine it has. */
export function describeMediaEngine(name: string, underTest: EngineUnderTest): void {
  describe(`${name} as a media engine`, () => {
    let scene: MediaScene;

    afterEach(() => scene.close());

    it('gives a room one place, however often it is opened', async () => {
      scene = await MediaScene.open(underTest, { workers: 2 });
      expect(await scene.engine.openRoom('room_1')).toBe(scene.room);
      expect(await scene.engine.openRoom('room_2')).not.toBe(scene.room);
    });

    it('opens a transport with credentials, a fingerprint, and candidates over UDP and passive TCP', async () => {
      scene = await MediaScene.open(underTest);
      const { ice, fingerprints, state } = await scene.room.openPublisher();
      expect(ice.usernameFragment.length).toBeGreaterThanOrEqual(4);
      expect(ice.password.length).toBeGreaterThanOrEqual(22);
      expect(ice.candidates.map(({ protocol, tcpType }) => tcpType ?? protocol).sort()).toEqual(['passive', 'udp']);
      expect(fingerprints.map(({ algorithm }) => algorithm)).toContain('sha-256');
      expect(state).toBe('new');
    });

    it('tells when a publisher connects, and once a track when its RTP begins', async () => {
      scene = await MediaScene.open(underTest);
      const transport = await scene.room.openPublisher();
      const states: TransportState[] = [];
      transport.onStateChange(state => states.push(state));
      const peer = await scene.driver.publish(transport);
      let begun = 0;
      for (const track of peer.tracks) track.onReceiving(() => begun++);
      expect(peer.tracks.map(track => track.lastReceivedAt())).toEqual([undefined, undefined]);
      peer.sendMedia();
      await waitFor(() => begun > 0, { what: 'RTP to begin' });
      await mediaGoOn(peer, 600);
      expect(begun).toBe(2);
      expect(states).toEqual(['connected']);
      expect(scene.engine.load().publishers).toBe(1);
    });

    it('tells how tracks arrive', async () => {
      scene = await MediaScene.open(underTest);
      const { peer } = await scene.publish();
      await mediaGoOn(peer, 600);
      const [audio, video] = peer.tracks as [PublishedTrack, PublishedTrack];
      expect((await audio.reception()).packetsReceived).toBeGreaterThan(0);
      expect(await audio.reception()).toMatchObject({ packetsLost: 0, fractionLost: 0, width: null, frameRate: null });
      await waitFor(async () => (await video.reception()).frameRate !== null, { what: 'a frame rate' });
      expect((await video.reception()).bitrate).toBeGreaterThan(0);
    });

    it('asks for a keyframe on demand, but never a publisher that offers no feedback', async () => {
      scene = await MediaScene.open(underTest);
      const { peer } = await scene.publish();
      await mediaGoOn(peer, 1_000);
      const before = peer.keyframeRequests();
      await peer.tracks[1]?.requestKeyframe();
      await waitFor(() => peer.keyframeRequests() > before, { what: 'a keyframe request' });
      await peer.tracks[0]?.requestKeyframe();
    });

    it('tells when a publisher goes away', async () => {
      scene = await MediaScene.open(underTest);
      const { peer, transport } = await scene.publish();
      await peer.vanish();
      await waitFor(() => transport.state === 'lost', { what: 'the publisher to be lost', timeoutMs: 12_000 });
    });

    it('changes the credentials for an ICE restart', async () => {
      scene = await MediaScene.open(underTest);
      const transport = await scene.room.openPublisher();
      const before = transport.ice;
      const after = await transport.restartIce();
      expect(after.usernameFragment).not.toBe(before.usernameFragment);
      expect(after.candidates).toEqual(before.candidates);
      expect(transport.ice).toEqual(after);
    });

    it('refuses an offer without a codec that it knows', async () => {
      scene = await MediaScene.open(underTest);
      const transport = await scene.room.openPublisher();
      const codec = { mimeType: 'video/H265', payloadType: 96, clockRate: 90_000, parameters: {}, rtcpFeedback: [] };
      const offer = { mid: '0', codecs: [codec], headerExtensions: [], encodings: [{ ssrc: 1 }], rtcp: {} };
      await expect(transport.publish('video', offer)).rejects.toMatchObject({ reason: 'unacceptable_offer' });
    });

    it('copies tracks to the destinations of a feed', async () => {
      scene = await MediaScene.open(underTest);
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
      scene = await MediaScene.open(underTest, { workers: 1, consumersPerWorker: 2 });
      const { peer } = await scene.publish();
      const { peer: viewer } = await scene.view(peer);
      const another = await scene.room.openViewer();
      const [track] = peer.tracks;
      const [capabilities] = viewer.capabilities;
      if (!track || !capabilities) throw new Error('no track');
      await expect(another.send(track, capabilities)).rejects.toMatchObject({ reason: 'capacity_reached' });
      await expect(scene.engine.openRoom('room_2')).rejects.toMatchObject({ reason: 'capacity_reached' });
      await viewer.sent[0]?.close();
      expect(await another.send(track, capabilities)).toBeDefined();
    });

    it('serves a room’s viewers by other workers when its own is full, and refuses them when all are', async () => {
      scene = await MediaScene.open(underTest, { workers: 2, consumersPerWorker: 2 });
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

    it('loses the viewers on another worker when that one dies, and nothing else', async () => {
      scene = await MediaScene.open(underTest, { workers: 2, consumersPerWorker: 2 });
      const { peer } = await scene.publish();
      const [here, there] = [await scene.view(peer), await scene.view(peer)];
      for (const { transport } of [here, there]) await transport.start();
      scene.room.onLost(() => {
        throw new Error('the room is on the first worker');
      });
      await underTest.killWorker(scene.engine, scene.engine.workerPids()[1]!);
      await waitFor(() => there.transport.state === 'closed', { what: 'the loss to be told' });
      expect(scene.engine.load().consumers).toBe(2);
      await arrives(here.peer);
      await waitFor(() => scene.engine.workerPids().length === 2, { what: 'a new worker' });
      const { transport, peer: back } = await scene.view(peer);
      await transport.start();
      await arrives(back);
    });

    it('loses the rooms of a media worker that dies, replaces it, and leaves the others alone', async () => {
      scene = await MediaScene.open(underTest, { workers: 2 });
      const [{ peer: here }, there] = [await scene.publish(), await scene.engine.openRoom('room_2')];
      const survivor = await scene.publish({}, there);
      const { peer: viewer, transport } = await scene.view(survivor.peer, there);
      await transport.start();
      const lost: string[] = [];
      scene.room.onLost(() => lost.push('room_1'));
      there.onLost(() => lost.push('room_2'));
      const [dying, staying] = scene.engine.workerPids();
      if (dying === undefined || staying === undefined) throw new Error('two workers are needed');
      const killedAt = Date.now();
      await underTest.killWorker(scene.engine, dying);
      await waitFor(() => lost.length > 0, { what: 'the loss to be told' });
      // One that only hangs is noticed after ten seconds.
      expect(Date.now() - killedAt).toBeLessThan(5_000);
      const isRoom1 = lost[0] === 'room_1';
      await waitFor(() => scene.engine.workerPids().length === 2, { what: 'a new worker' });
      expect(scene.engine.workerPids()).toContain(staying);
      expect(scene.engine.workerPids()).not.toContain(dying);
      expect(lost).toHaveLength(1);
      if (isRoom1) await arrives(viewer);
      else await mediaGoOn(here, 600);
      await (await scene.engine.openRoom(isRoom1 ? 'room_1' : 'room_2')).openPublisher();
    });
  });
}
