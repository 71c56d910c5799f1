import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { MemoryBus } from '@rtms/bus';
import { broadcastOrigin } from '@rtms/contracts';
import { freePort, ManualClock } from '@rtms/testing';
import { formatSignedPath } from '@rtms/tokens';
import request from 'supertest';
import { publishRun, startOrigin, type Origin } from '../../../../test/media/start-origin.js';
import { options, sizes, TestBroadcast } from './testing/test-broadcast.js';

describe('HLS delivery', () => {
  let broadcast: TestBroadcast;
  beforeEach(async () => {
    broadcast = await TestBroadcast.open();
  });
  afterEach(() => broadcast.close());

  async function closeNow(server: Server): Promise<void> {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }

  describe('a replica that does not have the broadcast', () => {
    let replica: Origin;
    let replicaBus: MemoryBus;
    let clock: ManualClock;
    beforeEach(async () => {
      clock = new ManualClock();
      replicaBus = new MemoryBus(broadcast.broker);
      replica = await startOrigin(broadcast.verifier, { bus: replicaBus, clock });
    });
    afterEach(() => replica.close());

    it('answers like the owner', async () => {
      for (const path of [
        `${broadcast.entry}?token=${broadcast.token}`,
        `${broadcast.signed}/index.m3u8`,
        `${broadcast.signed}/180p/index.m3u8`,
        await broadcast.firstSegment(),
      ]) {
        const [there, here] = [await broadcast.get(path), await broadcast.get(path, replica)];
        expect([here.status, here.text, here.body]).toEqual([200, there.text, there.body]);
        for (const name of ['content-type', 'content-encoding', 'content-length', 'etag', 'cache-control', 'vary']) {
          expect(here.headers[name]).toBe(there.headers[name]);
        }
      }
    });

    it('serves for a minute without the bus, with the last known address of the owner', async () => {
      const path = `${broadcast.signed}/180p/index.m3u8`;
      expect((await broadcast.get(path, replica)).status).toBe(200);
      replicaBus.disconnect();
      for (let second = 0; second < 60; second++) {
        await clock.advance(1_000);
        expect((await broadcast.get(path, replica)).status).toBe(200);
      }
      replicaBus.reconnect();
      expect((await broadcast.get(path, replica)).status).toBe(200);
    });

    it('keeps the address of an owner that fails once during an outage of the bus', async () => {
      const path = await broadcast.signer.signPath({ broadcastID: 'bcast_6', window: 1, expiresAt: 9_999_999_999 });
      const url = `/hls/bcast_6/${formatSignedPath(path)}/index.m3u8`;
      const port = await freePort();
      const listen = () => once(owner.listen(port, '127.0.0.1'), 'listening');
      const owner = createServer((_request, response) => response.end('#EXTM3U'));
      await listen();
      await replicaBus.respond(broadcastOrigin.forResource('bcast_6'), () =>
        Promise.resolve({ internalUrl: `http://127.0.0.1:${port}` }),
      );
      expect((await broadcast.get(url, replica)).status).toBe(200);
      replicaBus.disconnect();
      await closeNow(owner);
      expect((await broadcast.get(url, replica)).status).toBe(503);
      await listen();
      expect((await broadcast.get(url, replica)).status).toBe(200);
      await closeNow(owner);
    });

    it('answers 503 for a broadcast that it does not know while the bus is away', async () => {
      const path = await broadcast.signer.signPath({ broadcastID: 'bcast_7', window: 1, expiresAt: 9_999_999_999 });
      replicaBus.disconnect();
      const { status, headers } = await broadcast.get(`/hls/bcast_7/${formatSignedPath(path)}/index.m3u8`, replica);
      expect([status, Number(headers['retry-after']) > 0]).toEqual([503, true]);
    });

    it('passes ranges, conditions, HEAD and failures on', async () => {
      const path = await broadcast.firstSegment();
      const part = await broadcast.get(path, replica).set('Range', 'bytes=5-9');
      expect([part.status, part.body]).toEqual([206, broadcast.media[0]!.segments[0]!.bytes.subarray(5, 10)]);
      expect((await broadcast.get(path, replica).set('If-None-Match', part.headers['etag']!)).status).toBe(304);
      expect((await request(replica.url).head(path)).status).toBe(200);
      const missing = await broadcast.get(`${broadcast.signed}/180p/none.m4s`, replica);
      expect([missing.status, missing.body.reason]).toEqual([404, 'not_found']);
    });

    it('checks signatures itself', async () => {
      expect((await broadcast.get(`${broadcast.entry}?token=x`, replica)).status).toBe(401);
      expect((await broadcast.get('/hls/bcast_1/1/2/3/4/index.m3u8', replica)).status).toBe(403);
    });

    it('asks the bus once for many players', async () => {
      let asked = 0;
      const [id, path] = [
        'bcast_2',
        await broadcast.signer.signPath({ broadcastID: 'bcast_2', window: 1, expiresAt: 9_999_999_999 }),
      ];
      const responder = await replicaBus.respond(broadcastOrigin.forResource(id), () => {
        asked += 1;
        return Promise.resolve({ internalUrl: broadcast.origin.url });
      });
      const url = `/hls/${id}/${formatSignedPath(path)}/index.m3u8`;
      const answers = await Promise.all(Array.from({ length: 20 }, () => broadcast.get(url, replica)));
      expect([asked, answers.every(({ status }) => status === 404)]).toEqual([1, true]);
      await responder.close();
    });

    it('answers 404 if no node has the broadcast, and asks again after half a second', async () => {
      const path = formatSignedPath(
        await broadcast.signer.signPath({ broadcastID: 'bcast_3', window: 1, expiresAt: 9_999_999_999 }),
      );
      const url = `/hls/bcast_3/${path}/index.m3u8`;
      expect((await broadcast.get(url, replica)).status).toBe(404);
      await publishRun(await broadcast.origin.present('bcast_3', options), broadcast.media, sizes);
      await clock.advance(500);
      expect((await broadcast.get(url, replica)).status).toBe(404);
      await clock.advance(1);
      expect((await broadcast.get(url, replica)).status).toBe(200);
    });

    it('answers 503 while the owner is unreachable', async () => {
      const id = 'bcast_4';
      await replicaBus.respond(broadcastOrigin.forResource(id), () =>
        Promise.resolve({ internalUrl: 'http://127.0.0.1:1' }),
      );
      const path = formatSignedPath(
        await broadcast.signer.signPath({ broadcastID: id, window: 1, expiresAt: 9_999_999_999 }),
      );
      const { status, body, headers } = await broadcast.get(`/hls/${id}/${path}/index.m3u8`, replica);
      expect([status, body.reason, headers['retry-after']]).toEqual([503, 'dependency_unavailable', '2']);
    });

    it('never forwards in a loop', async () => {
      const id = 'bcast_5';
      await replicaBus.respond(broadcastOrigin.forResource(id), () =>
        Promise.resolve({ internalUrl: broadcast.origin.url }),
      );
      const path = formatSignedPath(
        await broadcast.signer.signPath({ broadcastID: id, window: 1, expiresAt: 9_999_999_999 }),
      );
      for (const node of [broadcast.origin, replica]) {
        expect((await broadcast.get(`/hls/${id}/${path}/index.m3u8`, node)).status).toBe(404);
      }
    });
  });
});
