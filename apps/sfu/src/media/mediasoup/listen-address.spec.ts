import { ManualClock } from '@rtms/testing';
import { relayAddressFault, resolveAddress, resolveListenAddress } from './listen-address.js';

const machine = { addresses: ['10.0.0.5', '192.168.1.7'], container: false };
const container = { addresses: ['172.17.0.2'], container: true };

describe('the announced address', () => {
  it('is loopback by default', () => {
    expect(resolveListenAddress({}, machine)).toEqual({ ip: '127.0.0.1' });
    expect(resolveListenAddress({}, container)).toEqual({ ip: '127.0.0.1' });
  });

  it('is the listen address when that is one of this machine', () => {
    expect(resolveListenAddress({ listenIp: '10.0.0.5' }, machine)).toEqual({ ip: '10.0.0.5' });
  });

  it('is the configured address', () => {
    const announced = { ip: '0.0.0.0', announcedAddress: 'media.example.com' };
    expect(resolveListenAddress({ announcedAddress: 'media.example.com' }, machine)).toEqual(announced);
    expect(resolveListenAddress({ listenIp: '0.0.0.0', announcedAddress: 'media.example.com' }, container)).toEqual(
      announced,
    );
  });

  it.each(['0.0.0.0', '::', '0:0:0:0:0:0:0:0'])('must be set when listening on %s', listenIp => {
    expect(() => resolveListenAddress({ listenIp }, machine)).toThrow(
      /Set RTC_ANNOUNCED_ADDRESS .* Addresses of this machine: 10\.0\.0\.5, 192\.168\.1\.7\./,
    );
  });

  it('must be set when listening on a container’s own address', () => {
    expect(() => resolveListenAddress({ listenIp: '172.17.0.2' }, container)).toThrow(
      /container's own address.*Set RTC_ANNOUNCED_ADDRESS/,
    );
  });

  it('needs a listen address that is an IP address', () => {
    expect(() => resolveListenAddress({ listenIp: 'localhost' }, machine)).toThrow(
      'RTC_LISTEN_IP is not an IP address: localhost.',
    );
  });
});

describe('the address of a host', () => {
  let clock: ManualClock;
  beforeEach(() => {
    clock = new ManualClock();
  });
  afterEach(() => expect(clock.pending).toBe(0));

  it.each(['192.0.2.1', '2001:db8::1'])('is %s itself', async address => {
    expect(await resolveAddress(address, '0.0.0.0', clock)).toBe(address);
  });

  it('has the family of the listen address', async () => {
    expect(await resolveAddress('localhost', '0.0.0.0', clock)).toMatch(/^127\./);
  });

  it('is given up after 2 s', async () => {
    const { resolving, answer } = askedResolver();
    await Promise.all([
      expect(resolving).rejects.toThrow('DNS did not resolve media.internal within 2000 ms.'),
      clock.advance(2_000),
    ]);
    answer('192.0.2.7');
  });

  it('is awaited until then', async () => {
    const { resolving, answer } = askedResolver();
    await clock.advance(1_999);
    answer('192.0.2.7');
    expect(await resolving).toBe('192.0.2.7');
  });

  /** A question to a resolver that answers when the test says so. */
  function askedResolver(): { resolving: Promise<string>; answer: (address: string) => void } {
    let answer!: (address: string) => void;
    const answered = new Promise<{ address: string }>(resolve => (answer = address => resolve({ address })));
    return { resolving: resolveAddress('media.internal', '127.0.0.1', clock, () => answered), answer };
  }
});

describe('the address that other nodes send media to', () => {
  it.each([
    ['loopback, as all media', {}],
    ['where it listens', { listenIp: '10.0.0.5' }],
    ['what is set', { listenIp: '0.0.0.0', announcedAddress: '203.0.113.7', relayAddress: '10.0.0.5' }],
    ['a host name', { announcedAddress: '203.0.113.7', relayAddress: 'sfu-1.internal' }],
    ['loopback where media is announced there too', { announcedAddress: '127.0.0.1', relayAddress: '127.0.0.1' }],
  ])('may be %s', (_case, media) => {
    expect(relayAddressFault(media)).toBeUndefined();
  });

  it.each([
    ['a wildcard', { announcedAddress: '203.0.113.7' }, /^0\.0\.0\.0 is not an address/],
    ['a wildcard of IPv6', { listenIp: '::', announcedAddress: '203.0.113.7' }, /^:: is not an address/],
    [
      'loopback beside another one',
      { announcedAddress: '203.0.113.7', relayAddress: '127.0.0.1' },
      /^127.* elsewhere$/,
    ],
    ['loopback by name', { announcedAddress: '203.0.113.7', relayAddress: 'localhost' }, /^localhost .* elsewhere$/],
    ['loopback beside a listening address', { listenIp: '10.0.0.5', relayAddress: '::1' }, /^::1 .* elsewhere$/],
  ])('may not be %s', (_case, media, fault) => {
    expect(relayAddressFault(media)).toMatch(fault);
  });
});
