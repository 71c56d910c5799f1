import type { ManualClock } from '@rtms/testing';
import { MediaTestBed } from '../../testing/media-test-bed.js';
import { RoomClient } from '../../testing/room-client.js';

/** TOKEN_TTL_SECONDS, and the fraction of it after which the next token arrives. */
const ttlMs = 300_000;
const renewalMs = 0.6 * ttlMs;

describe('the tokens of a connection', () => {
  let bed: MediaTestBed;
  let clock: ManualClock;

  beforeAll(async () => {
    // No other background work runs.
    bed = await MediaTestBed.start({ config: { sweepSeconds: 3_600, reconcileSeconds: 3_600 } });
    ({ clock } = bed);
  });
  afterAll(() => bed?.close());
  // Tokens expire on a whole second.
  beforeEach(() => bed.advance(1_000 - (clock.now() % 1_000)));

  const ticket = async (): Promise<{ token: string; expiresAt: string }> => {
    const joining = { action: 'join', meetingID: bed.meetingID, userName: 'Grace' };
    const { body } = await bed.request('post', '/v1/rooms', joining);
    return (body as unknown as { join: { token: string; expiresAt: string } }).join;
  };
  const open: RoomClient[] = [];
  const connect = async (token: string): Promise<RoomClient> => {
    const client = await RoomClient.connect(bed.gateway.url, token);
    open.push(client);
    return client;
  };
  afterEach(() => {
    for (const client of open.splice(0)) client.close();
  });

  it('open a connection until they expire', async () => {
    const { token, expiresAt } = await ticket();
    expect(Date.parse(expiresAt)).toBe(clock.now() + ttlMs);
    await bed.advance(ttlMs - 1);
    expect((await connect(token)).id).toMatch(/^part_/);
    await bed.advance(1);
    expect(await RoomClient.refusal(bed.gateway.url, { token })).toMatchObject({ reason: 'token_expired' });
  });

  it('are renewed again and again, so that a client can reconnect after the first has expired', async () => {
    const { token } = await ticket();
    const client = await connect(token);
    await bed.advance(renewalMs - 1);
    await client.synchronized();
    expect(client.tokens.all).toEqual([]);
    await bed.advance(1);
    const [second] = await client.tokens.atLeast(1);
    expect(Date.parse(second?.expiresAt ?? '')).toBe(clock.now() + ttlMs);
    await bed.advance(renewalMs);
    const third = await client.tokens.find(({ expiresAt }) => Date.parse(expiresAt) === clock.now() + ttlMs);
    expect(await RoomClient.refusal(bed.gateway.url, { token })).toMatchObject({ reason: 'token_expired' });
    const back = await connect(third.token);
    expect(back.welcome).toMatchObject({ participantID: client.id, role: 'participant' });
    expect(await client.farewell()).toBe('replaced');
  });

  it('arrive soon on a connection with a token near its expiry', async () => {
    const { token } = await ticket();
    await bed.advance(ttlMs - 10_000);
    const client = await connect(token);
    await bed.advance(5_999);
    await client.synchronized();
    expect(client.tokens.all).toEqual([]);
    await bed.advance(1);
    const [next] = await client.tokens.atLeast(1);
    expect(Date.parse(next?.expiresAt ?? '')).toBe(clock.now() + ttlMs);
  });

  it('stop when the connection is closed', async () => {
    const client = await connect((await ticket()).token);
    await bed.settled();
    const timers = clock.pending;
    await client.must('leave', {});
    await client.disconnected();
    await bed.settled();
    expect(clock.pending).toBe(timers - 2);
  });
});
