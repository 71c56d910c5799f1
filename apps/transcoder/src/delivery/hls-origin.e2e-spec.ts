import { connect } from 'node:net';
import { MemoryBroker, MemoryBus } from '@rtms/bus';
import { broadcastOrigin } from '@rtms/contracts';
import { makeHlsClaims, makePlaybackClaims, makeTokenPair, waitFor } from '@rtms/testing';
import { formatSignedPath, type TokenSigner, type TokenVerifier } from '@rtms/tokens';
import request from 'supertest';
import { encodeFmp4, type Fmp4Rendition } from '../../../../test/media/fmp4.js';
import { publishRun, startOrigin, type Origin } from '../../../../test/media/start-origin.js';
import type { Presentation } from '../jobs/hls/presentation.js';

const sizes = [
  { name: '180p', width: 320, height: 180 },
  { name: '90p', width: 160, height: 90 },
];
const options = { segmentSeconds: 1, windowSegments: 6 };

let media: Fmp4Rendition[];
let signer: TokenSigner;
let verifier: TokenVerifier;
let broker: MemoryBroker;
let origin: Origin;
let presentation: Presentation;
let token: string;
let signed: string;

beforeAll(async () => {
  media = await encodeFmp4({ seconds: 3, segmentSeconds: 1, videos: sizes, audio: true });
  ({ signer, verifier } = await makeTokenPair());
});

beforeEach(async () => {
  broker = new MemoryBroker();
  origin = await startOrigin(verifier, new MemoryBus(broker));
  presentation = await origin.present('bcast_1', options);
  await publishRun(presentation, media, sizes);
  const claims = await makeHlsClaims(signer);
  token = await signer.sign(claims);
  signed = `/hls/bcast_1/${formatSignedPath(claims.path)}`;
});
afterEach(() => origin.close());

const entry = '/hls/bcast_1/index.m3u8';
const get = (path: string, on = origin): request.Test => request(on.url).get(path);

async function firstSegment(rendition = '180p', on = origin): Promise<string> {
  const { text } = await get(`${signed}/${rendition}/index.m3u8`, on);
  return `${signed}/${rendition}/${/^[^#\n].*$/m.exec(text)![0]}`;
}

/** Sends bytes as they are, which no HTTP client does with such paths. */
function rawGet(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(origin.url).port), '127.0.0.1');
    let answer = '';
    socket.on('data', chunk => (answer += chunk.toString()));
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
    socket.end(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  });
}

describe('the entry of a broadcast', () => {
  it('answers the multivariant playlist with addresses below the signed path of the token', async () => {
    const { status, text, headers } = await get(`${entry}?token=${token}`);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/vnd.apple.mpegurl');
    const uris = [...text.matchAll(/^[^#\n].*$/gm)].map(([uri]) => `/hls/bcast_1/${uri}`);
    expect(uris).toEqual([`${signed}/180p/index.m3u8`, `${signed}/90p/index.m3u8`]);
    for (const uri of uris) expect((await get(uri)).status).toBe(200);
    expect(text).toContain('RESOLUTION=320x180,FRAME-RATE=30.000,AUDIO="audio"');
  });

  it('never says the token again', async () => {
    expect((await get(`${entry}?token=${token}`)).text).not.toContain(token);
  });

  it.each([
    ['none', () => Promise.resolve(''), 'invalid_credentials'],
    ['nonsense', () => Promise.resolve('x.y.z'), 'invalid_credentials'],
    [
      'an expired one',
      async () => signer.sign(await makeHlsClaims(signer, { expiresAt: 1_700_000_000 })),
      'token_expired',
    ],
    [
      'one for another broadcast',
      async () => signer.sign(await makeHlsClaims(signer, { resourceID: 'bcast_2' })),
      'invalid_credentials',
    ],
    ['one for a playback', () => signer.sign(makePlaybackClaims({ resourceID: 'bcast_1' })), 'invalid_credentials'],
    [
      'one that somebody else signed',
      async () => {
        const other = (await makeTokenPair()).signer;
        return other.sign(await makeHlsClaims(other));
      },
      'invalid_credentials',
    ],
  ])('refuses %s as token', async (_what, make, reason) => {
    const { status, body } = await get(`${entry}?token=${await make()}`);
    expect([status, body]).toEqual([401, { success: false, error: expect.any(String), code: 'UNAUTHORIZED', reason }]);
  });

  it('says when to ask again while there is nothing to play yet', async () => {
    await origin.present('bcast_new', options);
    const early = await signer.sign(await makeHlsClaims(signer, { resourceID: 'bcast_new' }));
    const { status, body, headers } = await get(`/hls/bcast_new/index.m3u8?token=${early}`);
    expect([status, body.reason, headers['retry-after']]).toEqual([404, 'not_found', '2']);
    expect(headers['cache-control']).toBe('no-store');
  });
});

describe('a signed path', () => {
  it('opens playlists, init segments and segments without token, cookie or header', async () => {
    const playlist = await get(`${signed}/180p/index.m3u8`);
    expect(playlist.status).toBe(200);
    const init = await get(`${signed}/180p/${/MAP:URI="(.*)"/.exec(playlist.text)![1]}`);
    expect([init.status, init.headers['content-type'], init.body]).toEqual([200, 'video/mp4', media[0]!.init]);
    const segment = await get(await firstSegment());
    expect([segment.status, segment.headers['content-type']]).toEqual([200, 'video/iso.segment']);
    expect(segment.body).toEqual(media[0]!.segments[0]!.bytes);
    const audio = await get(`${signed}/audio/index.m3u8`);
    const audioInit = await get(`${signed}/audio/${/MAP:URI="(.*)"/.exec(audio.text)![1]}`);
    expect(audioInit.headers['content-type']).toBe('audio/mp4');
  });

  it('has the multivariant playlist too, with addresses relative to it', async () => {
    expect((await get(`${signed}/index.m3u8`)).text).toMatch(/^180p\/index\.m3u8$/m);
  });

  async function paths(): Promise<Record<string, string>> {
    const now = Math.floor(Date.now() / 1000);
    const sign = async (broadcastID: string, expiresAt: number, by = signer): Promise<string> =>
      formatSignedPath(await by.signPath({ broadcastID, window: now, expiresAt }));
    const other = (await makeTokenPair()).signer;
    const good = await sign('bcast_1', now + 60);
    return {
      forged: `${good.slice(0, -4)}AAAA`,
      expired: await sign('bcast_1', now - 1),
      'of another broadcast': await sign('bcast_2', now + 60),
      'signed by somebody else': await sign('bcast_1', now + 60, other),
      prolonged: good.replace(String(now + 60), String(now + 6000)),
      'no signature at all': '1/2/3/4',
      nonsense: 'a/b/c/d',
    };
  }

  it('is refused when it is wrong, expired or foreign', async () => {
    for (const [what, path] of Object.entries(await paths())) {
      for (const file of ['180p/index.m3u8', 'index.m3u8', '180p/0-0.m4s']) {
        const { status, body } = await get(`/hls/bcast_1/${path}/${file}`);
        expect([what, status, body.code, body.reason]).toEqual([what, 403, 'FORBIDDEN', 'path_not_signed']);
      }
    }
  });

  it('has nothing under names that are none', async () => {
    for (const file of ['4k/index.m3u8', '180p/no.m4s', '180p', 'x.m3u8', '180p/index.m3u8/x']) {
      const { status, body } = await get(`${signed}/${file}`);
      expect([file, status, body.reason]).toEqual([file, 404, 'not_found']);
    }
  });

  it('cannot be left by any spelling of a path', async () => {
    const climbs = [
      '/../index.m3u8',
      '/180p/../../x',
      '/180p%2findex.m3u8',
      '/%2e%2e/x',
      '//index.m3u8',
      '/..\\x',
      '/%zz',
    ];
    for (const climb of [...climbs, `/${'a'.repeat(6000)}`]) {
      const answer = await rawGet(`${signed}${climb}`);
      expect([climb.slice(0, 20), answer.split(' ')[1]]).toEqual([climb.slice(0, 20), '404']);
      expect(answer).toContain('"reason":"not_found"');
    }
  });

  it('answers other methods with 405', async () => {
    const { status, headers, body } = await request(origin.url).post(`${signed}/index.m3u8`);
    expect([status, headers['allow'], body.reason]).toEqual([405, 'GET, HEAD, OPTIONS', 'method_not_allowed']);
  });

  it('never redirects', async () => {
    for (const path of [`${signed}/180p/`, `${signed}/180p`, '/hls', '/hls/', '/hls/bcast_1', '/hls/bcast_1/']) {
      expect((await get(path)).status).toBe(404);
    }
  });
});

describe('what HTTP offers', () => {
  it('compresses playlists for those who can read it, and only these', async () => {
    const path = `${signed}/180p/index.m3u8`;
    const zipped = await get(path).set('Accept-Encoding', 'gzip, br');
    expect([zipped.headers['content-encoding'], zipped.headers['vary']]).toEqual(['gzip', 'Accept-Encoding']);
    const plain = await get(path).set('Accept-Encoding', 'identity');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.text).toBe(zipped.text);
    expect(plain.headers['etag']).not.toBe(zipped.headers['etag']);
    const segment = await get(await firstSegment()).set('Accept-Encoding', 'gzip');
    expect(segment.headers['content-encoding']).toBeUndefined();
  });

  it.each([
    ['bytes=0-9', 206, 0, 10],
    ['bytes=10-19', 206, 10, 20],
    ['bytes=100-', 206, 100, undefined],
    ['bytes=-7', 206, -7, undefined],
    ['bytes=0-1,5-6', 200, 0, undefined],
    ['lines=1-2', 200, 0, undefined],
  ])('answers Range: %s with %i', async (range, status, start, end) => {
    const { bytes } = media[0]!.segments[0]!;
    const answer = await get(await firstSegment()).set('Range', range);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual(bytes.subarray(start, end));
    expect(answer.headers['accept-ranges']).toBe('bytes');
    const from = start < 0 ? bytes.length + start : start;
    const expected = status === 206 ? `bytes ${from}-${(end ?? bytes.length) - 1}/${bytes.length}` : undefined;
    expect(answer.headers['content-range']).toBe(expected);
  });

  it('refuses a range past the end with 416 in the envelope', async () => {
    const { status, headers, body } = await get(await firstSegment()).set('Range', 'bytes=99999999-');
    expect([status, body.success, body.reason]).toEqual([416, false, 'range_not_satisfiable']);
    expect(headers['content-range']).toBe(`bytes */${media[0]!.segments[0]!.bytes.length}`);
  });

  it('sends the whole when If-Range names an older version', async () => {
    const path = await firstSegment();
    const { etag } = (await get(path)).headers;
    const part = await get(path).set('Range', 'bytes=0-9').set('If-Range', etag!);
    const whole = await get(path).set('Range', 'bytes=0-9').set('If-Range', '"older"');
    expect([part.status, whole.status]).toEqual([206, 200]);
  });

  it('answers HEAD with the headers of GET and no body', async () => {
    for (const path of [await firstSegment(), `${signed}/180p/index.m3u8`, `${entry}?token=${token}`]) {
      const whole = await get(path).set('Accept-Encoding', 'identity');
      const head = await request(origin.url).head(path).set('Accept-Encoding', 'identity');
      expect([head.status, head.text]).toEqual([200, undefined]);
      for (const name of ['content-length', 'content-type', 'etag', 'cache-control', 'access-control-allow-origin']) {
        expect(head.headers[name]).toBe(whole.headers[name]);
      }
    }
  });

  it('answers 304 to those who have it', async () => {
    for (const path of [await firstSegment(), `${signed}/180p/index.m3u8`]) {
      const { etag } = (await get(path)).headers;
      expect((await get(path).set('If-None-Match', etag!)).status).toBe(304);
      expect((await get(path).set('If-None-Match', '"other"')).status).toBe(200);
    }
  });

  it('gives a playlist another ETag when it changes', async () => {
    const path = `${signed}/180p/index.m3u8`;
    const before = await get(path);
    presentation.end();
    const after = await get(path).set('If-None-Match', before.headers['etag']!);
    expect(after.status).toBe(200);
    expect(after.text).toMatch(/#EXT-X-ENDLIST\n$/);
  });

  it('lets segments be kept for ever and playlists for half a segment', async () => {
    const immutable = 'public, max-age=31536000, immutable';
    expect((await get(await firstSegment())).headers['cache-control']).toBe(immutable);
    expect((await get(`${signed}/180p/index.m3u8`)).headers['cache-control']).toBe('public, max-age=1');
    expect((await get(`${entry}?token=${token}`)).headers['cache-control']).toBe('public, max-age=1');
  });

  it('can be read by players on any page, failures too', async () => {
    for (const path of [
      await firstSegment(),
      `${signed}/180p/index.m3u8`,
      `${signed}/180p/none.m4s`,
      '/hls/bcast_1/1/2/3/4/x',
    ]) {
      const { headers } = await get(path).set('Origin', 'https://player.example');
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-expose-headers']).toContain('Content-Range');
    }
  });

  it('answers a preflight without any credential', async () => {
    const preflight = request(origin.url)
      .options('/hls/bcast_1/1/2/3/4/180p/x.m4s')
      .set('Origin', 'https://player.example');
    const { status, headers } = await preflight.set('Access-Control-Request-Headers', 'range');
    expect(status).toBe(204);
    expect(headers['access-control-allow-headers']).toContain('Range');
    expect(headers['access-control-allow-methods']).toContain('GET');
  });

  it('serves others at once while a slow reader takes nothing', async () => {
    const path = await firstSegment();
    const socket = connect(Number(new URL(origin.url).port), '127.0.0.1');
    socket.pause();
    await new Promise(resolve => socket.once('connect', resolve));
    for (let index = 0; index < 200; index += 1) socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const answers = await Promise.all(Array.from({ length: 50 }, () => get(path)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    socket.destroy();
  });
});

describe('a broadcast that has gone', () => {
  it('cannot be fetched any more', async () => {
    const path = await firstSegment();
    await origin.registry.remove(presentation);
    expect((await get(path)).status).toBe(404);
    expect((await get(`${entry}?token=${token}`)).status).toBe(404);
  });

  it('stays for one window after its end and then goes', async () => {
    const short = await origin.present('bcast_short', { segmentSeconds: 1, windowSegments: 1 });
    await publishRun(short, media, sizes);
    origin.registry.retire(short);
    expect(origin.registry.get('bcast_short')).toBe(short);
    await waitFor(() => origin.registry.get('bcast_short') === undefined, { what: 'the end of the retention' });
  });
});

describe('a replica that does not have the broadcast', () => {
  let replica: Origin;
  let replicaBus: MemoryBus;
  beforeEach(async () => {
    replicaBus = new MemoryBus(broker);
    replica = await startOrigin(verifier, replicaBus);
  });
  afterEach(() => replica.close());

  it('answers everything as the owner does', async () => {
    for (const path of [
      `${entry}?token=${token}`,
      `${signed}/index.m3u8`,
      `${signed}/180p/index.m3u8`,
      await firstSegment(),
    ]) {
      const [there, here] = [await get(path), await get(path, replica)];
      expect([here.status, here.text, here.body]).toEqual([200, there.text, there.body]);
      for (const name of ['content-type', 'content-encoding', 'content-length', 'etag', 'cache-control', 'vary']) {
        expect(here.headers[name]).toBe(there.headers[name]);
      }
    }
  });

  it('passes ranges, conditions, HEAD and failures on', async () => {
    const path = await firstSegment();
    const part = await get(path, replica).set('Range', 'bytes=5-9');
    expect([part.status, part.body]).toEqual([206, media[0]!.segments[0]!.bytes.subarray(5, 10)]);
    expect((await get(path, replica).set('If-None-Match', part.headers['etag']!)).status).toBe(304);
    expect((await request(replica.url).head(path)).status).toBe(200);
    const missing = await get(`${signed}/180p/none.m4s`, replica);
    expect([missing.status, missing.body.reason]).toEqual([404, 'not_found']);
  });

  it('checks signatures itself', async () => {
    expect((await get(`${entry}?token=x`, replica)).status).toBe(401);
    expect((await get('/hls/bcast_1/1/2/3/4/index.m3u8', replica)).status).toBe(403);
  });

  it('asks the bus once for many players', async () => {
    let asked = 0;
    const [id, path] = [
      'bcast_2',
      await signer.signPath({ broadcastID: 'bcast_2', window: 1, expiresAt: 9_999_999_999 }),
    ];
    const responder = await replicaBus.respond(broadcastOrigin.forResource(id), () => {
      asked += 1;
      return Promise.resolve({ internalUrl: origin.url });
    });
    const url = `/hls/${id}/${formatSignedPath(path)}/index.m3u8`;
    const answers = await Promise.all(Array.from({ length: 20 }, () => get(url, replica)));
    expect([asked, answers.every(({ status }) => status === 404)]).toEqual([1, true]);
    await responder.close();
  });

  it('says not found when nobody has it, and finds it soon after it appears', async () => {
    const path = formatSignedPath(
      await signer.signPath({ broadcastID: 'bcast_3', window: 1, expiresAt: 9_999_999_999 }),
    );
    const url = `/hls/bcast_3/${path}/index.m3u8`;
    expect((await get(url, replica)).status).toBe(404);
    await publishRun(await origin.present('bcast_3', options), media, sizes);
    await waitFor(async () => (await get(url, replica)).status === 200, { what: 'the replica to find the broadcast' });
  });

  it('says that it is unavailable while the owner cannot be reached', async () => {
    const id = 'bcast_4';
    await replicaBus.respond(broadcastOrigin.forResource(id), () =>
      Promise.resolve({ internalUrl: 'http://127.0.0.1:1' }),
    );
    const path = formatSignedPath(await signer.signPath({ broadcastID: id, window: 1, expiresAt: 9_999_999_999 }));
    const { status, body, headers } = await get(`/hls/${id}/${path}/index.m3u8`, replica);
    expect([status, body.reason, headers['retry-after']]).toEqual([503, 'dependency_unavailable', '2']);
  });

  it('never asks in a circle', async () => {
    const id = 'bcast_5';
    await replicaBus.respond(broadcastOrigin.forResource(id), () => Promise.resolve({ internalUrl: origin.url }));
    const path = formatSignedPath(await signer.signPath({ broadcastID: id, window: 1, expiresAt: 9_999_999_999 }));
    for (const node of [origin, replica]) {
      expect((await get(`/hls/${id}/${path}/index.m3u8`, node)).status).toBe(404);
    }
  });
});
