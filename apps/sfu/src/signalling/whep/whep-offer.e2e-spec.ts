import request from 'supertest';
import {
  chromiumPublishes,
  chromiumWatches,
  ffmpegPublishes,
  firefoxWatches,
  gstreamerWatches,
} from '../sdp/testing/client-offers.js';
import { pathOf } from '../whip/testing/test-publishing.js';
import { TestWatching } from './testing/test-watching.js';

describe('WHEP', () => {
  let watching: TestWatching;
  beforeEach(async () => {
    watching = await TestWatching.open();
  });
  afterEach(() => watching.close());

  describe('POST of an offer', () => {
    it('answers with the codec of the source and the payload types of the offer', async () => {
      await watching.publish();
      const response = await watching.watch().expect(201);
      expect(response.headers).toMatchObject({
        'content-type': 'application/sdp',
        'content-length': String(Buffer.byteLength(response.text)),
      });
      expect(pathOf(response.headers['location'])).toMatch(/^\/whep\/play_1\/[A-Za-z0-9_-]{32}$/);
      expect(response.headers['etag']).toMatch(/^"[^"]+"$/);
      expect(response.text).toContain('a=sendonly');
      expect(response.text).toContain('m=video 9 UDP/TLS/RTP/SAVPF 96 97');
    });

    it.each([
      ['Main', '4d001f', '116 117'],
      ['Constrained Baseline', '42e01f', '108 109'],
      ['Baseline', '42001f', '102 103'],
      ['High, under the number of Baseline', '640028', '102 103'],
    ])('shows H264 %s to a browser', async (_case, profile, numbers) => {
      await watching.publish(ffmpegPublishes(profile));
      const response = await watching.watch().expect(201);
      expect(response.text).toContain(`m=video 9 UDP/TLS/RTP/SAVPF ${numbers}\r\n`);
    });

    it('starts to send once the viewer is connected, with one keyframe request', async () => {
      const publisher = await watching.publish();
      await watching.watch().expect(201);
      const [viewer] = watching.node.engine.viewers;
      const started = () => [...(viewer?.sent ?? [])].map(sent => sent.started);
      const keyframes = () => publisher.tracks.map(({ kind, keyframeRequests }) => [kind, keyframeRequests]);
      await watching.plane.quiet();
      expect([started(), keyframes()]).toEqual([
        [false, false],
        [
          ['audio', 0],
          ['video', 0],
        ],
      ]);
      viewer?.peerConnects();
      expect(await watching.playbackFacts()).toEqual([{ type: 'playback.active', viewerCount: 1 }]);
      expect([started(), keyframes()]).toEqual([
        [true, true],
        [
          ['audio', 0],
          ['video', 1],
        ],
      ]);
    });

    it('answers 409 with Retry-After while nobody publishes', async () => {
      const response = await watching.watch().expect(409);
      expect(response.body).toMatchObject({ code: 'CONFLICT', reason: 'source_not_active' });
      expect(response.headers['retry-after']).toBe('2');
    });

    it.each([
      ['Firefox, whose numbers differ', firefoxWatches(), 'audio'],
      ['GStreamer, when the source sends another codec', gstreamerWatches(), 'video'],
    ])('answers 406 with the payload profile to %s', async (_case, offer) => {
      await watching.publish();
      const response = await watching.watch(offer).expect(406);
      expect(response.body).toMatchObject({ success: false, code: 'PAYLOAD_TYPE_MISMATCH' });
      const { codecs } = (response.body as { payloadProfile: { codecs: unknown[] } }).payloadProfile;
      expect(codecs).toContainEqual(expect.objectContaining({ mimeType: 'audio/opus', payloadType: 111 }));
      expect(watching.node.engine.viewers).toEqual([]);
    });

    describe('with adaptive payload matching', () => {
      beforeEach(async () => {
        await watching.node.openPlayback('play_3', 'ext_1', ['audio', 'video'], 'adaptive');
        watching.token = await watching.plane.playbackToken('play_3');
      });

      const adapted = (offer: string) => watching.watch(offer, '/whep/play_3');

      it.each([
        ['Firefox', firefoxWatches(), chromiumPublishes(), '109', '120 124'],
        ['Firefox, of H264 Main', firefoxWatches(), ffmpegPublishes('4d001f'), '109', '126 127'],
        ['GStreamer', gstreamerWatches(), ffmpegPublishes('42e01f'), '111', '96'],
        ['Chromium', chromiumWatches(), chromiumPublishes(), '111', '96 97'],
      ])('answers %s by its own numbers', async (_case, offer, published, audio, video) => {
        await watching.publish(published);
        const { text } = await adapted(offer).expect(201);
        expect(text).toContain(`m=audio 9 UDP/TLS/RTP/SAVPF ${audio}\r\n`);
        expect(text).toContain(`m=video 9 UDP/TLS/RTP/SAVPF ${video}\r\n`);
      });

      it('answers 406 with the payload profile if no codec fits', async () => {
        await watching.publish();
        const response = await adapted(gstreamerWatches()).expect(406);
        expect(response.body).toMatchObject({ success: false, code: 'PAYLOAD_TYPE_MISMATCH' });
        expect(response.body).toHaveProperty('payloadProfile.codecs');
        expect(watching.node.engine.viewers).toEqual([]);
      });

      it('sends a publisher that reconnects with the same codec and payload types', async () => {
        const publisher = await watching.publish();
        await adapted(firefoxWatches()).expect(201);
        watching.node.engine.viewers[0]?.peerConnects();
        publisher.peerVanishes();
        await watching.publish();
        const numbers = () =>
          [...(watching.node.engine.viewers[0]?.sent ?? [])]
            .filter(sent => sent.started && !sent.source.closed)
            .map(sent => sent.rtpParameters.codecs[0]?.payloadType);
        expect(numbers().sort()).toEqual([109, 120]);
      });
    });

    it('leaves a section inactive if the playback lacks its kind', async () => {
      await watching.publish();
      await watching.node.openPlayback('play_2', 'ext_1', ['video']);
      const response = await request(watching.node.server)
        .post('/whep/play_2')
        .set('Authorization', `Bearer ${await watching.plane.playbackToken('play_2')}`)
        .set('Content-Type', 'application/sdp')
        .send(chromiumWatches())
        .expect(201);
      expect(response.text.split('m=')[1]).toContain('a=inactive');
      expect(response.text.split('m=')[2]).toContain('a=sendonly');
    });

    it('refuses offers that send, other types, and an ingest token', async () => {
      await watching.publish();
      await watching.watch(chromiumPublishes()).expect(422);
      await watching.watch('hello').expect(400);
      await watching.watch().set('Content-Type', 'text/plain').expect(415);
      watching.token = await watching.plane.ingestToken('play_1');
      await watching.watch().expect(401);
    });
  });

  describe('reading the endpoint', () => {
    const read = (accept: string) =>
      request(watching.node.server)
        .get('/whep/play_1')
        .set('Accept', accept)
        .set('Authorization', `Bearer ${watching.token}`);

    it('returns the payload profile as JSON with a token', async () => {
      const response = await read('application/json').expect(200);
      expect(response.body).toEqual({ success: true, payloadProfile: watching.node.engine.payloadProfile });
      await request(watching.node.server).get('/whep/play_1').set('Accept', 'application/json').expect(401);
    });

    it('returns no content otherwise, and its type to HEAD', async () => {
      await read('*/*').expect(204);
      const response = await request(watching.node.server).head('/whep/play_1').expect(200);
      expect(response.headers['content-type']).toBe('application/sdp');
    });
  });
});
