/** @jest-environment jsdom */
import { FakeService, refusal } from '../testing/fake-service.js';
import { ApiError, request, setCsrfToken } from './request.js';
import { listOf } from './resource.js';

describe('a request of the page', () => {
  it.each([
    ['GET', undefined],
    ['POST', 'token'],
    ['PUT', 'token'],
    ['DELETE', 'token'],
  ] as const)('by %s carries the CSRF token: %s', async (method, token) => {
    const service = new FakeService().install().on(`${method} /v1/x`, {});
    setCsrfToken('token');
    await request(method, '/v1/x');
    expect(service.requests[0]?.headers['X-CSRF-Token']).toBe(token);
  });

  it('throws a refusal with its status, code, reason and delay', async () => {
    new FakeService()
      .install()
      .on('GET /v1/x', () => refusal(429, 'rate_limited', 'Slow down.', { 'Retry-After': '7' }));
    const error = await request('GET', '/v1/x').catch((thrown: unknown) => thrown as ApiError);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ message: 'Slow down.', status: 429, reason: 'rate_limited', retryAfterSeconds: 7 });
  });

  it('throws the status of an answer that is not JSON', async () => {
    const answer = {
      ok: false,
      status: 502,
      headers: { get: () => null },
      json: () => Promise.reject(new Error('<html>')),
    };
    Object.assign(window, { fetch: () => Promise.resolve(answer) });
    await expect(request('GET', '/v1/x')).rejects.toMatchObject({ status: 502, code: 'INTERNAL_ERROR' });
  });

  it('throws status 0 when there is no answer', async () => {
    new FakeService().install();
    await expect(request('GET', '/v1/x')).rejects.toMatchObject({ status: 0, code: 'NO_ANSWER' });
  });
});

describe('a page of a list', () => {
  it('is read by the name of its records', async () => {
    new FakeService().install().onList('/v1/things', 'things', [{ a: 1 }, { a: 2 }, { a: 3 }]);
    const listing = await listOf('/v1/things', 'things', { startIndex: 1, pageSize: 1 });
    expect(listing).toEqual({ items: [{ a: 2 }], total: 3, startIndex: 1, pageSize: 1 });
  });
});
