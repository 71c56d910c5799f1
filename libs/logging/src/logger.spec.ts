import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createLogger, NestLogger, type Logger } from './index.js';

function loggerInto(lines: string[]): Logger {
  return createLogger({ service: 'spec', level: 'trace', destination: { write: line => void lines.push(line) } });
}

const jwt = `eyJhbGciOiJFZERTQSJ9.${'a'.repeat(40)}.${'b'.repeat(40)}`;

describe('createLogger', () => {
  it('writes JSON lines that carry the service and the level', () => {
    const lines: string[] = [];
    loggerInto(lines).info({ meetingID: 'room_1' }, 'room made');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'info',
      service: 'spec',
      meetingID: 'room_1',
      msg: 'room made',
    });
  });

  it.each([
    ['a member by name', { token: 'abc123secret' }, 'abc123secret'],
    ['a member below another', { request: { headers: { authorization: 'Bearer abc123secret' } } }, 'abc123secret'],
    ['a token in text', { note: `sent ${jwt} away` }, 'bbbb'],
    ['a query string', { url: '/hls/bcast_1/index.m3u8?token=abc123secret' }, 'abc123secret'],
    ['a signed path', { url: '/hls/bcast_1/1700000000/1700003600/key-1/c2lnbmF0dXJl/index.m3u8' }, 'c2lnbmF0dXJl'],
    ['a password in a URL', { at: 'postgres://rtms:abc123secret@db/rtms' }, 'abc123secret'],
  ])('redacts %s', (_case, fields, secret) => {
    const lines: string[] = [];
    loggerInto(lines).info(fields, 'something');
    expect(lines.join()).toContain('[redacted]');
    expect(lines.join()).not.toContain(secret);
  });

  it('logs an error and its cause without fields of libraries', () => {
    const lines: string[] = [];
    const error = Object.assign(new Error('no', { cause: new Error('because') }), { parameters: ['abc123secret'] });
    loggerInto(lines).error({ err: error }, 'failed');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ err: { message: 'no', cause: { message: 'because' } } });
    expect(lines.join()).not.toContain('abc123secret');
  });
});

describe('a program whose output pipe is closed', () => {
  it('exits', async () => {
    const program = `
      import { createLogger } from '${new URL('logger.ts', import.meta.url).pathname}';
      const logger = createLogger({ service: 'spec', level: 'info' });
      process.stdin.resume().once('end', () => {
        for (let line = 0; line < 5; line += 1) logger.warn('a connection was lost');
        process.exit(7);
      });`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
      env: { PATH: process.env.PATH },
      timeout: 60_000,
    });
    child.stdout.destroy();
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([7, null]);
  });
});

describe('NestLogger', () => {
  it('keeps the context and the error', () => {
    const lines: string[] = [];
    new NestLogger(loggerInto(lines)).error(new Error('boom'), 'Rooms');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ context: 'Rooms', msg: 'boom', err: { message: 'boom' } });
  });

  it('accepts fields and a message like pino', () => {
    const lines: string[] = [];
    new NestLogger(loggerInto(lines)).warn({ sessionID: 'ext_1' }, 'a session lost its worker', 'SessionRepair');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      sessionID: 'ext_1',
      context: 'SessionRepair',
      msg: 'a session lost its worker',
    });
  });
});
