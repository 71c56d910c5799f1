import { MemoryBus } from '@rtms/bus';
import type { Presentation } from '../jobs/hls/presentation.js';
import { publishRun, startOrigin, type Origin } from '../../../../test/media/start-origin.js';
import { options, sizes, TestBroadcast } from './testing/test-broadcast.js';

describe('a broadcast that another node goes on with', () => {
  let broadcast: TestBroadcast;
  let successor: Origin;
  let continued: Presentation;

  beforeEach(async () => {
    // Nobody is told any more by the bus that the former has it.
    broadcast = await TestBroadcast.open({ isOnBus: false });
    successor = await startOrigin(broadcast.verifier, new MemoryBus(broadcast.broker));
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
  const publish = () => publishRun(continued, broadcast.media, sizes);

  it('has its former playlists at both nodes for as long as there are no new ones', async () => {
    const answers = [await playlistOf(broadcast.origin), await playlistOf(successor)];
    expect(answers.map(({ status, text }) => [status, text])).toEqual(Array(2).fill([200, former()]));
    for (const node of [broadcast.origin, successor]) {
      expect((await broadcast.get(`${broadcast.entry}?token=${broadcast.token}`, node)).status).toBe(200);
    }
  });

  it('has its new playlists at both nodes as soon as there are some', async () => {
    await publish();
    for (const node of [broadcast.origin, successor]) {
      expect((await playlistOf(node)).text).toBe(continued.mediaPlaylist('180p'));
    }
  });

  it('has former and new segments at both nodes', async () => {
    const [file] = /^[^#\n].*$/m.exec(former())!;
    await publish();
    const path = `${broadcast.signed}/180p/${file}`;
    for (const node of [broadcast.origin, successor]) expect((await broadcast.get(path, node)).status).toBe(200);
    expect((await broadcast.get(`${broadcast.signed}/180p/none.m4s`, successor)).status).toBe(404);
  });

  it('is not missed where the former is gone: what only that one had is not found', async () => {
    const [file] = /^[^#\n].*$/m.exec(former())!;
    await publish();
    await broadcast.close();
    expect((await broadcast.get(`${broadcast.signed}/180p/${file}`, successor)).status).toBe(404);
    expect((await playlistOf(successor)).status).toBe(200);
  });

  it('is served from what the former has while the other cannot be reached', async () => {
    await successor.close();
    expect(await playlistOf(broadcast.origin)).toMatchObject({ status: 200, text: former() });
  });

  it('is found by replicas that still ask the former', async () => {
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
