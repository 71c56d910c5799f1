import { ConfigurationError, loadConfig, mediaNodeConfig, mediaNodeVariables, z } from './index.js';

const schema = z
  .object({ ...mediaNodeVariables, WORKERS: z.coerce.number().default(1) })
  .transform(env => ({ ...mediaNodeConfig(env, { service: 'sfu', defaultPort: 4001 }), workers: env.WORKERS }));

describe('the configuration of a media node', () => {
  it('has defaults for all variables', () => {
    const config = loadConfig(schema, {});
    expect(config).toMatchObject({ host: '127.0.0.1', port: 4001, logLevel: 'info', workers: 1 });
    expect(config.nodeID).toMatch(/^sfu-[A-Za-z0-9_-]+$/);
  });

  it('defaults the public URL to the listen address, and the internal URL to the public one', () => {
    const local = loadConfig(schema, { PORT: '5000' });
    expect([local.publicUrl, local.internalUrl]).toEqual(['http://127.0.0.1:5000', 'http://127.0.0.1:5000']);
    const remote = loadConfig(schema, { PUBLIC_URL: 'https://media.example.com/' });
    expect([remote.publicUrl, remote.internalUrl]).toEqual(['https://media.example.com', 'https://media.example.com']);
  });

  it('reads a separate internal URL', () => {
    const env = { PUBLIC_URL: 'https://media.example.com', INTERNAL_URL: 'http://10.0.0.7:4001/' };
    expect(loadConfig(schema, env).internalUrl).toBe('http://10.0.0.7:4001');
  });

  it.each([25, 6000, 10080])('refuses port %d for HTTP, as fetch does', async port => {
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toMatchObject({ cause: { message: 'bad port' } });
    expect(() => loadConfig(schema, { PORT: String(port) })).toThrow('PORT: must use a port that browsers accept');
    expect(() => loadConfig(schema, { INTERNAL_URL: `http://10.0.0.7:${port}` })).toThrow(
      'INTERNAL_URL: must use a port',
    );
    expect(loadConfig(schema, { MANAGEMENT_PORT: String(port) }).managementPort).toBe(port);
  });

  it('drains for half an hour, at most a day', () => {
    expect(loadConfig(schema, {}).drainSeconds).toBe(1_800);
    expect(loadConfig(schema, { DRAIN_SECONDS: '86400' }).drainSeconds).toBe(86_400);
    expect(() => loadConfig(schema, { DRAIN_SECONDS: '86401' })).toThrow('DRAIN_SECONDS');
  });

  it.each(['a.b', 'a b', 'ä', 'n'.repeat(65)])('refuses the name %j, which no bus subject can hold', name => {
    expect(() => loadConfig(schema, { RTMS_NODE_ID: name })).toThrow(ConfigurationError);
  });
});
