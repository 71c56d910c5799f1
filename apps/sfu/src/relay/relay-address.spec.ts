import { relayAddressFault } from './relay-address.js';

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
