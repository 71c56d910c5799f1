import type { LookupAddress } from 'node:dns';
import { checkedLookup, isPublicAddress, requireTarget, resolverFor, resolveWith } from './target-address.js';

describe('an address', () => {
  it.each([
    ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '100.100.100.200', '127.0.0.1', '127.255.255.254'],
    ...['169.254.0.1', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.192', '192.0.2.1', '192.88.99.1'],
    ...['192.168.0.1', '198.18.0.1', '198.51.100.7', '203.0.113.9', '224.0.0.1', '239.1.1.1', '240.0.0.1'],
    ...['255.255.255.255', '168.63.129.16'],
    ...['::', '::1', '::ffff:8.8.8.8', '::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::8.8.8.8', '64:ff9b::a9fe:a9fe'],
    ...[
      '64:ff9b:1::1',
      '100::1',
      '2001::1',
      '2001:db8::1',
      '2002:7f00:1::',
      '2002:808:808::',
      'fc00::1',
      'fd00:ec2::254',
    ],
    ...['fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', '4000::1', '5f00::1', '3fff::1'],
    ...['', 'localhost', '127.1', '2130706433', '0x7f000001', '017700000001', '8.8.8', '8.8.8.8/32', '[::1]', 'x'],
  ])('is not public: %s', address => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '100.63.255.255',
    '172.32.0.1',
    '198.20.0.1',
    '223.255.255.254',
    '2606:4700::1111',
    '2a00::1',
  ])('is public: %s', address => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('the lookup of a connection', () => {
  const lookUp = (found: LookupAddress[] | Error, options: object, allowsPrivate = false) =>
    new Promise<unknown[]>(resolve => {
      const answer = () => (found instanceof Error ? Promise.reject(found) : Promise.resolve(found));
      checkedLookup(answer, { allowsPrivate })('host', options, (...given: unknown[]) => resolve(given));
    });
  const open = { address: '8.8.8.8', family: 4 };
  const openV6 = { address: '2606:4700::1111', family: 6 };
  const hidden = { address: '10.0.0.1', family: 4 };

  it('answers one address, all addresses, or those of a family', async () => {
    expect(await lookUp([open, openV6], {})).toEqual([null, '8.8.8.8', 4]);
    expect(await lookUp([open, openV6], { all: true })).toEqual([null, [open, openV6]]);
    expect(await lookUp([open, openV6], { family: 6 })).toEqual([null, '2606:4700::1111', 6]);
  });

  it.each([{ all: true }, {}, { family: 6 }])('refuses a host with any private address, %j', async options => {
    const [error] = await lookUp([open, openV6, hidden], options);
    expect(error).toEqual(new Error('the host has a private address'));
  });

  it('allows private addresses by the setting for development', async () => {
    expect(await lookUp([hidden], {}, true)).toEqual([null, '10.0.0.1', 4]);
  });

  it('fails with the resolver, and without an address', async () => {
    expect((await lookUp(new Error('no DNS'), {}))[0]).toEqual(new Error('no DNS'));
    expect((await lookUp([], {}))[0]).toEqual(new Error('the host has no address'));
    expect((await lookUp([open], { family: 6 }))[0]).toEqual(new Error('the host has no address'));
  });
});

describe('the resolver', () => {
  const answering = (v4: string[] | Error, v6: string[] | Error) => {
    const answer = (found: string[] | Error) => () =>
      (found instanceof Error ? Promise.reject(found) : Promise.resolve(found)) as Promise<never>;
    return resolveWith({ resolve4: answer(v4), resolve6: answer(v6) })('host');
  };
  const none = new Error('queryAaaa ENODATA host');

  it('joins both families, of which one may fail', async () => {
    const [v4, v6] = [
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ];
    expect(await answering(['8.8.8.8'], ['2606:4700::1111'])).toEqual([v4, v6]);
    expect(await answering(['8.8.8.8'], none)).toEqual([v4]);
    expect(await answering(none, ['2606:4700::1111'])).toEqual([v6]);
    await expect(answering(new Error('queryA ENOTFOUND host'), none)).rejects.toThrow('queryA ENOTFOUND host');
  });

  it('reads the hosts file in development', async () => {
    expect(await resolverFor({ allowsPrivate: true })('localhost')).toContainEqual({
      address: expect.stringMatching(/^(?:127\.0\.0\.1|::1)$/),
      family: expect.any(Number),
    });
  });
});

describe('the address of a webhook', () => {
  it.each(['https://app.example.com/x', 'https://8.8.8.8/', 'https://[2606:4700::1111]:8443/'])('may be %s', url => {
    expect(() => requireTarget(url, {})).not.toThrow();
  });

  it.each(['http://app.example.com/', 'https://127.0.0.1/', 'https://0/', 'https://[::1]/', 'https://LOCALHOST/'])(
    'may be %s only in development',
    url => {
      expect(() => requireTarget(url, {})).toThrow(/^url must be /);
      expect(() => requireTarget(url, { allowsPrivate: true })).not.toThrow();
    },
  );
});
