import { waitFor } from '@rtms/testing';
import type { FeedDestination } from '@rtms/contracts';
import type { MediaEngine, MediaRoom, TransportState } from './media-engine.js';
import type { PublishedTrack } from './media-engine.js';
import { sentAs } from './match-codec.js';
import type { PayloadNumbers } from './payload-numbers.js';
import type { PeerDriver, PublishingPeer, PublishOptions, ViewingPeer, ViewOptions } from './testing/media-peer.js';

export interface EngineUnderTest {
  start(options: { workers: number; consumersPerWorker?: number }): Promise<MediaEngine>;
  driver(): PeerDriver;
  killWorker(engine: MediaEngine, pid: number): Promise<void>;
}

interface Publishing {
  peer: PublishingPeer;
  transport: Awaited<ReturnType<MediaRoom['openPublisher']>>;
}

const h264 = { payloadType: 106, codec: 'H264', profile: '42e01f' } as const;

/** What signalling relies on, whichever engine it has. */
export function describeMediaEngine(name: string, underTest: EngineUnderTest): void {
  describe(`${name} as a media engine`, () => {
    let engine: MediaEngine;
    let driver: PeerDriver;
    let room: MediaRoom;

    async function begin(options = { workers: 1 } as Parameters<EngineUnderTest['start']>[0]): Promise<void> {
      engine = await underTest.start(options);
      driver = underTest.driver();
      room = await engine.openRoom('room_1');
    }

    async function publish(options?: PublishOptions, into = room): Promise<Publishing> {
      const transport = await into.openPublisher();
      const peer = await driver.publish(transport, options);
      peer.sendMedia();
      await waitFor(() => peer.tracks.every(track => track.lastReceivedAt()), { what: 'RTP of every track' });
      return { peer, transport };
    }

    async function view({ tracks }: PublishingPeer, from = room) {
      const transport = await from.openViewer();
      return { transport, peer: await driver.view(transport, tracks) };
    }

    /** Until both kinds arrive anew. */
    async function arrives(peer: ViewingPeer): Promise<void> {
      const before = { audio: peer.received('audio'), video: peer.received('video') };
      await waitFor(() => peer.received('audio') > before.audio && peer.received('video') > before.video, {
        what: 'the viewer to receive audio and video',
      });
    }

    /** Until the publisher's RTP has gone on for `ms`. */
    async function mediaGoOn({ tracks }: PublishingPeer, ms: number): Promise<void> {
      const end = Date.now() + ms;
      await waitFor(() => tracks.every(track => (track.lastReceivedAt() ?? 0) > end), { what: 'RTP to go on' });
    }

    afterEach(async () => {
      await driver.close();
      await engine.close();
    });

    it('gives a room one place, however often it is opened', async () => {
      await begin({ workers: 2 });
      expect(await engine.openRoom('room_1')).toBe(room);
      expect(await engine.openRoom('room_2')).not.toBe(room);
    });

    it('opens a transport with credentials, a fingerprint, and candidates over UDP and passive TCP', async () => {
      await begin();
      const { ice, fingerprints, state } = await room.openPublisher();
      expect(ice.usernameFragment.length).toBeGreaterThanOrEqual(4);
      expect(ice.password.length).toBeGreaterThanOrEqual(22);
      expect(ice.candidates.map(({ protocol, tcpType }) => tcpType ?? protocol).sort()).toEqual(['passive', 'udp']);
      expect(fingerprints.map(({ algorithm }) => algorithm)).toContain('sha-256');
      expect(state).toBe('new');
    });

    it('tells when a publisher connects, and once a track when its RTP begins', async () => {
      await begin();
      const transport = await room.openPublisher();
      const states: TransportState[] = [];
      transport.onStateChange(state => states.push(state));
      const peer = await driver.publish(transport);
      let begun = 0;
      for (const track of peer.tracks) track.onReceiving(() => begun++);
      expect(peer.tracks.map(track => track.lastReceivedAt())).toEqual([undefined, undefined]);
      peer.sendMedia();
      await waitFor(() => begun > 0, { what: 'RTP to begin' });
      await mediaGoOn(peer, 600);
      expect(begun).toBe(2);
      expect(states).toEqual(['connected']);
      expect(engine.load().publishers).toBe(1);
    });

    it('shows a track by its publisher’s own number and sends it by the numbers of the payload profile', async () => {
      await begin();
      const { peer } = await publish({ video: h264 });
      expect(peer.tracks.map(({ codec }) => codec.payloadType)).toEqual([111, 106]);
      const { peer: viewer } = await view(peer);
      expect(viewer.sent.map(sent => sent.rtpParameters.codecs[0]?.payloadType)).toEqual([111, 108]);
      expect(viewer.sent.map(sent => sent.trackID)).toEqual(peer.tracks.map(track => track.trackID));
      for (const { rtpParameters } of viewer.sent) expect(rtpParameters.encodings[0]?.ssrc).toEqual(expect.any(Number));
    });

    it.each(['640c1f', '64001f'])('sends H264 of profile %s under the number of 42001f', async profile => {
      await begin();
      const { peer } = await publish({ video: { ...h264, profile } });
      expect(peer.tracks[1]?.codec.parameters['profile-level-id']).toBe(profile);
      const { peer: viewer, transport } = await view(peer);
      expect(viewer.sent[1]?.rtpParameters.codecs[0]?.payloadType).toBe(102);
      await transport.start();
      await arrives(viewer);
    });

    it('tells how tracks arrive', async () => {
      await begin();
      const { peer } = await publish();
      await mediaGoOn(peer, 600);
      const [audio, video] = peer.tracks as [PublishedTrack, PublishedTrack];
      expect((await audio.reception()).packetsReceived).toBeGreaterThan(0);
      expect(await audio.reception()).toMatchObject({ packetsLost: 0, fractionLost: 0, width: null, frameRate: null });
      await waitFor(async () => (await video.reception()).frameRate !== null, { what: 'a frame rate' });
      expect((await video.reception()).bitrate).toBeGreaterThan(0);
    });

    it('sends nothing before the start, and everything after it', async () => {
      await begin();
      const { peer } = await publish();
      const { peer: viewer, transport } = await view(peer);
      expect(transport.state).toBe('connected');
      await mediaGoOn(peer, 300);
      expect([viewer.received('audio'), viewer.received('video')]).toEqual([0, 0]);
      await transport.start();
      await arrives(viewer);
    });

    it('asks the publisher for a keyframe when a viewer starts', async () => {
      await begin();
      const { peer } = await publish();
      const { transport } = await view(peer);
      await mediaGoOn(peer, 1_000);
      const before = peer.keyframeRequests();
      await transport.start();
      await waitFor(() => peer.keyframeRequests() > before, { what: 'a keyframe request' });
    });

    it('asks for a keyframe on demand, but never a publisher that offers no feedback', async () => {
      await begin();
      const { peer } = await publish();
      await mediaGoOn(peer, 1_000);
      const before = peer.keyframeRequests();
      await peer.tracks[1]?.requestKeyframe();
      await waitFor(() => peer.keyframeRequests() > before, { what: 'a keyframe request' });
      await peer.tracks[0]?.requestKeyframe();
    });

    it('does not send a viewer what it has no number for', async () => {
      await begin();
      const { peer } = await publish();
      const viewer = await room.openViewer();
      const [, video] = peer.tracks;
      if (!video) throw new Error('no video');
      const codecs = [{ ...video.codec, payloadType: 120 }];
      expect(await viewer.send(video, { kind: 'video', mid: '1', codecs, headerExtensions: [] })).toBeUndefined();
      expect(engine.load().consumers).toBe(0);
    });

    it('puts the tracks of a publisher that came back in the former ones’ places', async () => {
      await begin();
      const first = await publish();
      const { peer: viewer, transport } = await view(first.peer);
      await transport.start();
      await arrives(viewer);
      const second = await publish();
      for (const capabilities of viewer.capabilities) {
        const track = second.peer.tracks.find(({ kind }) => kind === capabilities.kind);
        expect(track && (await transport.send(track, capabilities))?.trackID).toBe(track?.trackID);
      }
      expect(engine.load().consumers).toBe(2);
      await first.transport.close();
      expect(engine.load().consumers).toBe(2);
      await transport.start();
    });

    it('pauses and resumes a track', async () => {
      await begin();
      const { peer } = await publish();
      const { peer: viewer, transport } = await view(peer);
      await transport.start();
      await arrives(viewer);
      await peer.tracks[1]?.pause();
      const paused = viewer.received('video');
      await mediaGoOn(peer, 1_000);
      expect(viewer.received('video')).toBeLessThan(paused + 10);
      await peer.tracks[1]?.resume();
      await waitFor(() => viewer.received('video') > paused + 10, { what: 'video again' });
    });

    it('closes what viewers are sent with the publisher', async () => {
      await begin();
      const { peer, transport } = await publish();
      const { peer: viewer } = await view(peer);
      expect(engine.load()).toEqual({ consumers: 2, capacity: 400, publishers: 1 });
      await transport.close();
      await waitFor(() => engine.load().consumers === 0, { what: 'no consumers' });
      expect(engine.load().publishers).toBe(0);
      await Promise.all(viewer.sent.map(sent => sent.close()));
    });

    it('tells when a publisher goes away', async () => {
      await begin();
      const { peer, transport } = await publish();
      await peer.vanish();
      await waitFor(() => transport.state === 'lost', { what: 'the publisher to be lost', timeoutMs: 12_000 });
    });

    it('changes the credentials for an ICE restart', async () => {
      await begin();
      const transport = await room.openPublisher();
      const before = transport.ice;
      const after = await transport.restartIce();
      expect(after.usernameFragment).not.toBe(before.usernameFragment);
      expect(after.candidates).toEqual(before.candidates);
      expect(transport.ice).toEqual(after);
    });

    it('refuses an offer without a codec that it knows', async () => {
      await begin();
      const transport = await room.openPublisher();
      const codec = { mimeType: 'video/H265', payloadType: 96, clockRate: 90_000, parameters: {}, rtcpFeedback: [] };
      const offer = { mid: '0', codecs: [codec], headerExtensions: [], encodings: [{ ssrc: 1 }], rtcp: {} };
      await expect(transport.publish('video', offer)).rejects.toMatchObject({ reason: 'unacceptable_offer' });
    });

    describe('to a viewer by numbers of its own', () => {
      const numbered: ViewOptions = { audio: 109, video: { payloadType: 120, codec: 'VP8', rtx: 124 } };

      /** Its numbers as signalling takes them from its offer. */
      function numbersOf(tracks: PublishedTrack[], { audio = 111, video }: ViewOptions): PayloadNumbers {
        return tracks.flatMap(({ kind, codec }) => {
          const payloadType = kind === 'audio' ? audio : (video?.payloadType ?? 96);
          const rtx = kind === 'video' ? video?.rtx : undefined;
          const own = sentAs(codec);
          return own ? [{ codec: own, payloadType, ...(rtx !== undefined && { rtxPayloadType: rtx }) }] : [];
        });
      }

      async function viewBy(options: ViewOptions, { tracks }: PublishingPeer) {
        const transport = await room.openViewer(numbersOf(tracks, options));
        const peer = await driver.view(transport, tracks, options);
        await transport.start();
        return { transport, peer };
      }

      it.each<[string, PublishOptions, ViewOptions]>([
        ['VP8 by Firefox’s numbers', {}, numbered],
        ['H264 by GStreamer’s', { video: h264 }, { audio: 111, video: { payloadType: 96, codec: 'H264' } }],
        [
          'H264 Main as Constrained Baseline',
          { video: { ...h264, profile: '4d001f' } },
          { audio: 109, video: { payloadType: 126, codec: 'H264', rtx: 127 } },
        ],
      ])('sends %s', async (_case, published, options) => {
        await begin();
        const { peer } = await publish(published);
        const { peer: viewer } = await viewBy(options, peer);
        await arrives(viewer);
        expect(viewer.payloadTypes('audio')).toEqual([options.audio]);
        expect(viewer.payloadTypes('video')).toEqual([options.video?.payloadType]);
        const [audio, video] = ['audio', 'video'].map(kind => viewer.sent.find(sent => sent.kind === kind));
        const listed = [audio, video].map(sent => sent?.rtpParameters.codecs.map(({ payloadType }) => payloadType));
        expect(listed).toEqual([[options.audio], [options.video?.payloadType, options.video?.rtx].filter(Boolean)]);
      });

      it('sends beside viewers with the numbers of the room', async () => {
        await begin();
        const { peer } = await publish();
        const viewers = [(await viewBy(numbered, peer)).peer, (await viewBy(numbered, peer)).peer];
        const plain = await view(peer);
        await plain.transport.start();
        for (const viewer of [...viewers, plain.peer]) await arrives(viewer);
        expect(plain.peer.payloadTypes('video')).toEqual([96]);
      });

      it('stops and goes on with a track that is paused', async () => {
        await begin();
        const { peer } = await publish();
        const { peer: viewer } = await viewBy(numbered, peer);
        await arrives(viewer);
        for (const track of peer.tracks) await track.pause();
        await mediaGoOn(peer, 300);
        const before = viewer.received('video');
        await mediaGoOn(peer, 500);
        expect(viewer.received('video') - before).toBeLessThan(5);
        for (const track of peer.tracks) await track.resume();
        await arrives(viewer);
      });

      it('goes on when the publisher comes back', async () => {
        await begin();
        const { peer: first, transport: former } = await publish();
        const { transport, peer: viewer } = await viewBy(numbered, first);
        await arrives(viewer);
        await former.close();
        const { peer: second } = await publish();
        for (const section of viewer.capabilities) {
          const track = second.tracks.find(({ kind }) => kind === section.kind);
          const sent = track && (await transport.send(track, section));
          expect(sent?.rtpParameters.codecs[0]?.payloadType).toBe(section.kind === 'audio' ? 109 : 120);
        }
        expect(engine.load().consumers).toBe(2);
      });

      it('is closed when the media worker dies, and can be opened anew', async () => {
        await begin();
        const { peer } = await publish();
        const { transport } = await viewBy(numbered, peer);
        const [pid] = engine.workerPids();
        await underTest.killWorker(engine, pid ?? 0);
        await waitFor(() => transport.state === 'closed', { what: 'the viewer to be closed' });
        await waitFor(() => engine.workerPids().length === 1, { what: 'a new worker' });
        room = await engine.openRoom('room_1');
        const again = await publish();
        await arrives((await viewBy(numbered, again.peer)).peer);
      });
    });

    it('copies tracks to the destinations of a feed', async () => {
      await begin();
      const { peer } = await publish({ video: h264 });
      const destinations: FeedDestination[] = [
        { kind: 'video', ip: '127.0.0.1', rtpPort: 9, rtcpPort: 10 },
        { kind: 'audio', ip: '127.0.0.1', rtpPort: 11, rtcpPort: 12 },
      ];
      const feed = await room.openFeed(peer.tracks, destinations);
      const shape = feed.tracks.map(({ kind, codec, clockRate }) => [kind, codec.toLowerCase(), clockRate]);
      expect(shape.sort()).toEqual([
        ['audio', 'opus', 48_000],
        ['video', 'h264', 90_000],
      ]);
      expect(new Set(feed.tracks.map(track => track.ssrc)).size).toBe(2);
      expect(engine.load().consumers).toBe(0);
      await feed.close();
      await feed.close();
    });

    it('refuses viewers beyond the budget, and rooms when all workers are full', async () => {
      await begin({ workers: 1, consumersPerWorker: 2 });
      const { peer } = await publish();
      const { peer: viewer } = await view(peer);
      const another = await room.openViewer();
      const [track] = peer.tracks;
      const [capabilities] = viewer.capabilities;
      if (!track || !capabilities) throw new Error('no track');
      await expect(another.send(track, capabilities)).rejects.toMatchObject({ reason: 'capacity_reached' });
      await expect(engine.openRoom('room_2')).rejects.toMatchObject({ reason: 'capacity_reached' });
      await viewer.sent[0]?.close();
      expect(await another.send(track, capabilities)).toBeDefined();
    });

    it('serves a room’s viewers by other workers when its own is full, and refuses them when all are', async () => {
      await begin({ workers: 2, consumersPerWorker: 2 });
      const { peer } = await publish();
      const viewers = [await view(peer), await view(peer)];
      for (const { transport, peer: viewer } of viewers) {
        await transport.start();
        await arrives(viewer);
      }
      expect(engine.load().consumers).toBe(4);
      await expect(view(peer)).rejects.toMatchObject({ reason: 'capacity_reached' });
      await viewers[1]?.transport.close();
      const { transport, peer: next } = await view(peer);
      await transport.start();
      await arrives(next);
    });

    it('loses the viewers on another worker when that one dies, and nothing else', async () => {
      await begin({ workers: 2, consumersPerWorker: 2 });
      const { peer } = await publish();
      const [here, there] = [await view(peer), await view(peer)];
      for (const { transport } of [here, there]) await transport.start();
      room.onLost(() => {
        throw new Error('the room is on the first worker');
      });
      await underTest.killWorker(engine, engine.workerPids()[1]!);
      await waitFor(() => there.transport.state === 'closed', { what: 'the loss to be told', timeoutMs: 2_000 });
      expect(engine.load().consumers).toBe(2);
      await arrives(here.peer);
      await waitFor(() => engine.workerPids().length === 2, { what: 'a new worker' });
      const { transport, peer: back } = await view(peer);
      await transport.start();
      await arrives(back);
    });

    it('can be closed twice at every level, and says so to those who come later', async () => {
      await begin();
      const { peer, transport } = await publish();
      const { peer: viewer, transport: viewing } = await view(peer);
      const states: TransportState[] = [];
      viewing.onStateChange(state => states.push(state));
      const opened = [...viewer.sent, ...peer.tracks, viewing, transport, room];
      for (const each of [...opened, ...opened]) await each.close();
      expect(states).toEqual(['closed']);
      for (const late of [() => room.openViewer(), () => viewing.restartIce(), () => transport.restartIce()])
        await expect(late()).rejects.toMatchObject({ reason: 'controller_unavailable' });
      expect(engine.load()).toMatchObject({ consumers: 0, publishers: 0 });
      expect(await engine.openRoom('room_1')).not.toBe(room);
    });

    it('loses the rooms of a media worker that dies, replaces it, and leaves the others alone', async () => {
      await begin({ workers: 2 });
      const [{ peer: here }, there] = [await publish(), await engine.openRoom('room_2')];
      const survivor = await publish({}, there);
      const { peer: viewer, transport } = await view(survivor.peer, there);
      await transport.start();
      const lost: string[] = [];
      room.onLost(() => lost.push('room_1'));
      there.onLost(() => lost.push('room_2'));
      const [dying, staying] = engine.workerPids();
      if (dying === undefined || staying === undefined) throw new Error('two workers are needed');
      const killedAt = Date.now();
      await underTest.killWorker(engine, dying);
      await waitFor(() => lost.length > 0, { what: 'the loss to be told', timeoutMs: 2_000 });
      expect(Date.now() - killedAt).toBeLessThan(2_000);
      const isRoom1 = lost[0] === 'room_1';
      await waitFor(() => engine.workerPids().length === 2, { what: 'a new worker' });
      expect(engine.workerPids()).toContain(staying);
      expect(engine.workerPids()).not.toContain(dying);
      expect(lost).toHaveLength(1);
      if (isRoom1) await arrives(viewer);
      else await mediaGoOn(here, 600);
      await (await engine.openRoom(isRoom1 ? 'room_1' : 'room_2')).openPublisher();
    });
  });
}
