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
