import { clientAddress, clientOf } from './client-address.js';

describe('a client', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    [undefined, 'unknown'],
  ])('at %s is %s', (address, client) => {
    expect(clientOf(address)).toBe(client);
  });
});

describe('the address of a request to upgrade', () => {
  const proxies = ['127.0.0.1', '10.0.0.1'];

  it.each([
    ['192.0.2.7', undefined, '192.0.2.7'],
    ['192.0.2.7', '198.51.100.1', '192.0.2.7'],
    ['127.0.0.1', undefined, '127.0.0.1'],
    ['127.0.0.1', '192.0.2.7', '192.0.2.7'],
    ['127.0.0.1', '198.51.100.1, 192.0.2.7, 10.0.0.1', '192.0.2.7'],
    ['127.0.0.1', '10.0.0.1', '10.0.0.1'],
    ['127.0.0.1', ' , ', '127.0.0.1'],
    [undefined, undefined, undefined],
  ])('from %s that names %s is %s', (remoteAddress, forwarded, client) => {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    const request = { headers, socket: { remoteAddress } };
    expect(clientAddress(request, address => proxies.includes(address))).toBe(client);
  });
});
