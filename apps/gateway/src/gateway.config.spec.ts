import { loadGatewayConfig } from './gateway.config.js';

const environment = {
  DATABASE_URL: 'postgres://rtms@127.0.0.1/rtms',
  NATS_URL: 'nats://127.0.0.1:4222',
  RTMS_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  RTMS_ADMIN_TOKEN: 'an-administrator-token',
};

describe('the configuration of the gateway', () => {
  it('needs little and has defaults for the rest', () => {
    expect(loadGatewayConfig(environment)).toMatchObject({
      host: '127.0.0.1',
      port: 4000,
      publicUrl: 'http://127.0.0.1:4000',
      graceSeconds: 30,
      tokenTtlSeconds: 300,
      reconcileSeconds: 10,
      sweepSeconds: 1,
    });
  });

  it('takes the trailing slash off the public address', () => {
    expect(loadGatewayConfig({ ...environment, PUBLIC_URL: 'https://media.example/' }).publicUrl).toBe(
      'https://media.example',
    );
  });

  it('takes any number of former secret keys', () => {
    const keys = [Buffer.alloc(32, 2), Buffer.alloc(32, 3)];
    const listed = keys.map(key => key.toString('base64')).join(', ');
    expect(loadGatewayConfig(environment).previousSecretKeys).toEqual([]);
    expect(loadGatewayConfig({ ...environment, RTMS_PREVIOUS_SECRET_KEYS: listed }).previousSecretKeys).toEqual(keys);
    expect(() => loadGatewayConfig({ ...environment, RTMS_PREVIOUS_SECRET_KEYS: 'c2hvcnQ=' })).toThrow(/PREVIOUS/);
  });

  it('limits what NATS keeps, and leaves the number of its copies alone', () => {
    const storageOf = (changes: object) => loadGatewayConfig({ ...environment, ...changes }).bus.storage;
    expect(storageOf({})).toEqual({ replicas: undefined, maxBytes: 1024 ** 3, maxAgeMs: 7 * 24 * 3_600_000 });
    const own = { NATS_REPLICAS: '3', NATS_STREAM_MAX_BYTES: '5000000', NATS_STREAM_MAX_AGE_HOURS: '2' };
    expect(storageOf(own)).toEqual({ replicas: 3, maxBytes: 5_000_000, maxAgeMs: 7_200_000 });
    expect(() => storageOf({ NATS_REPLICAS: '2' })).toThrow(/NATS_REPLICAS.*1, 3 or 5/);
  });

  it('takes the limits of accounts', () => {
    const limitsOf = (changes: object) => loadGatewayConfig({ ...environment, ...changes }).accountLimits;
    expect(limitsOf({})).toMatchObject({ viewersPerPlayback: 500, viewersPerAccount: 5_000 });
    expect(limitsOf({ LIMIT_VIEWERS_PER_ACCOUNT: '9' })).toMatchObject({ viewersPerAccount: 9 });
    expect(() => limitsOf({ LIMIT_VIEWERS_PER_PLAYBACK: '-1' })).toThrow(/LIMIT_VIEWERS_PER_PLAYBACK.*whole number/);
  });

  it('tells all mistakes at once and repeats no secret', () => {
    const mistaken = { ...environment, DATABASE_URL: 'mysql://x', RTMS_SECRET_KEY: 'c2hvcnQ=', PORT: '70000' };
    const load = () => loadGatewayConfig({ ...mistaken, RTMS_ADMIN_TOKEN: 'short' });
    expect(load).toThrow(/DATABASE_URL[^]*PORT[^]*RTMS_SECRET_KEY[^]*RTMS_ADMIN_TOKEN/);
    expect(load).not.toThrow(/c2hvcnQ|: short/);
  });
});
