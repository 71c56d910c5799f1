/** @seconds 15 */
import { packHlsSample, packSample, type ViewerMinute, type ViewerSample } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { RetentionService } from '../../admin/retention/retention.service.js';
import { MediaTestBed } from '../../testing/media-test-bed.js';

const collectMs = 20_000;

interface Viewer {
  viewerID: string;
  frozenMs: number;
  fault: string;
  reason: string;
  samples: Record<string, unknown>[];
}

describe('the viewers of a playback', () => {
  let bed: MediaTestBed;
  let start: number;
  let playbackID: string;

  beforeEach(async () => {
    bed = await MediaTestBed.start();
    start = Math.floor(bed.clock.now() / 60_000) * 60_000;
    playbackID = await bed.openPlayback(await bed.openActiveSession());
  });
  afterEach(() => bed?.close());

  const good: Omit<ViewerSample, 'at'> = {
    ...{ roundTripMs: 40, fractionLost: 0.01, retransmitted: 0.02, bitrate: 1_200_000, layer: 2, frozenMs: 0 },
    ...{ delayMs: 35, cause: 'none', value: 0 },
  };
  const minuteOf = (viewerID: string, minute: number, values: Partial<ViewerSample> = {}): ViewerMinute => {
    const at = start + minute * 60_000;
    const samples = [0, 10, 20, 30, 40, 50].map(second => ({ ...good, ...values, at: at + second * 1_000 }));
    return { playbackID, viewerID, minute: at, samples: samples.flatMap(each => packSample(each, at)) };
  };
  const read = async (query = '', account = bed.account, id = playbackID) => {
    const path = `${bed.path('playbacks', id)}/viewers${query}`;
    const { status, body } = await bed.request('get', path, undefined, account);
    return { status, viewers: body['viewers'] as Viewer[], body };
  };

  it('have samples, and a verdict in a sentence', async () => {
    bed.sfu.sampledViewers = [
      minuteOf('vwr_a', -2),
      minuteOf('vwr_b', -2, { fractionLost: 0.12, frozenMs: 2_000, cause: 'viewer_loss', value: 12 }),
    ];
    await bed.advance(collectMs);
    bed.sfu.sampledViewers = [];
    const { viewers, body } = await read();
    expect(body).toMatchObject({ success: true, stepSeconds: 10, nextCursor: null, hasMore: false });
    expect(viewers.map(({ viewerID, fault, frozenMs }) => [viewerID, fault, frozenMs])).toEqual([
      ['vwr_a', 'none', 0],
      ['vwr_b', 'viewer_network', 12_000],
    ]);
    expect(viewers[1]?.reason).toBe("The viewer's network lost 12 % of the packets.");
    expect(viewers[0]?.samples[0]).toEqual({
      ...{ at: new Date(start - 120_000).toISOString(), roundTripMs: 40, fractionLost: 0.01, retransmitted: 0.02 },
      ...{ bitrate: 1_200_000, layer: 2, frozenMs: 0, delayMs: 35 },
      ...{ fault: 'none', reason: 'The viewer receives the media well.' },
    });
  });

  it('have the samples that are not stored yet, each once, page by page', async () => {
    const ids = ['vwr_-', 'vwr_A', 'vwr__', 'vwr_a', 'vwr_b'];
    bed.sfu.sampledViewers = ids.slice(0, 3).map(viewerID => minuteOf(viewerID, -2));
    await bed.advance(collectMs);
    bed.sfu.sampledViewers.push(...ids.map(viewerID => minuteOf(viewerID, -1)));
    const seen: string[] = [];
    let after = '';
    for (let page = 0; page < 3; page++) {
      const { viewers, body } = await read(`?pageSize=2${after && `&after=${after}`}`);
      seen.push(...viewers.map(({ viewerID, samples }) => `${viewerID} ${samples.length}`));
      after = body['nextCursor'] as string;
      expect(body['hasMore']).toBe(page < 2);
    }
    expect(seen).toEqual(['vwr_- 12', 'vwr_A 12', 'vwr__ 12', 'vwr_a 6', 'vwr_b 6']);
  });

  it('have joined samples in a longer period', async () => {
    bed.sfu.sampledViewers = [
      minuteOf('vwr_a', -3),
      minuteOf('vwr_a', -2, { frozenMs: 500, cause: 'relay_loss', value: 5 }),
    ];
    await bed.advance(collectMs);
    bed.sfu.sampledViewers = [];
    const [from, to] = [start - 3_600_000, start].map(each => new Date(each).toISOString());
    const { viewers, body } = await read(`?from=${from}&to=${to}`);
    expect(body['stepSeconds']).toBe(60);
    expect(viewers[0]?.samples.map(({ fault, frozenMs }) => [fault, frozenMs])).toEqual([
      ['none', 0],
      ['relay', 3_000],
    ]);
  });

  it.each([
    ['?from=2026-11-21T10:00:00Z&to=2026-11-21T09:00:00Z', 'from must be before to.'],
    ['?from=2026-11-21T08:00:00Z&to=2026-11-21T10:00:00Z', 'from must be at most an hour before to.'],
    ['?after=room_1', 'after must be a nextCursor of this list.'],
    ['?pageSize=101', 'pageSize must be a whole number from 1 to 100.'],
  ])('refuse the query %s', async (query, error) => {
    expect((await read(query)).body).toMatchObject({ error, reason: 'invalid_request' });
  });

  it('are hidden from other accounts', async () => {
    expect((await read('', await bed.gateway.makeAccount())).status).toBe(404);
    expect((await read('', bed.account, 'play_unknown')).status).toBe(404);
  });

  it('of a broadcast have samples of their players, stored and new, with a verdict', async () => {
    const broadcastID = await bed.openActiveBroadcast(await bed.openActiveSession());
    const ofPlayer = { bufferMs: 2_500, stalls: 2, throughput: 500_000, bitrate: 900_000 };
    const minuteOfPlayer = (viewerID: string, minute: number) => {
      const at = start + minute * 60_000;
      const sample = { at, ...ofPlayer, cause: 'hls_slow', value: 500 } as const;
      return { broadcastID, viewerID, minute: at, samples: packHlsSample(sample, at) };
    };
    bed.transcoder.sampledViewers = [
      minuteOfPlayer('vwr_a', -3),
      { ...minuteOfPlayer('vwr_a', -2), samples: [1e9] },
      { ...minuteOfPlayer('vwr_a', -2), broadcastID: 'bcast_unknown' },
    ];
    await bed.advance(collectMs);
    bed.transcoder.sampledViewers = [minuteOfPlayer('vwr_a', -1), minuteOfPlayer('vwr_b', -1)];
    const path = `${bed.path('broadcasts', broadcastID)}/viewers`;
    const { status, body } = await bed.request('get', path);
    const viewers = body['viewers'] as (Viewer & { stalls: number })[];
    expect([status, viewers.map(({ viewerID, stalls, fault }) => [viewerID, stalls, fault])]).toEqual([
      200,
      [
        ['vwr_a', 4, 'viewer_network'],
        ['vwr_b', 2, 'viewer_network'],
      ],
    ]);
    expect(viewers[0]?.samples[0]).toEqual({
      ...{ at: new Date(start - 180_000).toISOString(), ...ofPlayer, fault: 'viewer_network' },
      reason: 'The player received 500 kbit/s, less than the lowest rendition needs.',
    });
    const [from, to] = [start - 3_600_000, start].map(each => new Date(each).toISOString());
    const joined = await bed.request('get', `${path}?pageSize=1&from=${from}&to=${to}`);
    expect(joined.body).toMatchObject({ stepSeconds: 60, nextCursor: 'vwr_a', hasMore: true });
    expect((await bed.request('get', path, undefined, await bed.gateway.makeAccount())).status).toBe(404);
  });

  it('lose their samples after a day, and with the playback; a broken row of a node stops no other', async () => {
    const count = async () => {
      const statement = 'SELECT count(*)::int AS rows FROM viewer_samples WHERE playback_id = $1';
      return (await bed.gateway.app.get(DataSource).query<{ rows: number }[]>(statement, [playbackID]))[0]?.rows;
    };
    bed.sfu.sampledViewers = [
      minuteOf('vwr_old', -24 * 60 - 2),
      { ...minuteOf('vwr_b', -3), samples: [1e9] },
      { ...minuteOf('vwr_c', -3), playbackID: 'play_unknown' },
      minuteOf('vwr_a', -2),
    ];
    await bed.advance(collectMs);
    expect(await count()).toBe(2);
    await bed.gateway.app.get(RetentionService, { strict: false }).run();
    expect(await count()).toBe(1);
    await bed.gateway.app.get(DataSource).query('DELETE FROM playbacks WHERE id = $1', [playbackID]);
    expect(await count()).toBe(0);
  });
});
