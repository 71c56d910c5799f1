import { inspect } from 'node:util';
import { RtmsConflictError, RtmsForbiddenError, RtmsNotFoundError, RtmsRateLimitedError } from './generated/errors.js';
import { createRtms, type RtmsApiError, RtmsConnectionError, type RtmsError } from './index.js';
import { FakeGateway, fails, isSilent, refuses, succeeds } from './testing/fake-gateway.js';

const room = { meetingID: 'room_1', state: 'active' };
const created = succeeds({ room, join: {} }, 201);
const busy = fails(503, 'SERVICE_UNAVAILABLE', 'controller_unavailable');
const missing = fails(404, 'NOT_FOUND', 'not_found');

/** The error of a rejected promise. */
const errorOf = (promise: Promise<unknown>): Promise<RtmsError> =>
  promise.then(
    () => {
      throw new Error('The call succeeded.');
    },
    (error: unknown) => error as RtmsError,
  );

/** Moves the time until the call settles. */
async function settle<Result>(gateway: FakeGateway, call: Promise<Result>, limitMs = 60_000): Promise<Result> {
  call.catch(() => undefined);
  await gateway.clock.advance(limitMs);
  return call;
}

describe('a call', () => {
  it('sends the key, the action and the fields, and answers what the API answered', async () => {
    const gateway = new FakeGateway([created]);
    expect(await gateway.rtms.rooms.create({ userName: 'Ada' })).toEqual({ room, join: {} });
    const [{ method, path, headers, body } = {}] = gateway.requests;
    expect({ method, path, body }).toEqual({
      method: 'POST',
      path: '/v1/rooms',
      body: { action: 'create', userName: 'Ada' },
    });
    expect(headers).toMatchObject({ authorization: 'Bearer acme:k3y', 'content-type': 'application/json' });
  });

  it('writes identifiers into the path and filters into the query', async () => {
    const gateway = new FakeGateway([succeeds({ history: {} })]);
    await gateway.rtms.externalSessions.getHistory('room/1', 'ext_1', { from: '2026-01-01T00:00:00.000Z' });
    expect(gateway.requests[0]!.path).toBe(
      '/v1/meetings/room%2F1/external-sessions/ext_1/history?from=2026-01-01T00%3A00%3A00.000Z',
    );
  });

  it('refuses an empty identifier, which would be the path of the list', () => {
    const gateway = new FakeGateway([created]);
    expect(() => gateway.rtms.externalSessions.get('room_1', '')).toThrow('sessionID must be the identifier');
    expect(gateway.requests).toEqual([]);
  });

  it.each([
    ['url', { url: 'rtms.example.com', key: 'a:b' }],
    ['url', { url: 'https://rtms.example.com/?key=1', key: 'a:b' }],
    ['key', { url: 'https://rtms.example.com', key: 'Bearer a:b' }],
  ])('names a wrong %s', (name, options) => {
    expect(() => createRtms(options)).toThrow(`\`${name}\` must be`);
  });
});

describe('a retry', () => {
  it('keeps the Idempotency-Key of its call, which no other call has', async () => {
    const gateway = new FakeGateway([busy, refuses, created]);
    await settle(gateway, gateway.rtms.rooms.create({ userName: 'Ada' }));
    await settle(gateway, gateway.rtms.rooms.create({ userName: 'Ada' }));
    const [first, second, third, other] = gateway.requests.map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect([second, third]).toEqual([first, first]);
    expect(other).not.toBe(first);
  });

  it('sends the caller’s Idempotency-Key, and none with a GET', async () => {
    const gateway = new FakeGateway([created]);
    await gateway.rtms.rooms.create({ userName: 'Ada' }, { idempotencyKey: 'order-42' });
    await gateway.rtms.rooms.get('room_1', { idempotencyKey: 'order-42' });
    expect(gateway.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['order-42', undefined]);
  });

  it.each([
    ['seconds', '7'],
    ['a date', new Date(Date.parse('2026-01-01T00:00:07.000Z')).toUTCString()],
  ])('waits for a Retry-After in %s', async (_, header) => {
    const limited = fails(429, 'RATE_LIMITED', 'rate_limited', { 'Retry-After': header });
    const gateway = new FakeGateway([limited, created]);
    const call = gateway.rtms.rooms.create({ userName: 'Ada' });
    await gateway.clock.advance(6_999);
    expect(gateway.requests.length).toBe(1);
    await gateway.clock.advance(1);
    await call;
  });

  it('waits longer before each attempt, and fails with the last failure', async () => {
    const gateway = new FakeGateway([busy]);
    const call = errorOf(gateway.rtms.rooms.get('room_1'));
    await gateway.clock.advance(124);
    expect(gateway.requests.length).toBe(1);
    await gateway.clock.advance(126 + 500 + 1_000);
    expect(gateway.requests.length).toBe(4);
    expect(await call).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      reason: 'controller_unavailable',
      retryable: true,
    });
  });

  it('does not begin after the limit of the call', async () => {
    const limited = fails(429, 'RATE_LIMITED', 'rate_limited', { 'Retry-After': '60' });
    const gateway = new FakeGateway([limited]);
    expect(await errorOf(gateway.rtms.rooms.get('room_1'))).toBeInstanceOf(RtmsRateLimitedError);
    expect(gateway.clock.pending).toBe(0);
  });

  it.each([
    ['a request that cannot succeed', missing, 1],
    ['a request whose first attempt still runs', fails(409, 'CONFLICT', 'idempotency_key_in_use'), 4],
    ['a connection that fails', refuses, 4],
  ])('%s: as often as makes sense', async (_, answer, attempts) => {
    const gateway = new FakeGateway([answer]);
    await settle(gateway, errorOf(gateway.rtms.rooms.create({ userName: 'Ada' })));
    expect(gateway.requests.length).toBe(attempts);
  });

  it('can be switched off for one call', async () => {
    const gateway = new FakeGateway([busy]);
    expect(await errorOf(gateway.rtms.rooms.get('room_1', { maxRetries: 0 }))).toMatchObject({ status: 503 });
  });
});

describe('the time of a call', () => {
  it('bounds each attempt and the whole call', async () => {
    const gateway = new FakeGateway([isSilent], { timeoutMs: 5_000, attemptTimeoutMs: 2_000 });
    const call = errorOf(gateway.rtms.rooms.get('room_1'));
    await gateway.clock.advance(5_000);
    expect(await call).toMatchObject({ name: 'RtmsConnectionError', code: 'timeout' });
    expect(gateway.requests.length).toBe(3);
    expect(gateway.clock.pending).toBe(0);
  });

  it.each([
    ['an attempt', isSilent],
    ['a pause', busy],
  ])('ends with the caller’s signal during %s', async (_, answer) => {
    const gateway = new FakeGateway([answer]);
    const { signal, abort } = controller();
    const call = gateway.rtms.rooms.get('room_1', { signal });
    await gateway.clock.advance(1);
    abort(new Error('The user left.'));
    await expect(call).rejects.toThrow('The user left.');
    expect([gateway.requests.length, gateway.clock.pending]).toEqual([1, 0]);
  });

  it('sends nothing when the signal has aborted', async () => {
    const gateway = new FakeGateway([created]);
    await expect(gateway.rtms.rooms.get('room_1', { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
    expect(gateway.requests).toEqual([]);
  });
});

describe('a failure', () => {
  it('has the class of its code, and the request’s identifier', async () => {
    const gateway = new FakeGateway([missing]);
    const error = await errorOf(gateway.rtms.rooms.get('room_2'));
    expect(error).toBeInstanceOf(RtmsNotFoundError);
    expect(error).toMatchObject({
      ...{ name: 'RtmsNotFoundError', message: 'It is not_found.', code: 'NOT_FOUND', reason: 'not_found' },
      ...{ status: 404, requestID: 'request-1', retryable: false },
    });
  });

  it('has further members of the body', async () => {
    const body = { success: false, error: 'Full.', code: 'FORBIDDEN', reason: 'limit_reached', limit: { rooms: 1 } };
    const gateway = new FakeGateway([() => Response.json(body, { status: 403 })]);
    const error = await errorOf(gateway.rtms.rooms.create({ userName: 'Ada' }));
    expect(error).toBeInstanceOf(RtmsForbiddenError);
    expect((error as RtmsApiError).details).toEqual({ limit: { rooms: 1 } });
  });

  it('of a later gateway keeps its unknown code', async () => {
    const gateway = new FakeGateway([fails(418, 'TEAPOT', 'short_and_stout')]);
    expect(await errorOf(gateway.rtms.rooms.get('room_1'))).toMatchObject({ name: 'RtmsApiError', code: 'TEAPOT' });
  });

  it.each([
    ['a page of a proxy', () => new Response('<h1>Bad gateway</h1>', { status: 404 })],
    ['a redirect', () => new Response(null, { status: 301, headers: { Location: 'https://www.rtms.test' } })],
    ['a page instead of JSON', () => new Response('<h1>Welcome</h1>')],
  ])('that is %s asks for the right url', async (_, answer) => {
    const error = await errorOf(new FakeGateway([answer]).rtms.rooms.get('room_1'));
    expect(error).toMatchObject({ code: 'unexpected_answer', retryable: false });
    expect(error.message).toContain('Check that `url`');
  });

  it('and the SDK itself show no key', async () => {
    const gateway = new FakeGateway([refuses, fails(401, 'UNAUTHORIZED', 'key_expired')], { maxRetries: 0 });
    const errors = [await errorOf(gateway.rtms.rooms.get('room_1')), await errorOf(gateway.rtms.rooms.get('room_1'))];
    expect(errors[0]).toBeInstanceOf(RtmsConnectionError);
    const shown = [gateway.rtms, ...errors].map(each => inspect(each, { depth: 10, showHidden: true }));
    expect(shown.join('\n')).not.toContain('k3y');
    expect(JSON.stringify([gateway.rtms, ...errors])).not.toContain('k3y');
  });

  it('is not retried if the outcome is unknown', async () => {
    const gateway = new FakeGateway([fails(409, 'CONFLICT', 'idempotency_outcome_unknown')]);
    expect(await errorOf(gateway.rtms.rooms.create({ userName: 'Ada' }))).toBeInstanceOf(RtmsConflictError);
    expect(gateway.requests.length).toBe(1);
  });
});

function controller(): { signal: AbortSignal; abort: (reason: Error) => void } {
  const made = new AbortController();
  return { signal: made.signal, abort: reason => made.abort(reason) };
}
