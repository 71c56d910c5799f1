/** @seconds 15 */
import type { SampledMinute, SessionSample } from '@rtms/contracts';
import { RetentionService } from '../../admin/retention/retention.service.js';
import { MediaTestBed } from '../../testing/media-test-bed.js';

const collectMs = 20_000;

interface History {
  stepSeconds: number;
  samples: (Omit<SessionSample, 'at'> & { at: string })[];
  events: { at: string; state: string; reason: string | null }[];
}

describe('the history of a session', () => {
  let bed: MediaTestBed;
  let start: number;

  beforeEach(async () => {
    bed = await MediaTestBed.start();
    start = Math.floor(bed.clock.now() / 60_000) * 60_000;
  });
  afterEach(() => bed?.close());

  const minuteOf = (sessionID: string, minute: number, bitrate = 1_000_000): SampledMinute => {
    const values = { bitrate, fractionLost: 0.25, jitterMs: 3.5, roundTripMs: null, frameRate: 30 };
    const samples = [0, 10, 20, 30, 40, 50].map(second => ({ at: start + minute * 60_000 + second * 1000, ...values }));
    return { sessionID, minute: start + minute * 60_000, samples };
  };
  const read = async (sessionID: string, query = '', account = bed.account) => {
    const path = `${bed.path('external-sessions', sessionID)}/history${query}`;
    const { status, body } = await bed.request('get', path, undefined, account);
    return { status, history: body['history'] as History, error: body.error };
  };

  it('tells when and why the state changed', async () => {
    const sessionID = await bed.openActiveSession();
    await bed.sfu.loseSource(sessionID);
    await bed.settled();
    await bed.sfu.activate(sessionID);
    await bed.settled();
    await bed.remove('external-sessions', sessionID);
    const { events } = (await read(sessionID)).history;
    expect(events.map(({ state, reason }) => [state, reason])).toEqual([
      ['active', null],
      ['pending', 'publisher_lost'],
      ['active', null],
      ['ended', 'requested'],
    ]);
  });

  it('tells that the node was lost', async () => {
    const sessionID = await bed.openActiveSession();
    await bed.startSfu('sfu-2');
    await bed.lose(bed.sfu);
    await bed.advance(10_000);
    const { events } = (await read(sessionID)).history;
    expect(events).toContainEqual(expect.objectContaining({ state: 'pending', reason: 'node_lost' }));
  });

  it('has the samples of its nodes, also after its end and after the end of the node', async () => {
    const sessionID = await bed.openActiveSession();
    bed.sfu.sampled = [minuteOf(sessionID, -2), minuteOf('ext_other', -2, 7), minuteOf(sessionID, -1)];
    await bed.advance(collectMs);
    await bed.remove('external-sessions', sessionID);
    await bed.lose(bed.sfu);
    const { stepSeconds, samples } = (await read(sessionID)).history;
    expect(stepSeconds).toBe(10);
    expect(samples).toHaveLength(12);
    expect(samples[0]).toEqual({
      at: new Date(start - 120_000).toISOString(),
      ...{ bitrate: 1_000_000, fractionLost: 0.25, jitterMs: 3.5, roundTripMs: null, frameRate: 30 },
    });
  });

  it('has the samples that are not stored yet, each once', async () => {
    const sessionID = await bed.openActiveSession();
    bed.sfu.sampled = [minuteOf(sessionID, -2)];
    await bed.advance(collectMs);
    bed.sfu.sampled.push(minuteOf(sessionID, -1, 5));
    const { samples } = (await read(sessionID)).history;
    expect(samples.map(({ bitrate }) => bitrate)).toEqual([...Array(6).fill(1_000_000), ...Array(6).fill(5)]);
  });

  it('is stored once by a gateway and its successor', async () => {
    const sessionID = await bed.openActiveSession();
    bed.sfu.sampled = [minuteOf(sessionID, -2)];
    await bed.advance(collectMs);
    await bed.replaceGateway(() => Promise.resolve());
    bed.sfu.sampled.push(minuteOf(sessionID, -1));
    await bed.advance(collectMs);
    await bed.remove('external-sessions', sessionID);
    expect((await read(sessionID)).history.samples).toHaveLength(12);
  });

  it('joins the samples of a long period', async () => {
    const sessionID = await bed.openActiveSession();
    bed.sfu.sampled = [minuteOf(sessionID, -2, 2), minuteOf(sessionID, -1, 4)];
    await bed.advance(collectMs);
    const [from, to] = [start - 24 * 3_600_000, start].map(each => new Date(each).toISOString());
    const { stepSeconds, samples } = (await read(sessionID, `?from=${from}&to=${to}`)).history;
    expect(stepSeconds).toBe(120);
    expect(samples.map(({ bitrate }) => bitrate)).toEqual([3]);
  });

  it.each([
    ['?from=2026-11-21T10:00:00Z&to=2026-11-21T09:00:00Z', 'from must be before to.'],
    ['?from=2026-11-01T10:00:00Z&to=2026-11-21T09:00:00Z', 'from must be at most 48 hours before to.'],
  ])('refuses the period %s', async (query, error) => {
    const sessionID = await bed.openSession();
    expect(await read(sessionID, query)).toMatchObject({ status: 400, error });
  });

  it('comes with the playbacks, broadcasts and recordings of the session alone', async () => {
    const [sessionID, other] = [await bed.openActiveSession(), await bed.openActiveSession()];
    const made: Record<string, string[]> = { playbacks: [], broadcasts: [], recordings: [] };
    for (const source of [sessionID, other]) {
      made['playbacks']?.push(await bed.openPlayback(source));
      made['broadcasts']?.push(await bed.openBroadcast(source));
      const start = { action: 'start', meetingID: bed.meetingID, sourceSessionID: source };
      const { body } = await bed.request('post', '/v1/recordings', start);
      made['recordings']?.push((body['recording'] as { recordingID: string }).recordingID);
    }
    const listed = async (path: string, many: string, id: string) => {
      const { body } = await bed.request('get', `${path}?sourceSessionID=${sessionID}`);
      return [body['total'], (body[many] as Record<string, string>[]).map(each => each[id])];
    };
    expect(await listed(bed.path('playbacks'), 'playbacks', 'playbackID')).toEqual([1, made['playbacks']?.slice(0, 1)]);
    expect(await listed(bed.path('broadcasts'), 'broadcasts', 'broadcastID')).toEqual([
      1,
      made['broadcasts']?.slice(0, 1),
    ]);
    expect(await listed('/v1/recordings', 'recordings', 'recordingID')).toEqual([1, made['recordings']?.slice(0, 1)]);
  });

  it('is hidden from other accounts', async () => {
    const sessionID = await bed.openActiveSession();
    expect((await read(sessionID, '', await bed.gateway.makeAccount())).status).toBe(404);
    expect((await read('ext_unknown')).status).toBe(404);
  });

  it('loses its samples two days after they were taken', async () => {
    const sessionID = await bed.openActiveSession();
    bed.sfu.sampled = [minuteOf(sessionID, -2 * 24 * 60 - 1), minuteOf(sessionID, -1)];
    await bed.advance(collectMs);
    await bed.gateway.app.get(RetentionService, { strict: false }).run();
    await bed.remove('external-sessions', sessionID);
    const [from, to] = [start - 48 * 3_600_000 + 1, start].map(each => new Date(each).toISOString());
    expect((await read(sessionID, `?from=${from}&to=${to}`)).history.samples).toHaveLength(1);
    const before = [start - 60 * 3_600_000, start - 24 * 3_600_000].map(each => new Date(each).toISOString());
    expect((await read(sessionID, `?from=${before[0]}&to=${before[1]}`)).history.samples).toEqual([]);
  });
});
