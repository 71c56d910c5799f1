import { MemoryBroker, MemoryBus } from '@rtms/bus';
import { makeHlsClaims, makeTokenPair, ManualClock, waitFor } from '@rtms/testing';
import { formatSignedPath, type TokenVerifier } from '@rtms/tokens';
import { startOrigin, type Origin } from '../../../../test/media/start-origin.js';
import type { Presentation } from './presentation/presentation.js';
import type { RunRendition } from './presentation/run-segments.js';
import { recordedVideo } from './presentation/testing/recorded-media.js';

const video: RunRendition = { kind: 'video', name: 'v1', width: 160, height: 90, frameRate: 30, bitrate: 100_000 };
const options = { segmentSeconds: 2, windowSegments: 6, isLow: true };
const targetDurationMs = 2_000;

describe('low-latency HLS of the origin', () => {
  let clock: ManualClock;
  let broker: MemoryBroker;
  let verifier: TokenVerifier;
  let origin: Origin;
  let presentation: Presentation;
  let signed: string;
  const origins: Origin[] = [];

  beforeEach(async () => {
    clock = new ManualClock();
    broker = new MemoryBroker();
    const pair = await makeTokenPair();
    verifier = pair.verifier;
    signed = `/hls/bcast_1/${formatSignedPath((await makeHlsClaims(pair.signer)).path)}`;
    origin = await start();
    presentation = await origin.present('bcast_1', options);
    await begin();
    await addSegment();
  });
  afterEach(async () => {
    await Promise.all(origins.splice(0).map(each => each.close()));
  });

  async function start(): Promise<Origin> {
    const started = await startOrigin(verifier, { bus: new MemoryBus(broker), clock });
    origins.push(started);
    return started;
  }

  async function begin(): Promise<void> {
    presentation.beginRun({ renditions: [video], startsAt: new Date(clock.now()) });
    await presentation.addInit('v1', recordedVideo.init);
  }
  const addPart = (text = 'part') =>
    presentation.addPart('v1', {
      ...{ bytes: Buffer.from(text), durationSeconds: 0.4, isIndependent: false },
      programDateTime: new Date(0),
    });
  async function addSegment(): Promise<void> {
    for (let part = 0; part < 5; part += 1) addPart();
    await presentation.addSegment('v1', {
      ...{ bytes: Buffer.from('part'.repeat(5)), durationSeconds: 2, programDateTime: new Date(0) },
    });
  }

  async function ask(path: string, on = origin, headers: Record<string, string> = {}) {
    const answer = await fetch(`${on.url}${signed}/${path}`, { headers });
    const text = await answer.text();
    return { status: answer.status, text, caching: answer.headers.get('cache-control'), headers: answer.headers };
  }
  const playlist = (query = '') => `v1/index.m3u8${query}`;
  /** Sends the request, and resolves once it waits. */
  async function waits(path: string, on = origin) {
    const before = on.waiting.size;
    const answer = ask(path, on);
    await waitFor(() => Promise.resolve(on.waiting.size > before), { what: 'a waiting request' });
    return { answer };
  }
  const hint = async () => /PRELOAD-HINT:TYPE=PART,URI="([^"]+)"/.exec((await ask(playlist())).text)?.[1] ?? '';

  it('answers a playlist once it has the segment, or the part, that the player names', async () => {
    const part = await waits(playlist('?_HLS_msn=1&_HLS_part=1'));
    const segment = await waits(playlist('?_HLS_msn=1&_HLS_skip=YES'));
    addPart();
    expect(origin.waiting.size).toBe(2);
    addPart();
    const first = await part.answer;
    expect([first.status, first.caching]).toEqual([200, 'public, max-age=12']);
    expect(first.text.match(/^#EXT-X-PART:/gm)).toHaveLength(7);
    expect(origin.waiting.size).toBe(1);
    for (let rest = 2; rest < 5; rest += 1) addPart();
    await presentation.addSegment('v1', {
      ...{ bytes: Buffer.from('part'.repeat(5)), durationSeconds: 2, programDateTime: new Date(0) },
    });
    expect((await segment.answer).text).toMatch(/-1\.m4s\n#EXT-X-PRELOAD-HINT/);
    expect(origin.waiting.size).toBe(0);
  });

  it('answers without waiting what exists, with the usual caching without directives', async () => {
    expect(await ask(playlist())).toMatchObject({ status: 200, caching: 'public, max-age=1' });
    for (let again = 0; again < 2; again += 1)
      expect(await ask(playlist('?_HLS_msn=0'))).toMatchObject({ status: 200, caching: 'public, max-age=12' });
  });

  it('gives out a part that a playlist hints at once it exists, whole and in ranges', async () => {
    const name = await hint();
    const { answer } = await waits(`v1/${name}`);
    addPart('hinted');
    expect(await answer).toMatchObject({
      ...{ status: 200, text: 'hinted', caching: 'public, max-age=31536000, immutable' },
    });
    const range = await ask(`v1/${name}`, origin, { Range: 'bytes=1-3' });
    expect([range.status, range.text, range.headers.get('content-type')]).toEqual([206, 'int', 'video/iso.segment']);
  });

  it('answers 404 for a part that will not exist, at once or when the hint was wrong', async () => {
    const name = await hint();
    expect(await ask(`v1/${name.replace('.0.m4s', '.1.m4s')}`)).toMatchObject({ status: 404 });
    const { answer } = await waits(`v1/${name}`);
    await begin();
    expect(await answer).toMatchObject({ status: 404 });
  });

  it.each(['?_HLS_msn=x', '?_HLS_part=1', '?_HLS_msn=3', '?_HLS_msn=1&_HLS_part=99'])(
    'refuses wrong directives, and those too far ahead: %s',
    async query => {
      const { status, text } = await ask(playlist(query));
      expect([status, (JSON.parse(text) as { reason: string }).reason]).toEqual([400, 'invalid_request']);
    },
  );

  it('answers 503 after three target durations without media', async () => {
    const { answer } = await waits(playlist('?_HLS_msn=1&_HLS_part=0'));
    await clock.advance(3 * targetDurationMs - 1);
    expect(origin.waiting.size).toBe(1);
    await clock.advance(1);
    const { status, caching, headers, text } = await answer;
    expect([status, caching, headers.get('retry-after')]).toEqual([503, 'private, no-store', '2']);
    expect((JSON.parse(text) as { reason: string }).reason).toBe('no_new_media');
    expect(origin.waiting.size).toBe(0);
  });

  it('frees the place of a player that leaves', async () => {
    const leave = new AbortController();
    const url = `${origin.url}${signed}/${playlist('?_HLS_msn=1')}`;
    const asked = fetch(url, { signal: leave.signal }).catch(() => 'left');
    await waitFor(() => Promise.resolve(origin.waiting.size >= 1), { what: 'a waiting request' });
    leave.abort();
    expect(await asked).toBe('left');
    await waitFor(() => Promise.resolve(origin.waiting.size <= 0), { what: 'the free place' });
  });

  it('gives the places of a node only to requests with its own key, which another node learns on the bus', async () => {
    const { waiting, nodeKey } = origin;
    const take = waiting.take.bind(waiting);
    const takers: unknown[] = [];
    waiting.take = reader => {
      takers.push(reader.isForwarded);
      return take(reader);
    };
    const replica = await start();
    const forged = { 'X-RTMS-Forwarded': 'replica' };
    const clients: Record<string, string>[] = [
      ...[{}, forged, { ...forged, 'X-RTMS-Node-Key': replica.nodeKey }],
      { 'X-RTMS-Node-Key': `${nodeKey}x` },
    ];
    const path = playlist('?_HLS_msn=1&_HLS_part=0');
    const asked = clients.map(headers => ask(path, origin, headers));
    await waitFor(() => Promise.resolve(waiting.size >= clients.length), { what: 'the places of all clients' });
    expect(takers).toEqual(clients.map(() => false));
    asked.push(ask(path, replica));
    await waitFor(() => Promise.resolve(waiting.size > clients.length), { what: 'the place of the other node' });
    expect(takers.at(-1)).toBe(true);
    addPart();
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 200));
  });

  it('answers waiting players at the end, and when the broadcast is deleted', async () => {
    const ended = await waits(playlist('?_HLS_msn=1'));
    presentation.end();
    expect((await ended.answer).text).toMatch(/#EXT-X-ENDLIST\n$/);
    presentation = await origin.present('bcast_1', options, { isOnBus: false });
    await begin();
    await addSegment();
    const deleted = await waits(playlist('?_HLS_msn=1'));
    await origin.registry.remove(presentation);
    // Another node may have it: the bus names this node only.
    const { status, headers } = await deleted.answer;
    expect([status, headers.get('retry-after')]).toEqual([503, '2']);
  });

  it('lets the players of another node wait too', async () => {
    const replica = await start();
    const asked = ask(playlist('?_HLS_msn=1&_HLS_part=0'), replica);
    await waitFor(() => Promise.resolve(origin.waiting.size + replica.waiting.size >= 2), { what: 'both places' });
    addPart();
    expect(await asked).toMatchObject({ status: 200, caching: 'public, max-age=12' });
    await waitFor(() => Promise.resolve(replica.waiting.size <= 0), { what: 'the free place' });
  });

  it('continues on the node that takes the broadcast over, with greater numbers', async () => {
    const successor = await start();
    const { answer } = await waits(playlist('?_HLS_msn=1&_HLS_part=0'));
    presentation.handOver();
    // Without the part, so that caches must not keep it for long.
    expect(await answer).toMatchObject({ status: 200, caching: 'public, max-age=1' });
    const continues = { ageSeconds: 10, formerUrl: origin.url };
    presentation = await successor.present('bcast_1', options, { continues });
    await begin();
    await addSegment();
    addPart();
    const { text, status } = await ask(playlist('?_HLS_msn=1&_HLS_part=0'), successor);
    expect(status).toBe(200);
    expect(text).toContain('#EXT-X-MEDIA-SEQUENCE:10\n');
    expect(text).toContain('#EXT-X-PART:');
  });
});
