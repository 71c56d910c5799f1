import { waitFor } from '@rtms/testing';
import type { PublishedTrack, TransportState } from './media-engine.js';
import { sentAs } from './codecs.js';
import type { PayloadNumbers } from './payload-numbers.js';
import type { PublishingPeer, PublishOptions, ViewingPeer, ViewOptions } from './testing/media-peer.js';
import { arrives, becomes, MediaScenes, type EngineUnderTest, type MediaScene } from './testing/media-scene.js';

const h264 = { payloadType: 106, codec: 'H264', profile: '42e01f' } as const;

/** The behaviour that signalling needs for viewers, on this node and on other nodes. */
export function describeViewers(name: string, underTest: EngineUnderTest): void {
  describe(`viewers of ${name}`, () => {
    const scenes = new MediaScenes(underTest);
    let scene: MediaScene;

    afterEach(() => scenes.closeScenes());
    afterAll(() => scenes.close());

    it('receives a track with the publisher’s payload type and sends it with the payload profile’s', async () => {
      scene = await scenes.open();
      const { peer } = await scene.publish({ video: h264 });
      expect(peer.tracks.map(({ codec }) => codec.payloadType)).toEqual([111, 106]);
      const { peer: viewer } = await scene.view(peer);
      expect(viewer.sent.map(sent => sent.rtpParameters.codecs[0]?.payloadType)).toEqual([111, 108]);
      expect(viewer.sent.map(sent => sent.trackID)).toEqual(peer.tracks.map(track => track.trackID));
      for (const { rtpParameters } of viewer.sent) expect(rtpParameters.encodings[0]?.ssrc).toEqual(expect.any(Number));
    });

    it.each(['640c1f', '64001f'])('sends H264 of profile %s under the number of 42001f', async profile => {
      scene = await scenes.open();
      const { peer } = await scene.publish({ video: { ...h264, profile } });
      expect(peer.tracks[1]?.codec.parameters['profile-level-id']).toBe(profile);
      const { peer: viewer, transport } = await scene.view(peer);
      expect(viewer.sent[1]?.rtpParameters.codecs[0]?.payloadType).toBe(102);
      await transport.start();
      await arrives(viewer);
    });

    it('sends nothing before the start, and all tracks after it', async () => {
      scene = await scenes.open();
      const { peer } = await scene.publish();
      const { peer: viewer, transport } = await scene.view(peer);
      const { peer: witness, transport: started } = await scene.view(peer);
      expect(transport.state).toBe('connected');
      await started.start();
      for (const _time of [1, 2]) await arrives(witness);
      expect([viewer.received('audio'), viewer.received('video')]).toEqual([0, 0]);
      await transport.start();
      await arrives(viewer);
    });

    it('measures no video before the start', async () => {
      scene = await scenes.open();
      const { peer } = await scene.publish();
      const { transport } = await scene.view(peer);
      expect(await transport.measure()).toBeUndefined();
    });

    it('measures the video that a viewer receives', async () => {
      scene = await scenes.open();
      const { peer } = await scene.publish();
      const { peer: viewer, transport } = await scene.view(peer);
      await transport.start();
      await arrives(viewer);
      const measured = await transport.measure();
      expect(measured).toMatchObject({ trackID: peer.tracks[1]?.trackID, lost: 0 });
      expect(measured?.packets).toBeGreaterThan(0);
    });

    it('requests a keyframe when a viewer starts', async () => {
      scene = await scenes.open();
      const { peer } = await scene.publish();
      const { transport } = await scene.view(peer);
      expect(peer.keyframeRequests()).toBe(0);
      const asked = peer.nextKeyframeRequest();
      await transport.start();
      await asked;
    });

    it('sends no track that the viewer has no payload type for', async () => {
      scene = await scenes.open();
      const { peer } = await scene.publish();
      const viewer = await scene.room.openViewer();
      const [, video] = peer.tracks;
      if (!video) throw new Error('no video');
      const codecs = [{ ...video.codec, payloadType: 120 }];
      expect(await viewer.send(video, { kind: 'video', mid: '1', codecs, headerExtensions: [] })).toBeUndefined();
      expect(scene.engine.load().consumers).toBe(0);
    });

    it('replaces the former tracks when a publisher reconnects', async () => {
      scene = await scenes.open();
      const first = await scene.publish();
      const { peer: viewer, transport } = await scene.view(first.peer);
      await transport.start();
      await arrives(viewer);
      const second = await scene.publish();
      for (const capabilities of viewer.capabilities) {
        const track = second.peer.tracks.find(({ kind }) => kind === capabilities.kind);
        expect(track && (await transport.send(track, capabilities))?.trackID).toBe(track?.trackID);
      }
      expect(scene.engine.load().consumers).toBe(2);
      await first.transport.close();
      expect(scene.engine.load().consumers).toBe(2);
      await transport.start();
    });

    it('pauses and resumes a track', async () => {
      scene = await scenes.open();
      const { peer } = await scene.publish();
      const { peer: viewer, transport } = await scene.view(peer);
      await transport.start();
      await arrives(viewer);
      await peer.tracks[1]?.pause();
      await expectSilence(viewer);
      await peer.tracks[1]?.resume();
      await arrives(viewer);
    });

    it('closes the viewers’ tracks with the publisher', async () => {
      scene = await scenes.open();
      const { peer, transport } = await scene.publish();
      const { peer: viewer } = await scene.view(peer);
      expect(scene.engine.load()).toMatchObject({ consumers: 2, publishers: 1 });
      await transport.close();
      await scene.settle();
      expect(scene.engine.load()).toMatchObject({ consumers: 0, publishers: 0 });
      await Promise.all(viewer.sent.map(sent => sent.close()));
    });

    describe('to a viewer with its own payload types', () => {
      const numbered: ViewOptions = { audio: 109, video: { payloadType: 120, codec: 'VP8', rtx: 124 } };

      /** The payload types that signalling reads from the offer. */
      function numbersOf(tracks: PublishedTrack[], { audio = 111, video }: ViewOptions): PayloadNumbers {
        return tracks.flatMap(({ kind, codec }) => {
          const payloadType = kind === 'audio' ? audio : (video?.payloadType ?? 96);
          const rtx = kind === 'video' ? video?.rtx : undefined;
          const own = sentAs(codec);
          return own ? [{ codec: own, payloadType, ...(rtx !== undefined && { rtxPayloadType: rtx }) }] : [];
        });
      }

      async function connectBy(options: ViewOptions, { tracks }: PublishingPeer) {
        const transport = await scene.room.openViewer(numbersOf(tracks, options));
        return { transport, peer: await scene.driver.view(transport, tracks, options) };
      }

      async function viewBy(options: ViewOptions, publisher: PublishingPeer) {
        const viewer = await connectBy(options, publisher);
        await viewer.transport.start();
        return viewer;
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
        scene = await scenes.open();
        const { peer } = await scene.publish(published);
        const { peer: viewer } = await viewBy(options, peer);
        await arrives(viewer);
        expect(viewer.payloadTypes('audio')).toEqual([options.audio]);
        expect(viewer.payloadTypes('video')).toEqual([options.video?.payloadType]);
        const [audio, video] = ['audio', 'video'].map(kind => viewer.sent.find(sent => sent.kind === kind));
        const listed = [audio, video].map(sent => sent?.rtpParameters.codecs.map(({ payloadType }) => payloadType));
        expect(listed).toEqual([[options.audio], [options.video?.payloadType, options.video?.rtx].filter(Boolean)]);
      });

      it('sends nothing before the start, and all tracks after it', async () => {
        scene = await scenes.open();
        const { peer } = await scene.publish();
        const { peer: viewer, transport } = await connectBy(numbered, peer);
        const { peer: witness } = await viewBy(numbered, peer);
        expect(transport.state).toBe('connected');
        for (const _time of [1, 2]) await arrives(witness);
        expect([viewer.received('audio'), viewer.received('video')]).toEqual([0, 0]);
        await transport.start();
        await arrives(viewer);
      });

      it('sends beside viewers with the room’s payload types', async () => {
        scene = await scenes.open();
        const { peer } = await scene.publish();
        const viewers = [(await viewBy(numbered, peer)).peer, (await viewBy(numbered, peer)).peer];
        const plain = await scene.view(peer);
        await plain.transport.start();
        for (const viewer of [...viewers, plain.peer]) await arrives(viewer);
        expect(plain.peer.payloadTypes('video')).toEqual([96]);
      });

      it('pauses and resumes with the track', async () => {
        scene = await scenes.open();
        const { peer } = await scene.publish();
        const { peer: viewer } = await viewBy(numbered, peer);
        await arrives(viewer);
        await peer.tracks[1]?.pause();
        await expectSilence(viewer);
        await peer.tracks[1]?.resume();
        await arrives(viewer);
      });

      it('continues when the publisher reconnects', async () => {
        scene = await scenes.open();
        const { peer: first, transport: former } = await scene.publish();
        const { transport, peer: viewer } = await viewBy(numbered, first);
        await arrives(viewer);
        await former.close();
        const { peer: second } = await scene.publish();
        for (const section of viewer.capabilities) {
          const track = second.tracks.find(({ kind }) => kind === section.kind);
          const sent = track && (await transport.send(track, section));
          expect(sent?.rtpParameters.codecs[0]?.payloadType).toBe(section.kind === 'audio' ? 109 : 120);
        }
        expect(scene.engine.load().consumers).toBe(2);
      });

      it('closes when the media worker dies, and can be reopened', async () => {
        scene = await scenes.open();
        const { peer } = await scene.publish();
        const { transport } = await viewBy(numbered, peer);
        const closed = becomes(transport, 'closed');
        await underTest.killWorker(scene.engine, scene.engine.workerPids()[0]!);
        await closed;
        scene.room = await scene.engine.openRoom(scene.room.meetingID);
        const again = await scene.publish();
        await arrives((await viewBy(numbered, again.peer)).peer);
      });
    });

    it('changes the credentials for an ICE restart', async () => {
      scene = await scenes.open();
      const transport = await scene.room.openViewer();
      const before = transport.ice;
      const after = await transport.restartIce();
      expect(after.usernameFragment).not.toBe(before.usernameFragment);
      expect(after.candidates).toEqual(before.candidates);
      expect(transport.ice).toEqual(after);
    });

    it('can be closed twice at every level, and refuses later calls', async () => {
      scene = await scenes.open();
      const { peer, transport } = await scene.publish();
      const { peer: viewer, transport: viewing } = await scene.view(peer);
      const states: TransportState[] = [];
      viewing.onStateChange(state => states.push(state));
      const opened = [...viewer.sent, ...peer.tracks, viewing, transport, scene.room];
      for (const each of [...opened, ...opened]) await each.close();
      expect(states).toEqual(['closed']);
      for (const late of [() => scene.room.openViewer(), () => viewing.restartIce(), () => transport.restartIce()])
        await expect(late()).rejects.toMatchObject({ reason: 'controller_unavailable' });
      expect(scene.engine.load()).toMatchObject({ consumers: 0, publishers: 0 });
      expect(await scene.engine.openRoom(scene.room.meetingID)).not.toBe(scene.room);
    });
  });
}

/** No video arrives any more, while audio goes on. */
async function expectSilence(viewer: ViewingPeer): Promise<void> {
  // Packets may be under way, many of them after a delay of this process.
  const isSilent = async () => {
    const before = viewer.received('video');
    for (const _time of [1, 2, 3]) await viewer.arrives('audio');
    return viewer.received('video') === before;
  };
  await waitFor(isSilent, { what: 'audio without video' });
}
