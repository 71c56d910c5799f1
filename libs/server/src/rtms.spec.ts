import type { RtmsEvent } from './index.js';
import { FakeGateway, fails, refuses, succeeds } from './testing/fake-gateway.js';

const page = (items: string, names: string[], total: number, startIndex: number) =>
  succeeds({ [items]: names.map(name => ({ name })), total, startIndex, pageSize: 2 });

describe('a list', () => {
  it('reads page after page as the loop needs them', async () => {
    const gateway = new FakeGateway([page('rooms', ['a', 'b'], 3, 0), page('rooms', ['c'], 3, 2)]);
    const names: unknown[] = [];
    for await (const room of gateway.rtms.rooms.list({ state: 'active' })) names.push(room);
    expect(names).toEqual([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
    expect(gateway.requests.map(({ path }) => path)).toEqual([
      '/v1/rooms?pageSize=100&action=get&state=active',
      '/v1/rooms?pageSize=100&action=get&state=active&startIndex=2',
    ]);
  });

  it('sends no further request after the loop has ended', async () => {
    const gateway = new FakeGateway([page('externalSessions', ['a', 'b'], 9, 0)]);
    for await (const _ of gateway.rtms.externalSessions.list('room_1')) break;
    expect(gateway.requests.length).toBe(1);
  });

  it('ends at an empty page, although the total says more', async () => {
    const gateway = new FakeGateway([page('rooms', [], 5, 0)]);
    for await (const _ of gateway.rtms.rooms.list()) throw new Error('There is no room.');
    expect(gateway.requests.length).toBe(1);
  });

  it('gives one page with the total', async () => {
    const gateway = new FakeGateway([page('data', ['a', 'b'], 9, 4)]);
    const logs = await gateway.rtms.logs.listRoomLogs({ startIndex: 4, pageSize: 2 }).page();
    expect(logs).toEqual({ items: [{ name: 'a' }, { name: 'b' }], total: 9, hasMore: true });
    expect(gateway.requests[0]!.path).toBe('/v1/room/logs?startIndex=4&pageSize=2&envelope=1');
  });

  it('has the record that a filter names', async () => {
    const gateway = new FakeGateway([succeeds({ agent: { name: 'Ada' } })]);
    const { items } = await gateway.rtms.agents.list({ name: 'Ada' }).page();
    expect(items).toEqual([{ name: 'Ada' }]);
  });
});

describe('waitUntilActive', () => {
  const session = (state: string, more = {}) => succeeds({ externalSession: { sessionID: 'ext_1', state, ...more } });

  it('polls until the session is active', async () => {
    const gateway = new FakeGateway([session('pending'), session('pending'), session('active')]);
    const wait = gateway.rtms.externalSessions.waitUntilActive('room_1', 'ext_1');
    await gateway.clock.advance(1_000);
    expect(await wait).toEqual({ sessionID: 'ext_1', state: 'active' });
    expect(gateway.requests.length).toBe(3);
  });

  it('fails at once with the reason when the broadcast has failed', async () => {
    const broadcast = { broadcastID: 'bcast_1', state: 'failed', endReason: 'encoder_failed' };
    const gateway = new FakeGateway([succeeds({ broadcast })]);
    await expect(gateway.rtms.broadcasts.waitUntilActive('room_1', 'bcast_1')).rejects.toMatchObject({
      ...{ name: 'RtmsNotActiveError', code: 'not_active', reason: 'encoder_failed' },
    });
  });

  it('fails after its limit', async () => {
    const gateway = new FakeGateway([session('pending')]);
    const wait = gateway.rtms.externalSessions.waitUntilActive('room_1', 'ext_1', { timeoutMs: 3_000 });
    wait.catch(() => undefined);
    await gateway.clock.advance(3_000);
    await expect(wait).rejects.toThrow('still pending after 3000 ms');
    expect(gateway.clock.pending).toBe(0);
  });

  it('ends with the caller’s signal', async () => {
    const gateway = new FakeGateway([session('pending')]);
    const leaving = new AbortController();
    const { signal } = leaving;
    const wait = gateway.rtms.externalSessions.waitUntilActive('room_1', 'ext_1', { signal });
    wait.catch(() => undefined);
    await gateway.clock.advance(1);
    leaving.abort(new Error('The user left.'));
    await expect(wait).rejects.toThrow('The user left.');
    expect(gateway.clock.pending).toBe(0);
  });
});

describe('the stream of events', () => {
  const events = (sequences: number[], nextCursor: string | null, hasMore = false) =>
    succeeds({ events: sequences.map(sequence => ({ sequence })), nextCursor, hasMore });

  async function take(stream: AsyncIterable<RtmsEvent>, count: number): Promise<number[]> {
    const sequences: number[] = [];
    for await (const { sequence } of stream) if (sequences.push(sequence) === count) break;
    return sequences;
  }

  it('goes on from page to page, and waits for events', async () => {
    const gateway = new FakeGateway([events([1, 2], 'c2', true), events([], 'c2'), events([3], 'c3')]);
    const stream = gateway.rtms.events.stream({ after: 'c0', types: ['room.created', 'room.ended'], waitSeconds: 5 });
    expect(await take(stream, 3)).toEqual([1, 2, 3]);
    expect(gateway.requests.map(({ path }) => path)).toEqual([
      '/v1/events?after=c0&types=room.created%2Croom.ended&wait=5',
      '/v1/events?after=c2&types=room.created%2Croom.ended&wait=5',
      '/v1/events?after=c2&types=room.created%2Croom.ended&wait=5',
    ]);
    expect(stream.cursor).toBe('c2');
  });

  it('outlasts a connection that fails, and loses no event', async () => {
    const down = Array.from({ length: 8 }, () => refuses);
    const gateway = new FakeGateway([events([1], 'c1'), ...down, events([2], 'c2')]);
    const taken = take(gateway.rtms.events.stream(), 2);
    await gateway.clock.advance(60_000);
    expect(await taken).toEqual([1, 2]);
    expect(gateway.requests.at(-1)!.path).toBe('/v1/events?after=c1&wait=20');
  });

  it('rejects an expired cursor', async () => {
    const gateway = new FakeGateway([fails(410, 'GONE', 'cursor_expired')]);
    await expect(take(gateway.rtms.events.stream({ after: 'c0' }), 1)).rejects.toMatchObject({
      reason: 'cursor_expired',
    });
  });

  it('ends with its signal', async () => {
    const gateway = new FakeGateway([events([1], 'c1'), refuses]);
    const leaving = new AbortController();
    const taken = take(gateway.rtms.events.stream({ signal: leaving.signal }), 9);
    await gateway.clock.advance(1);
    leaving.abort();
    expect(await taken).toEqual([1]);
    expect(gateway.clock.pending).toBe(0);
  });
});
