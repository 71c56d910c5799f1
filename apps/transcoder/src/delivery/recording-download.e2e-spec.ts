import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { MemoryBus, MemoryBroker } from '@rtms/bus';
import { systemClock } from '@rtms/clock';
import { transcoderCommands, type RecordingToken } from '@rtms/contracts';
import { HealthModule } from '@rtms/health';
import { listen } from '@rtms/http';
import { createLogger } from '@rtms/logging';
import { makePlaybackClaims, makeTokenPair } from '@rtms/testing';
import type { TokenSigner, TokenVerifier } from '@rtms/tokens';
import request from 'supertest';
import { configureHttp } from '../configure-http.js';
import { MemoryRecordingStore } from './testing/memory-recording-store.js';
import { DeliveryModule } from './delivery.module.js';
import { hlsFileEnd } from './stores/hls-file.js';
import { planStoryboard, storyboardFile } from './stores/storyboard-file.js';
import { MemorySegmentStore } from './testing/memory-segment-store.js';

const content = Buffer.from('0123456789'.repeat(1000));
const checksumSha256 = 'ab'.repeat(32);

class Node {
  readonly recordings = new MemoryRecordingStore();
  readonly storyboards = new MemoryRecordingStore();
  readonly hls = new MemoryRecordingStore();
  url = '';
  private constructor(
    readonly nodeID: string,
    readonly bus: MemoryBus,
  ) {}

  static async start(nodeID: string, bus: MemoryBus, verifier: TokenVerifier): Promise<Node> {
    const node = new Node(nodeID, bus);
    const { recordings, storyboards, hls } = node;
    const parts = { store: new MemorySegmentStore(), recordings, storyboards, hls, bus, verifier, clock: systemClock };
    const options = { ...parts, nodeID, internalUrl: '', nodeKey: nodeID };
    const imports = [DeliveryModule.forRootAsync({ useFactory: () => options }), HealthModule.forRoot({ checks: {} })];
    const app = await NestFactory.create<NestExpressApplication>(
      { module: class {}, imports },
      { logger: false, bodyParser: false },
    );
    configureHttp(app, createLogger({ service: nodeID, level: 'silent' }));
    node.url = (await listen(app, '127.0.0.1', 0)).url;
    node.close = () => app.close();
    await bus.respond(transcoderCommands.recordingOrigin.forNode(nodeID), () =>
      Promise.resolve({ internalUrl: node.url }),
    );
    return node;
  }

  close: () => Promise<void> = () => Promise.resolve();
}

describe('a download of a recording', () => {
  let owner: Node;
  let replica: Node;
  let signer: TokenSigner;
  let token: string;
  let directory: string;

  const sign = (changes: Partial<RecordingToken> = {}) =>
    signer.sign({
      ...{ purpose: 'recording', resourceID: 'rec_1', meetingID: 'room_1', nodeID: 'owner', checksumSha256 },
      expiresAt: Math.floor(Date.now() / 1000) + 300,
      ...changes,
    });
  const path = (given = token) => `/recordings/rec_1.mp4?token=${given}`;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'rtms-download-'));
    const pair = await makeTokenPair();
    signer = pair.signer;
    const broker = new MemoryBroker();
    owner = await Node.start('owner', new MemoryBus(broker), pair.verifier);
    replica = await Node.start('replica', new MemoryBus(broker), pair.verifier);
    const file = join(directory, 'file');
    await writeFile(file, content);
    await owner.recordings.put('rec_1', file);
    token = await sign();
  });
  afterEach(async () => {
    await Promise.all([owner.close(), replica.close()]);
    await rm(directory, { recursive: true, force: true });
  });

  describe.each(['owner', 'replica'])('from the %s', name => {
    const get = (at = path()) => request((name === 'owner' ? owner : replica).url).get(at);

    it('sends the whole file as a named attachment', async () => {
      const answer = await get().expect(200);
      expect(answer.body).toEqual(content);
      expect(answer.headers).toMatchObject({
        'content-type': 'video/mp4',
        'content-length': String(content.length),
        'content-disposition': 'attachment; filename="rec_1.mp4"',
        etag: `"${checksumSha256}"`,
        'accept-ranges': 'bytes',
      });
    });

    it.each([
      ['bytes=0-9', 0, 9],
      ['bytes=9990-', 9990, 9999],
      ['bytes=-5', 9995, 9999],
      ['bytes=9000-99999', 9000, 9999],
    ])('gives the range %s', async (range, start, end) => {
      const answer = await get().set('Range', range).expect(206);
      expect(answer.body).toEqual(content.subarray(start, end + 1));
      expect(answer.headers['content-range']).toBe(`bytes ${start}-${end}/${content.length}`);
    });

    it('sends the whole file for several ranges or an outdated If-Range', async () => {
      await get().set('Range', 'bytes=0-1,3-4').expect(200);
      await get().set('Range', 'bytes=0-1').set('If-Range', '"other"').expect(200);
      await get().set('Range', 'bytes=0-1').set('If-Range', `"${checksumSha256}"`).expect(206);
    });

    it('answers 416 for a range outside the file', async () => {
      const answer = await get().set('Range', 'bytes=10000-').expect(416);
      expect(answer.headers['content-range']).toBe(`bytes */${content.length}`);
      expect(answer.body).toMatchObject({ success: false, reason: 'range_not_satisfiable' });
    });

    it('answers 304 for a current ETag', async () => {
      await get().set('If-None-Match', `"${checksumSha256}"`).expect(304);
    });

    it('answers HEAD with the size', async () => {
      const answer = await request(owner.url).head(path()).expect(200);
      expect([answer.headers['content-length'], answer.text]).toEqual([String(content.length), undefined]);
    });
  });

  describe.each(['owner', 'replica'])('of a storyboard from the %s', name => {
    const get = (part: string, given = token) =>
      request((name === 'owner' ? owner : replica).url).get(`/recordings/rec_1/storyboard.${part}?token=${given}`);

    beforeEach(async () => {
      const file = join(directory, 'storyboard');
      await writeFile(file, storyboardFile(planStoryboard(3), Buffer.from('0123456789')));
      await owner.storyboards.put('rec_1', file);
    });

    it('sends the text with addresses that have the token', async () => {
      const { text, headers } = await get('vtt').expect(200);
      expect(headers['content-type']).toBe('text/vtt; charset=utf-8');
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(text).toMatch(/^WEBVTT\n\n00:00:00.000 --> 00:00:02.000\n/);
      const [address = ''] = /^storyboard\.jpg\?token=[^#]+/m.exec(text) ?? [];
      const { body, headers: ofPicture } = await request(owner.url).get(`/recordings/rec_1/${address}`).expect(200);
      expect([String(body), ofPicture['content-type']]).toEqual(['0123456789', 'image/jpeg']);
    });

    it('sends ranges of both', async () => {
      expect(String((await get('jpg').set('Range', 'bytes=2-4').expect(206)).body)).toBe('234');
      expect((await get('vtt').set('Range', 'bytes=0-5').expect(206)).text).toBe('WEBVTT');
    });

    it('is declined without the token of the recording, and 404 without a storyboard', async () => {
      await get('vtt', 'x').expect(401);
      await owner.storyboards.delete('rec_1');
      expect((await get('vtt').expect(404)).body.reason).toBe('not_found');
      await get('jpg').expect(404);
      await get('png').expect(404);
    });
  });

  describe.each(['owner', 'replica'])('of an HLS presentation from the %s', name => {
    const get = (part: string, given = token) =>
      request((name === 'owner' ? owner : replica).url).get(`/recordings/rec_1/hls.${part}?token=${given}`);
    const written = '#EXTM3U\n#EXT-X-MAP:URI="joined.m4s",BYTERANGE="4@0"\n#EXT-X-BYTERANGE:6@4\njoined.m4s\n';

    beforeEach(async () => {
      const file = join(directory, 'hls');
      await writeFile(file, Buffer.concat([Buffer.from('0123456789'), hlsFileEnd(written, 'joined.m4s')]));
      await owner.hls.put('rec_1', file);
    });

    it('sends the playlist with addresses that have the token, and ranges of the media', async () => {
      const { text, body, headers } = await get('m3u8').buffer(true).expect(200);
      expect(headers['content-type']).toBe('application/vnd.apple.mpegurl');
      const playlist = text ?? String(body);
      const addresses = [...playlist.matchAll(/hls\.mp4\?token=[^"\n]+/g)].map(([address]) => address);
      expect(addresses).toEqual(Array(2).fill(`hls.mp4?token=${token}`));
      const media = await get('mp4').set('Range', 'bytes=4-9').expect(206);
      expect([String(media.body), media.headers['content-range']]).toEqual(['456789', 'bytes 4-9/10']);
      expect(String((await get('mp4').expect(200)).body)).toBe('0123456789');
    });

    it('opens with a token for HLS alone, which opens no other file', async () => {
      const own = await sign({ part: 'hls' });
      await get('m3u8', own).expect(200);
      await get('mp4', own).expect(200);
      const base = name === 'owner' ? owner.url : replica.url;
      for (const at of [path(own), `/recordings/rec_1/storyboard.vtt?token=${own}`])
        expect((await request(base).get(at).expect(401)).body.reason).toBe('invalid_credentials');
    });

    it('is declined without the token of the recording, and 404 without HLS', async () => {
      await get('m3u8', 'x').expect(401);
      await owner.hls.delete('rec_1');
      for (const part of ['m3u8', 'mp4', 'ts']) await get(part).expect(404);
    });
  });

  it.each([
    ['no token', () => Promise.resolve('/recordings/rec_1.mp4'), 401],
    ['a token of another recording', async () => path(await sign({ resourceID: 'rec_2' })), 401],
    ['an expired token', async () => path(await sign({ expiresAt: 1 })), 401],
    [
      'a token for something else',
      async () => path(await signer.sign(makePlaybackClaims({ resourceID: 'rec_1' }))),
      401,
    ],
    ['another form of address', () => Promise.resolve(`/recordings/..%2Frec_1.mp4?token=${token}`), 404],
  ])('is declined with %s', async (_case, address, status) => {
    const answer = await request(owner.url).get(await address());
    expect([answer.status, answer.body.success]).toEqual([status, false]);
  });

  it('answers 404 after the file is deleted', async () => {
    await owner.recordings.delete('rec_1');
    await request(owner.url).get(path()).expect(404);
    await request(replica.url).get(path()).expect(404);
  });

  it('answers 503 while the node with the file is unavailable', async () => {
    const answer = await request(replica.url).get(path(await sign({ nodeID: 'gone' })));
    expect([answer.status, answer.body.reason]).toEqual([503, 'dependency_unavailable']);
  });

  it('answers 405 for other methods', async () => {
    expect((await request(owner.url).post(path())).headers['allow']).toBe('GET, HEAD, OPTIONS');
  });
});
