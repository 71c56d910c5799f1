import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MemoryBus } from '@rtms/bus';
import { broadcastOrigin } from '@rtms/contracts';
import { ManualClock, waitFor } from '@rtms/testing';
import type { Presentation } from './presentation/presentation.js';
import { publishRun, startOrigin, type Origin } from '../../../../test/media/start-origin.js';
import { options, patience, sizes, TestBroadcast } from './testing/test-broadcast.js';

describe('a broadcast that another node has taken over', () => {
  let broadcast: TestBroadcast;
  let successor: Origin;
  let successorBus: MemoryBus;
  let continued: Presentation;

  beforeEach(async () => {
    // The bus no longer names the former node as the origin.
    broadcast = await TestBroadcast.open({ isOnBus: false });
    successorBus = new MemoryBus(broadcast.broker);
    successor = await startOrigin(broadcast.verifier, { bus: successorBus, patienceMs: patience });
    const formerUrl = broadcast.origin.url;
    continued = await successor.present('bcast_1', options, { continues: { ageSeconds: 3, formerUrl } });
    broadcast.presentation.handOver();
  });
  afterEach(async () => {
    await successor.close();
    await broadcast.close();
  });

  const playlistOf = async (on: Origin): Promise<{ status: number; text: string }> =>
    broadcast.get(`${broadcast.signed}/180p/index.m3u8`, on);
  const publish = () => publishRun(continued, broadcast.media, sizes, new Date(Date.now() + 60_000));

  it('serves the former playlists at both nodes until new ones exist', async () => {
    const answers = [await playlistOf(broadcast.origin), await playlistOf(successor)];
    expect(answers.map(({ status, text }) => [status, text])).toEqual(Array(2).fill([200, former()]));
    for (const node of [broadcast.origin, successor]) {
      expect((await broadcast.get(`${broadcast.entry}?token=${broadcast.token}`, node)).status).toBe(200);
    }
  });

  it('serves the new playlists at both nodes once they exist', async () => {
    await publish();
    for (const node of [broadcast.origin, successor]) {
      expect((await playlistOf(node)).text).toBe(continued.mediaPlaylist('180p'));
    }
  });

  it('serves former and new segments at both nodes', async () => {
    await publish();
    const files = [former(), continued.mediaPlaylist('180p')!].flatMap(filesIn);
    expect(new Set(files).size).toBe(8);
    for (const node of [broadcast.origin, successor]) {
      for (const file of files) {
        expect([file, (await broadcast.get(`${broadcast.signed}/180p/${file}`, node)).status]).toEqual([file, 200]);
      }
    }
    expect((await broadcast.get(`${broadcast.signed}/180p/none.m4s`)).status).toBe(404);
    expect((await broadcast.get(`${broadcast.signed}/180p/none.m4s`, successor)).status).toBe(404);
  });

  it('answers 404 for segments of a lost former node', async () => {
    const [file] = /^[^#\n].*$/m.exec(former())!;
    await publish();
    await broadcast.close();
    expect((await broadcast.get(`${broadcast.signed}/180p/${file}`, successor)).status).toBe(404);
    expect((await playlistOf(successor)).status).toBe(200);
  });

  it('serves the former files while the successor is unreachable', async () => {
    await successor.close();
    expect(await playlistOf(broadcast.origin)).toMatchObject({ status: 200, text: former() });
  });

  it('serves the former files while the successor answers with errors', async () => {
    await successorBus.close();
    const broken = await startServer(response => response.writeHead(500).end());
    const bus = new MemoryBus(broadcast.broker);
    await bus.respond(broadcastOrigin.forResource('bcast_1'), () => Promise.resolve({ internalUrl: broken.url }));
    expect(await playlistOf(broadcast.origin)).toMatchObject({ status: 200, text: former() });
    await Promise.all([broken.close(), bus.close()]);
  });

  it('does not wait long for a silent former node', async () => {
    const silent = await startServer(() => undefined);
    // Only this node's own timeout can end the request: nothing else answers before the test ends.
    const node = await startOrigin(broadcast.verifier, { patienceMs: { ...patience, successor: 50 } });
    await node.present('bcast_1', options, { continues: { ageSeconds: 3, formerUrl: silent.url } });
    expect((await playlistOf(node)).status).toBe(503);
    // The owner would have 35 s.
    const waiting = broadcast.get(`${broadcast.signed}/180p/index.m3u8?_HLS_msn=1`, node).timeout(30_000);
    expect((await waiting).status).toBe(503);
    await Promise.all([node.close(), silent.close()]);
  });

  it('never serves a former playlist after a new one', async () => {
    await publish();
    await playlistOf(broadcast.origin);
    await successor.close();
    const answer = await broadcast.get(`${broadcast.signed}/180p/index.m3u8`);
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '2']);
    const [file] = filesIn(former());
    expect((await broadcast.get(`${broadcast.signed}/180p/${file}`)).status).toBe(200);
  });

  it('lets players of the former node wait at the successor, longer than for other answers', async () => {
    await successorBus.close();
    const bus = new MemoryBus(broadcast.broker);
    // No wait ends by its time.
    const next = await startOrigin(broadcast.verifier, { bus, clock: new ManualClock() });
    const continues = { ageSeconds: 3, formerUrl: broadcast.origin.url };
    continued = await next.present('bcast_1', { ...options, isLow: true }, { continues });
    await publish();
    const node = await startOrigin(broadcast.verifier, { bus, patienceMs: { ...patience, former: 1 } });
    const presentation = await node.present('bcast_1', options, { isOnBus: false });
    presentation.handOver();
    presentation.beOvertaken();
    const asked = Promise.resolve(broadcast.get(`${broadcast.signed}/180p/index.m3u8?_HLS_msn=9`, node));
    await waitFor(() => Promise.resolve(next.waiting.size > 0), { what: 'the waiting request' });
    expect(node.waiting.size).toBe(1);
    await publish();
    expect((await asked).status).toBe(200);
    await Promise.all([node.close(), next.close()]);
    await bus.close();
  });

  it('is found by replicas that still ask the former node', async () => {
    await publish();
    const answer = await broadcast
      .get(`${broadcast.signed}/180p/index.m3u8`, broadcast.origin)
      .set('X-RTMS-Forwarded', 'replica');
    expect(answer.text).toBe(continued.mediaPlaylist('180p'));
  });

  function former(): string {
    return broadcast.presentation.mediaPlaylist('180p')!;
  }
});

/** Segments and init segments that a playlist names. */
function filesIn(playlist: string): string[] {
  const maps = [...playlist.matchAll(/MAP:URI="(.*)"/g)].map(([, file]) => file!);
  return [...new Set([...playlist.matchAll(/^[^#\n].*$/gm)].map(([file]) => file).concat(maps))];
}

/** Another node, which answers every request with an error. */
async function startServer(answer: (response: ServerResponse) => unknown) {
  const server = createServer((_request, response) => void answer(response));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise(resolve => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
