import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Reflector } from '@nestjs/core';
import { operations } from '@rtms/contracts';
import { administratorOnlyKey, requiredOperationKey } from '../auth/auth.decorators.js';
import { dashboardAccessKey } from '../auth/signed-in.decorators.js';
import { startTestGateway, type TestAccount, type TestGateway } from '../../testing/start-test-gateway.js';
import { collectRoutes } from './route-table.js';

describe('the HTTP surface of the gateway', () => {
  let gateway: TestGateway;
  let owner: TestAccount;

  beforeAll(async () => {
    gateway = await startTestGateway();
    owner = await gateway.makeAccount();
  });
  afterAll(() => gateway.close());

  const postRooms = () => gateway.http.post('/v1/rooms').set('Authorization', owner.authorization);
  const postText = (body: string | Buffer, type = 'application/json') =>
    postRooms()
      .set('Content-Type', type)
      .serialize(each => each as unknown as string)
      .send(body);

  it('has a declared right for every route', () => {
    const reflector = new Reflector();
    const routes = collectRoutes(gateway.app);
    const undeclared = routes.filter(({ path, handler, controller }) => {
      const targets = [handler, controller];
      if (['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs/openapi.json'].includes(path)) return false;
      if (path.startsWith('/admin/'))
        return reflector.getAllAndOverride<unknown>(administratorOnlyKey, targets) !== true;
      if (path.startsWith('/dashboard/'))
        return reflector.getAllAndOverride<unknown>(dashboardAccessKey, targets) === undefined;
      const anyOf = reflector.getAllAndOverride<readonly unknown[] | undefined>(requiredOperationKey, targets) ?? [];
      return anyOf.length === 0 || anyOf.some(each => !operations.some(known => known === each));
    });
    expect(routes.length).toBeGreaterThan(10);
    expect(undeclared.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it.each(['/v1/rooms', '/v1/unknown', '/admin/v1/accounts', '/dashboard/api/session'])(
    'tells caches to store no answer of %s',
    async path => {
      const { headers } = await gateway.http.get(path).set('Authorization', owner.authorization);
      expect(headers['cache-control']).toBe('private, no-store');
    },
  );

  it('refuses every route of accounts and administrators without a credential', async () => {
    /** To sign in, to ask who is signed in, to set a password by a link, and to create the first administrator. */
    const open = [
      ...['session', 'password-reset', 'invitations/accept', 'setup'].map(path => `POST /dashboard/api/${path}`),
      ...['session', 'setup'].map(path => `GET /dashboard/api/${path}`),
    ];
    const guarded = collectRoutes(gateway.app).filter(({ path }) => /^\/(?:v1|admin|dashboard)\//.test(path));
    for (const { method, path } of guarded) {
      if (open.includes(`${method} ${path}`)) continue;
      const url = path.replace(/\/@.*$/, '').replace(/:\w+/g, 'x');
      const response = await gateway.http[method.toLowerCase() as 'get'](url);
      expect([path, response.status, response.body.code]).toEqual([path, 401, 'UNAUTHORIZED']);
    }
  });

  it.each([
    ['GET', '/v1/rooms', ''],
    ['POST', '/v1/rooms', '{"action":"create","userName":"Ada"}'],
    ['GET', '/v1/socket', ''],
  ])('ignores Upgrade: h2c in %s %s', async (method, path, body) => {
    const { port } = new URL(gateway.url);
    const socket = connect(Number(port), '127.0.0.1');
    const ask = (upgrade: string) =>
      socket.write(
        `${method} ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${upgrade}` +
          `Content-Length: ${body.length}\r\n\r\n${body}`,
      );
    ask('Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n');
    const [first] = (await once(socket, 'data')) as [Buffer];
    ask('Connection: close\r\n');
    for (const answer of [first.toString(), await text(socket)]) {
      expect(answer).toMatch(/^HTTP\/1\.1 401 .*X-Request-Id: .*"success":false/is);
    }
  });

  it.each<[string, string, number, string, string]>([
    ['GET', '/unknown', 404, 'NOT_FOUND', 'not_found'],
    ['GET', '/v1/unknown', 404, 'NOT_FOUND', 'not_found'],
    ['GET', '/V1/rooms', 404, 'NOT_FOUND', 'not_found'],
    ['POST', '/v1/rooms/@create', 404, 'NOT_FOUND', 'not_found'],
    ['POST', '/v1/rooms/%40create', 404, 'NOT_FOUND', 'not_found'],
    ['PUT', '/v1/rooms', 405, 'BAD_REQUEST', 'method_not_allowed'],
    ['DELETE', '/healthz', 405, 'BAD_REQUEST', 'method_not_allowed'],
    ['GET', '/v1/rooms?action=paint', 400, 'BAD_REQUEST', 'unknown_action'],
    ['GET', '/v1/rooms?meetingID=%00', 400, 'BAD_REQUEST', 'invalid_request'],
    ['POST', '/v1/rooms', 400, 'BAD_REQUEST', 'unknown_action'],
  ])('answers %s %s with %i %s', async (method, path, status, code, reason) => {
    const response = await gateway.http[method.toLowerCase() as 'get'](path).set('Authorization', owner.authorization);
    expect(response.status).toBe(status);
    expect(response.body).toEqual({ success: false, error: expect.any(String), code, reason });
  });

  it('lists the methods of a path in Allow', async () => {
    const response = await gateway.http.put('/v1/rooms').set('Authorization', owner.authorization);
    expect(response.headers['allow']).toBe('GET, POST');
  });

  it('lists the actions of a resource after an unknown action', async () => {
    const { body } = await postRooms().send({ action: 'paint' }).expect(400);
    expect(body.error).toBe('Unknown action. Actions here are: create, join, update, end, delete.');
  });

  it.each<[string, string, string, number, string]>([
    ['malformed JSON', '{"action":', 'application/json', 400, 'malformed_json'],
    ['a doubled field', '{"action":"create","action":"end"}', 'application/json', 400, 'malformed_json'],
    ['a prototype', '{"action":"create","userName":"A","__proto__":{"a":1}}', 'application/json', 400, 'unknown_field'],
    ['a list', '[]', 'application/json', 400, 'invalid_request'],
    ['a bare value', 'null', 'application/json', 400, 'invalid_request'],
    ['a form', 'action=create', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
    ['another charset', '{}', 'application/json; charset=utf-16', 415, 'unsupported_media_type'],
    ['plain text', '{}', 'text/plain', 415, 'unsupported_media_type'],
  ])('refuses %s', async (_, body, type, status, reason) => {
    const response = await postText(body, type);
    expect(response.status).toBe(status);
    expect(response.body).toMatchObject({ success: false, code: 'BAD_REQUEST', reason });
  });

  it('accepts a body of 256 KiB and refuses a larger one', async () => {
    const bodyOf = (bytes: number) => `{"action":"x","pad":"${'a'.repeat(bytes - 23)}"}`;
    const fits = await postText(bodyOf(256 * 1024));
    expect(fits.body).toMatchObject({ reason: 'unknown_action' });
    const tooLarge = await postText(bodyOf(256 * 1024 + 1));
    expect(tooLarge.status).toBe(413);
    expect(tooLarge.body).toMatchObject({ success: false, code: 'BAD_REQUEST', reason: 'body_too_large' });
  });

  it.each(['/dashboard/api/session', '/nowhere'])(
    'takes at most 16 KiB of a sender that is not identified at %s',
    async path => {
      const post = (bytes: number) => {
        const shell = JSON.stringify({ email: '' }).length;
        return gateway.http.post(path).send({ email: 'a'.repeat(bytes - shell) });
      };
      expect((await post(16 * 1024)).body).not.toMatchObject({ reason: 'body_too_large' });
      const { status, body } = await post(16 * 1024 + 1);
      expect([status, body]).toEqual([413, expect.objectContaining({ reason: 'body_too_large' })]);
    },
  );

  it('refuses ten megabytes and continues to serve', async () => {
    // The gateway may answer and close the connection while the client still sends.
    const outcome: unknown = await postText(Buffer.alloc(10 * 1024 * 1024, 97)).then(
      response => response.status,
      (error: unknown) => (error as { code?: string }).code,
    );
    expect([413, 'EPIPE', 'ECONNRESET']).toContain(outcome);
    await gateway.http.get('/v1/rooms').set('Authorization', owner.authorization).expect(200);
  });

  it('refuses a body that is not UTF-8', async () => {
    const { body } = await postText(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]));
    expect(body).toMatchObject({ reason: 'malformed_json' });
  });

  it('survives a request that ends in the middle of its body', async () => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    socket.end(
      `POST /v1/rooms HTTP/1.1\r\nHost: x\r\nAuthorization: ${owner.authorization}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"action"',
    );
    expect(await text(socket)).not.toContain('HTTP/1.1 500');
    await gateway.http.get('/healthz').expect(200);
  });

  it('keeps an acceptable request id and replaces any other', async () => {
    const kept = await gateway.http.get('/healthz').set('X-Request-Id', 'abc_DEF-123');
    expect(kept.headers['x-request-id']).toBe('abc_DEF-123');
    const replaced = await gateway.http.get('/healthz').set('X-Request-Id', 'has spaces');
    expect(replaced.headers['x-request-id']).toMatch(/^[A-Za-z0-9_-]{10,64}$/);
  });

  it('answers HEAD like GET, without a body', async () => {
    const response = await gateway.http.head('/v1/rooms').set('Authorization', owner.authorization);
    expect([response.status, response.text]).toEqual([200, undefined]);
  });

  it('answers health and metrics to everyone', async () => {
    await gateway.http.get('/healthz').expect(200);
    await gateway.http.get('/readyz').expect(200);
    await gateway.http.get('/metrics').expect(200);
  });
});
