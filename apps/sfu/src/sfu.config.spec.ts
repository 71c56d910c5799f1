import { sfuConfigSchema } from './sfu.config.js';

describe('the relay address of a node', () => {
  const internal = { INTERNAL_URL: 'http://10.0.0.7:4001' };

  it.each<[string, Record<string, string>, string | undefined]>([
    ['where it listens', { RTC_LISTEN_IP: '10.0.0.9' }, undefined],
    ['where it listens by default', {}, undefined],
    ['where its HTTP port is, if it listens everywhere', { RTC_LISTEN_IP: '0.0.0.0' }, '10.0.0.7'],
    ['there too if an address is announced', { RTC_ANNOUNCED_ADDRESS: '192.0.2.1' }, '10.0.0.7'],
    ['without the brackets of IPv6', { RTC_LISTEN_IP: '::', INTERNAL_URL: 'http://[fd00::7]:4001' }, 'fd00::7'],
    ['where it says', { RTC_LISTEN_IP: '0.0.0.0', RELAY_ANNOUNCED_ADDRESS: '10.1.1.1' }, '10.1.1.1'],
  ])('is %s', (_case, env, expected) => {
    const given = { RTMS_NODE_ID: 'sfu-1', ...internal, ...env };
    expect(sfuConfigSchema.parse(given).media.relayAddress).toBe(expected);
  });
});

describe('the TURN servers', () => {
  const secret = 'north-of-the-river';
  const read = (env: Record<string, string>) => sfuConfigSchema.safeParse({ RTMS_NODE_ID: 'sfu-1', ...env });

  it('are a list of addresses with a secret', () => {
    const env = { TURN_URLS: 'turn:a.example?transport=udp, turns:[2001:db8::1]:443', TURN_SECRET: secret };
    const urls = ['turn:a.example?transport=udp', 'turns:[2001:db8::1]:443'];
    expect(read(env).data?.turn).toEqual({ urls, secret, credentialSeconds: 3_600 });
  });

  it('are none without an address, with or without a secret', () => {
    expect(read({}).data?.turn).toBeUndefined();
    expect(read({ TURN_SECRET: secret }).data?.turn).toBeUndefined();
  });

  it.each([
    ['without a secret', { TURN_URLS: 'turn:a.example' }],
    ['with a short secret', { TURN_URLS: 'turn:a.example', TURN_SECRET: 'short' }],
    ['with the address of a website', { TURN_URLS: 'https://a.example', TURN_SECRET: secret }],
    ['with an address that would end the header', { TURN_URLS: 'turn:a>; rel="x"', TURN_SECRET: secret }],
    ['over DTLS', { TURN_URLS: 'turns:a.example?transport=udp', TURN_SECRET: secret }],
    ['for too short', { TURN_URLS: 'turn:a.example', TURN_SECRET: secret, TURN_CREDENTIAL_SECONDS: '59' }],
  ])('are refused %s', (_case, env) => {
    expect(read(env).success).toBe(false);
  });
});
