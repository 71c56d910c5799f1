import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Controller, Get, Module, Post, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ServiceError } from '@rtms/contracts';
import { createLogger, httpLogging } from '@rtms/logging';
import express from 'express';
import request from 'supertest';
import { ErrorEnvelopeFilter, listen, methodNotAllowed, requestID } from './index.js';

@Controller()
class SpecController {
  @Get('busy')
  busy(): never {
    throw new ServiceError('capacity_reached', 'All workers are full.');
  }

  @Get('closed')
  closed(): never {
    throw new ServiceError('invalid_credentials', 'The key is wrong.');
  }

  @Get('broken')
  broken(): never {
    throw new Error('password is hunter2');
  }

  @Post('echo')
  echo(): { success: true } {
    return { success: true };
  }
}

@Module({ controllers: [SpecController] })
class SpecModule {}

const lines: string[] = [];

async function startApp(): Promise<{ app: INestApplication; url: string }> {
  const logger = createLogger({
    service: 'spec',
    level: 'info',
    destination: { write: line => void lines.push(line) },
  });
  const app = await NestFactory.create(SpecModule, { logger: false, bodyParser: false });
  app.use(requestID(), httpLogging(logger), express.json({ limit: 100 }));
  app.use('/only-get', methodNotAllowed(['GET']));
  app.useGlobalFilters(new ErrorEnvelopeFilter(logger));
  return { app, url: (await listen(app, '127.0.0.1', 0)).url };
}

describe('an application with the failure envelope', () => {
  let app: INestApplication;
  let url: string;
  beforeAll(async () => ({ app, url } = await startApp()));
  afterAll(() => app.close());

  it('answers a failure with its status, reason and Retry-After', async () => {
    const response = await request(url).get('/busy').expect(503).expect('Retry-After', '10');
    expect(response.body).toEqual({
      success: false,
      error: 'All workers are full.',
      code: 'SERVICE_UNAVAILABLE',
      reason: 'capacity_reached',
    });
  });

  it('sends WWW-Authenticate on 401', async () => {
    await request(url).get('/closed').expect(401).expect('WWW-Authenticate', 'Bearer');
  });

  it('hides an unexpected error from the caller and logs it', async () => {
    const response = await request(url).get('/broken').set('X-Request-Id', 'defect-1').expect(500);
    expect(JSON.stringify(response.body)).not.toContain('hunter2');
    expect(lines.some(line => line.includes('defect-1') && line.includes('hunter2'))).toBe(true);
  });

  it.each([
    ['an unknown path', '/nowhere', '{}', 404, 'not_found'],
    ['malformed JSON', '/echo', '{"a":', 400, 'malformed_json'],
    ['a body that is too large', '/echo', JSON.stringify('x'.repeat(200)), 413, 'body_too_large'],
    ['a method that is not there', '/only-get', '{}', 405, 'method_not_allowed'],
  ])('has the envelope for %s', async (_case, path, body, status, reason) => {
    const response = await request(url).post(path).set('Content-Type', 'application/json').send(body);
    expect(response.status).toBe(status);
    expect(response.body).toMatchObject({ success: false, reason });
  });

  it('names the allowed methods on 405', async () => {
    await request(url).post('/only-get').expect('Allow', 'GET');
  });

  it.each([
    ['takes the caller’s request id', 'abc_-9', /^abc_-9$/],
    ['makes one for none', undefined, /^[\w-]{8,64}$/],
    ['makes one for an odd one', 'a b', /^[\w-]{8,64}$/],
    ['makes one for a long one', 'a'.repeat(65), /^[\w-]{8,63}$/],
  ])('%s', async (_case, sent, expected) => {
    const response = await request(url)
      .post('/echo')
      .set(sent === undefined ? {} : { 'X-Request-Id': sent });
    expect(response.headers['x-request-id']).toMatch(expected);
  });

  it('logs a request once, without its query string', async () => {
    await request(url).post('/echo?token=abc123secret').set('X-Request-Id', 'logged-1').expect(201);
    const own = lines.filter(line => line.includes('logged-1'));
    expect(own).toHaveLength(1);
    expect(JSON.parse(own[0] ?? '')).toMatchObject({
      requestID: 'logged-1',
      req: { path: '/echo' },
      res: { status: 201 },
    });
    expect(own.join()).not.toContain('abc123secret');
  });

  const send = (raw: string): Promise<string> => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(raw);
    return text(socket);
  };

  it.each([
    ['a method in small letters', 'post /echo HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'invalid_request'],
    ['headers that are too long', `GET /x HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ['what is no HTTP', 'hello\r\n\r\n', 400, 'invalid_request'],
    [
      'a body in broken chunks',
      'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
      'invalid_request',
    ],
  ])('has the envelope for %s, and closes the connection', async (_case, raw, status, reason) => {
    const [head = '', body = ''] = (await send(raw)).split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(JSON.parse(body)).toEqual({ success: false, error: expect.any(String), code: 'BAD_REQUEST', reason });
  });

  it('ignores an unknown expectation', async () => {
    const raw = 'POST /echo HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\nConnection: close\r\n\r\n';
    expect(await send(raw)).toContain('HTTP/1.1 201 ');
  });

  it('names a port in use', async () => {
    const second = await NestFactory.create(SpecModule, { logger: false });
    const port = Number(new URL(url).port);
    await expect(listen(second, '127.0.0.1', port)).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use`);
    await second.close();
  });
});
