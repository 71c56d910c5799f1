/** @weight 0.3 */
import { sfuCommands } from '@rtms/contracts';
import request from 'supertest';
import type { MemoryPublisher } from '../media/memory/memory-publisher.js';
import {
  chromiumPublishes,
  chromiumWatches,
  ffmpegPublishes,
  firefoxWatches,
  gstreamerWatches,
} from '../sdp/testing/client-offers.js';
import { TestNode, TestPlane } from '../testing/sfu-harness.js';

let plane: TestPlane;
let node: TestNode;
let token: string;

beforeEach(async () => {
  plane = await TestPlane.open();
  node = await TestNode.open(plane);
  await node.openSession('ext_1');
  await node.openPlayback('play_1', 'ext_1');
  token = await plane.playbackToken('play_1');
});

afterEach(() => node.close());

async function publish(offer = chromiumPublishes()): Promise<MemoryPublisher> {
  const ingest = await plane.ingestToken('ext_1');
  await request(node.server)
    .post('/whip/ext_1')
    .set('Authorization', `Bearer ${ingest}`)
    .set('Content-Type', 'application/sdp')
    .send(offer)
    .expect(201);
  const publisher = node.engine.publishers.at(-1);
  if (!publisher) throw new Error('There is no publisher.');
  publisher.peerConnects();
  for (const track of publisher.tracks) track.receiveRtp();
  await plane.quiet();
  return publisher;
}

/** Moves the clock while the publishers go on sending. */
async function pass(milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= 1_000) {
    for (const { tracks } of node.engine.publishers) tracks.forEach(track => track.receiveRtp());
    await plane.pass(Math.min(left, 1_000));
  }
}

function watch(offer = chromiumWatches(), at = '/whep/play_1') {
  return request(node.server)
    .post(at)
    .set('Authorization', `Bearer ${token}`)
    .set('Content-Type', 'application/sdp')
    .send(offer);
}

const pathOf = (location: string | undefined): string => new URL(location ?? '').pathname;
const leave = (path: string) => request(node.server).delete(path).set('Authorization', `Bearer ${token}`);

/** All facts about the playback, once everything is quiet. */
async function playbackFacts() {
  await plane.quiet();
  return plane.factsOf('play_1');
}

describe('POST of an offer', () => {
  it('answers what the source sends by the numbers of the offer', async () => {
    await publish();
    const response = await watch().expect(201);
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
    await publish(ffmpegPublishes(profile));
    const response = await watch().expect(201);
    expect(response.text).toContain(`m=video 9 UDP/TLS/RTP/SAVPF ${numbers}\r\n`);
  });

  it('starts to send once the viewer is connected, with one keyframe request', async () => {
    const publisher = await publish();
    await watch().expect(201);
    const [viewer] = node.engine.viewers;
    const started = () => [...(viewer?.sent ?? [])].map(sent => sent.started);
    const keyframes = () => publisher.tracks.map(({ kind, keyframeRequests }) => [kind, keyframeRequests]);
    await plane.quiet();
    expect([started(), keyframes()]).toEqual([
      [false, false],
      [
        ['audio', 0],
        ['video', 0],
      ],
    ]);
    viewer?.peerConnects();
    expect(await playbackFacts()).toEqual([{ type: 'playback.active', viewerCount: 1 }]);
    expect([started(), keyframes()]).toEqual([
      [true, true],
      [
        ['audio', 0],
        ['video', 1],
      ],
    ]);
  });

  it('answers 409 with Retry-After while nobody publishes', async () => {
    const response = await watch().expect(409);
    expect(response.body).toMatchObject({ code: 'CONFLICT', reason: 'source_not_active' });
    expect(response.headers['retry-after']).toBe('2');
  });

  it.each([
    ['Firefox, whose numbers differ', firefoxWatches(), 'audio'],
    ['GStreamer, when the source sends another codec', gstreamerWatches(), 'video'],
  ])('answers 406 with the payload profile to %s', async (_case, offer) => {
    await publish();
    const response = await watch(offer).expect(406);
    expect(response.body).toMatchObject({ success: false, code: 'PAYLOAD_TYPE_MISMATCH' });
    const { codecs } = (response.body as { payloadProfile: { codecs: unknown[] } }).payloadProfile;
    expect(codecs).toContainEqual(expect.objectContaining({ mimeType: 'audio/opus', payloadType: 111 }));
    expect(node.engine.viewers).toEqual([]);
  });

  describe('with adaptive payload matching', () => {
    beforeEach(async () => {
      await node.openPlayback('play_3', 'ext_1', ['audio', 'video'], 'adaptive');
      token = await plane.playbackToken('play_3');
    });

    const adapted = (offer: string) => watch(offer, '/whep/play_3');

    it.each([
      ['Firefox', firefoxWatches(), chromiumPublishes(), '109', '120 124'],
      ['Firefox, of H264 Main', firefoxWatches(), ffmpegPublishes('4d001f'), '109', '126 127'],
      ['GStreamer', gstreamerWatches(), ffmpegPublishes('42e01f'), '111', '96'],
      ['Chromium', chromiumWatches(), chromiumPublishes(), '111', '96 97'],
    ])('answers %s by its own numbers', async (_case, offer, published, audio, video) => {
      await publish(published);
      const { text } = await adapted(offer).expect(201);
      expect(text).toContain(`m=audio 9 UDP/TLS/RTP/SAVPF ${audio}\r\n`);
      expect(text).toContain(`m=video 9 UDP/TLS/RTP/SAVPF ${video}\r\n`);
    });

    it('answers 406 with the payload profile where no codec fits', async () => {
      await publish();
      const response = await adapted(gstreamerWatches()).expect(406);
      expect(response.body).toMatchObject({ success: false, code: 'PAYLOAD_TYPE_MISMATCH' });
      expect(response.body).toHaveProperty('payloadProfile.codecs');
      expect(node.engine.viewers).toEqual([]);
    });

    it('sends a publisher that comes back with the same codec, by the same numbers', async () => {
      const publisher = await publish();
      await adapted(firefoxWatches()).expect(201);
      node.engine.viewers[0]?.peerConnects();
      publisher.peerVanishes();
      await publish();
      const numbers = () =>
        [...(node.engine.viewers[0]?.sent ?? [])]
          .filter(sent => sent.started && !sent.source.closed)
          .map(sent => sent.rtpParameters.codecs[0]?.payloadType);
      expect(numbers().sort()).toEqual([109, 120]);
    });
  });

  it('leaves a section inactive that the playback does not have', async () => {
    await publish();
    await node.openPlayback('play_2', 'ext_1', ['video']);
    const response = await request(node.server)
      .post('/whep/play_2')
      .set('Authorization', `Bearer ${await plane.playbackToken('play_2')}`)
      .set('Content-Type', 'application/sdp')
      .send(chromiumWatches())
      .expect(201);
    expect(response.text.split('m=')[1]).toContain('a=inactive');
    expect(response.text.split('m=')[2]).toContain('a=sendonly');
  });

  it('refuses offers that send, other types, and an ingest token', async () => {
    await publish();
    await watch(chromiumPublishes()).expect(422);
    await watch('hello').expect(400);
    await watch().set('Content-Type', 'text/plain').expect(415);
    token = await plane.ingestToken('play_1');
    await watch().expect(401);
  });
});

describe('reading the endpoint', () => {
  const read = (accept: string) =>
    request(node.server).get('/whep/play_1').set('Accept', accept).set('Authorization', `Bearer ${token}`);

  it('gives the payload profile to who asks for JSON with a token', async () => {
    const response = await read('application/json').expect(200);
    expect(response.body).toEqual({ success: true, payloadProfile: node.engine.payloadProfile });
    await request(node.server).get('/whep/play_1').set('Accept', 'application/json').expect(401);
  });

  it('gives nothing to others, and its type to HEAD', async () => {
    await read('*/*').expect(204);
    const response = await request(node.server).head('/whep/play_1').expect(200);
    expect(response.headers['content-type']).toBe('application/sdp');
  });
});

describe('viewers that come and go', () => {
  it('are counted, and the playback is idle when the last one is lost', async () => {
    await publish();
    await watch().expect(201);
    await watch().expect(201);
    const [one, two] = node.engine.viewers;
    one?.peerConnects();
    two?.peerConnects();
    await plane.pass(1_000);
    one?.peerVanishes();
    await plane.pass(1_000);
    two?.peerVanishes();
    expect(await playbackFacts()).toEqual([
      { type: 'playback.active', viewerCount: 1 },
      { type: 'playback.active', viewerCount: 2 },
      { type: 'playback.active', viewerCount: 1 },
      { type: 'playback.idle', reason: 'viewer_lost' },
    ]);
  });

  it('are counted at most once a second between the first and the loss of the last', async () => {
    await publish();
    for (let count = 0; count < 10; count += 1) await watch().expect(201);
    for (const viewer of node.engine.viewers) viewer.peerConnects();
    await plane.pass(999);
    expect(await playbackFacts()).toEqual([{ type: 'playback.active', viewerCount: 1 }]);
    await plane.pass(1);
    expect((await playbackFacts()).slice(1)).toEqual([{ type: 'playback.active', viewerCount: 10 }]);
    for (const viewer of node.engine.viewers) viewer.peerVanishes();
    expect((await playbackFacts()).slice(2)).toEqual([{ type: 'playback.idle', reason: 'viewer_lost' }]);
    await plane.pass(1_000);
    expect(await playbackFacts()).toHaveLength(3);
  });

  it('are dropped 30 s after they were found lost, and not a millisecond before', async () => {
    await publish();
    await watch().expect(201);
    const [viewer] = node.engine.viewers;
    viewer?.peerConnects();
    await pass(60_000);
    viewer?.peerVanishes();
    // Rooms are looked over every half second.
    await pass(500);
    await pass(29_999);
    expect(node.engine.viewers).toEqual([viewer]);
    await pass(1);
    expect(node.engine.viewers).toEqual([]);
  });

  it('stay when they come back within 30 s', async () => {
    await publish();
    await watch().expect(201);
    const [viewer] = node.engine.viewers;
    viewer?.peerConnects();
    viewer?.peerVanishes();
    await pass(29_000);
    viewer?.peerConnects();
    await pass(500);
    viewer?.peerVanishes();
    await pass(29_000);
    expect(node.engine.viewers).toEqual([viewer]);
  });

  it('end the playback when the last one says farewell', async () => {
    await publish();
    const path = pathOf((await watch().expect(201)).headers['location']);
    node.engine.viewers[0]?.peerConnects();
    await leave(path).expect(200);
    await leave(path).expect(200);
    expect(await playbackFacts()).toEqual([
      { type: 'playback.active', viewerCount: 1 },
      { type: 'playback.ended', reason: 'viewer_left' },
    ]);
    expect((await watch().expect(409)).body).toMatchObject({ reason: 'playback_ended' });
    expect(node.engine.load().consumers).toBe(0);
  });

  it('are dropped when they have not connected within 5 s, and the playback stays as it was', async () => {
    await publish();
    await watch().expect(201);
    await pass(4_999);
    expect(node.engine.viewers).toHaveLength(1);
    await pass(1);
    expect([node.engine.viewers, await playbackFacts()]).toEqual([[], []]);
    await watch().expect(201);
  });

  it('leave the playback ready when they go before they connected', async () => {
    await publish();
    const path = pathOf((await watch().expect(201)).headers['location']);
    await leave(path).expect(200);
    await watch().expect(201);
    expect(await playbackFacts()).toEqual([]);
  });
});

describe('a publisher that comes back', () => {
  it('is sent to the viewers that stayed, when its format stands in their answers', async () => {
    const first = await publish();
    await watch().expect(201);
    const [viewer] = node.engine.viewers;
    viewer?.peerConnects();
    first.peerVanishes();
    const second = await publish();
    expect([...(viewer?.sent ?? [])].map(sent => sent.started)).toEqual([true, true]);
    const sources = [...(viewer?.sent ?? [])].map(({ trackID }) => trackID).sort();
    expect(sources).toEqual(second.tracks.map(({ trackID }) => trackID).sort());
    expect(node.engine.viewers).toHaveLength(1);
  });

  it('is not sent in a format that the viewers were never told', async () => {
    const first = await publish();
    await watch().expect(201);
    const [viewer] = node.engine.viewers;
    viewer?.peerConnects();
    first.peerVanishes();
    await publish(ffmpegPublishes());
    expect([...(viewer?.sent ?? [])].map(({ kind }) => kind)).toEqual(['audio']);
  });
});

describe('ends', () => {
  it('take playbacks along when the publisher says farewell', async () => {
    const ingest = await plane.ingestToken('ext_1');
    const posted = await request(node.server)
      .post('/whip/ext_1')
      .set('Authorization', `Bearer ${ingest}`)
      .set('Content-Type', 'application/sdp')
      .send(chromiumPublishes());
    const publisher = node.engine.publishers[0];
    publisher?.peerConnects();
    for (const track of publisher?.tracks ?? []) track.receiveRtp();
    const path = pathOf((await watch().expect(201)).headers['location']);
    await request(node.server)
      .delete(pathOf(posted.headers['location']))
      .set('Authorization', `Bearer ${ingest}`)
      .expect(200);
    expect(await playbackFacts()).toEqual([{ type: 'playback.ended', reason: 'source_ended' }]);
    await leave(path).expect(200);
    expect(node.engine.viewers).toEqual([]);
  });

  it('by command close without a fact', async () => {
    await publish();
    await watch().expect(201);
    await plane.bus.request(sfuCommands.closePlayback.forNode('sfu-1'), { playbackID: 'play_1' });
    await plane.bus.request(sfuCommands.closePlayback.forNode('sfu-1'), { playbackID: 'play_1' });
    expect(node.engine.viewers).toEqual([]);
    expect((await watch().expect(409)).body).toMatchObject({ reason: 'playback_ended' });
    expect(await playbackFacts()).toEqual([]);
  });

  it('of the media worker leave the playback idle, and viewers may come again', async () => {
    await publish();
    await watch().expect(201);
    node.engine.viewers[0]?.peerConnects();
    await node.engine.killWorker();
    expect(await playbackFacts()).toEqual([
      { type: 'playback.active', viewerCount: 1 },
      { type: 'playback.idle', reason: 'worker_lost' },
    ]);
    await publish();
    await watch().expect(201);
  });
});
