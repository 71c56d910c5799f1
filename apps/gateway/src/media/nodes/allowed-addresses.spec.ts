import { AllowedAddresses, allowedAddressesVariable } from './allowed-addresses.js';

describe('AllowedAddresses', () => {
  it.each([
    ['media.example.com', 'https://media.example.com', true],
    ['media.example.com', 'http://media.example.com:4001', true],
    ['media.example.com', 'https://media.example.com.evil.example', false],
    ['media.example.com', 'https://evil.example/media.example.com', false],
    ['*.example.com', 'https://sfu-1.media.example.com', true],
    ['*.example.com', 'https://example.com', false],
    ['*.example.com', 'https://evilexample.com', false],
    ['https://media.example.com', 'https://media.example.com/sfu', true],
    ['https://media.example.com', 'http://media.example.com', false],
    ['https://media.example.com:443', 'https://media.example.com', true],
    ['https://media.example.com:443', 'https://media.example.com:8443', false],
    ['10.0.0.0/8', 'http://10.4.3.2:4001', true],
    ['10.0.0.0/8', 'http://11.4.3.2:4001', false],
    ['10.0.0.0/8', 'http://10.4.3.2.evil.example', false],
    ['10.0.0.0/8:4001', 'http://10.4.3.2:4002', false],
    ['192.0.2.7', 'http://192.0.2.7:4001', true],
    ['192.0.2.7', 'http://192.0.2.70:4001', false],
    ['[2001:db8::]/32', 'http://[2001:db8::7]:4001', true],
    ['[2001:db8::]/32', 'http://[2001:db9::7]:4001', false],
    ['[::1]:4001', 'http://[::1]:4001', true],
  ])('with the entry %s and the address %s returns %s', (entry, address, isAllowed) => {
    expect(new AllowedAddresses([entry]).allows(address)).toBe(isAllowed);
  });

  it('allows any address when none is set', () => {
    expect(allowedAddressesVariable.parse(undefined)).toBeUndefined();
    expect(allowedAddressesVariable.parse(' ')).toBeUndefined();
  });

  it('takes addresses separated by commas', () => {
    const allowed = allowedAddressesVariable.parse('https://Media.example.com, 10.0.0.0/8');
    expect(allowed?.allows('https://media.example.com')).toBe(true);
    expect(allowed?.allows('http://10.1.2.3:4001')).toBe(true);
    expect(allowed?.allows('https://evil.example')).toBe(false);
  });

  it.each([
    'ftp://x',
    'https://',
    '*',
    'https://a b',
    '10.0.0.0/99',
    'name/8',
    'https://a.example/path',
    '*.*.example',
  ])('refuses the entry %s', text => {
    expect(allowedAddressesVariable.safeParse(text).error?.issues[0]?.message).toContain('must be addresses');
  });
});
