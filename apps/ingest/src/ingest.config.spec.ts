import { loadConfig } from '@rtms/config';
import { ingestConfigSchema } from './ingest.config.js';

const load = (env: Record<string, string>) =>
  loadConfig(ingestConfigSchema, { NATS_URL: 'nats://127.0.0.1:4222', ...env });

describe('the configuration of an ingest node', () => {
  it('has SRT and RTMP unless it is said otherwise, and RTMPS only with a certificate', () => {
    const config = load({});
    expect(config.srt).toEqual({ firstPort: 20_000, lastPort: 20_099, latencyMs: 200 });
    expect(config.rtmp).toEqual({ port: 1935, announcedPort: 1935 });
    expect(config.rtmps).toBeUndefined();
    const secure = load({ RTMPS_PORT: '1936', RTMPS_ANNOUNCED_PORT: '443', TLS_CERT_FILE: 'c', TLS_KEY_FILE: 'k' });
    expect(secure.rtmps).toEqual({ port: 1936, announcedPort: 443, certFile: 'c', keyFile: 'k' });
  });

  it('switches protocols off', () => {
    expect(load({ SRT_PORTS: 'off', RTMP_PORT: 'off' })).toMatchObject({ srt: undefined, rtmp: undefined });
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ['a range that falls', { SRT_PORTS: '20000-19000' }, /SRT_PORTS/],
    ['a range beyond the ports', { SRT_PORTS: '65000-70000' }, /SRT_PORTS/],
    ['too many ports', { SRT_PORTS: '20000-30000' }, /SRT_PORTS/],
    ['text for a range', { SRT_PORTS: 'all' }, /SRT_PORTS/],
    ['RTMPS without a certificate', { RTMPS_PORT: '1936' }, /RTMPS_PORT/],
    ['a port that is none', { RTMP_PORT: '99999' }, /RTMP_PORT/],
  ])('refuses %s', (_, env, message) => {
    expect(() => load(env)).toThrow(message);
  });
});
