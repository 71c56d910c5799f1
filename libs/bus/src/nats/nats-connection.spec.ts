import { parseServers } from './nats-connection.js';

describe('parseServers', () => {
  it.each([
    ['one server', 'nats://127.0.0.1:4222', { servers: ['nats://127.0.0.1:4222'] }],
    ['a server without a scheme', 'bus:4222', { servers: ['nats://bus:4222'] }],
    ['several', 'nats://a:4222, nats://b:4222', { servers: ['nats://a:4222', 'nats://b:4222'] }],
    ['a user', 'nats://rtms:p%40ss@bus:4222', { servers: ['nats://bus:4222'], user: 'rtms', pass: 'p@ss' }],
    ['a token', 'tls://t0ken@bus:4222', { servers: ['tls://bus:4222'], token: 't0ken' }],
  ])('reads %s', (_case, urls, expected) => {
    expect(parseServers(urls)).toEqual({ tls: urls.startsWith('tls:'), ...expected });
  });
});
