import { buildSdpFragment, iceEtag, parseSdpFragment, restartCredentials } from './sdpfrag.js';

const candidate = 'a=candidate:1 1 UDP 2130706431 198.51.100.1 39132 typ host';

describe('parseSdpFragment', () => {
  it.each([
    [
      'credentials and a candidate',
      ['a=ice-ufrag:EsAw', 'a=ice-pwd:P2uYro0UCOQ4zxjKXaWCBui1', 'm=audio 9 UDP/TLS/RTP/SAVPF 0', 'a=mid:0', candidate],
      { usernameFragment: 'EsAw', password: 'P2uYro0UCOQ4zxjKXaWCBui1', candidates: 1 },
    ],
    [
      'a section of any profile',
      ['m=audio 9 RTP/AVP 0', 'a=mid:0', candidate, 'a=end-of-candidates'],
      { candidates: 2 },
    ],
    [
      'the end of candidates alone',
      ['a=ice-ufrag:EsAw', 'a=end-of-candidates'],
      { usernameFragment: 'EsAw', candidates: 1 },
    ],
    ['a candidate that cannot be used', ['a=candidate:1 1 UDP 1 host.local 9 typ host'], { candidates: 1 }],
  ])('reads %s', (_case, lines, fragment) => {
    expect(parseSdpFragment(lines.join('\r\n'))).toEqual(fragment);
    expect(parseSdpFragment(`${lines.join('\n')}\n`)).toEqual(fragment);
  });

  it.each(['', '\r\n', 'hello', '{"candidate":""}', 'a=mid:0', 'm=audio 9 RTP/AVP 0'])('refuses %j', text => {
    expect(() => parseSdpFragment(text)).toThrow(expect.objectContaining({ reason: 'malformed_sdp' }));
  });
});

describe('restartCredentials', () => {
  const password = 'P2uYro0UCOQ4zxjKXaWCBui1';
  it.each([
    [{ usernameFragment: 'EsAw', password, candidates: 0 }, true],
    [{ usernameFragment: 'EsAw', candidates: 0 }, false],
    [{ usernameFragment: 'E', password, candidates: 0 }, false],
    [{ usernameFragment: 'EsAw', password: 'short', candidates: 0 }, false],
    [{ usernameFragment: 'E'.repeat(257), password, candidates: 0 }, false],
  ])('judges %j', (fragment, isGood) => {
    expect(restartCredentials(fragment) !== undefined).toBe(isGood);
  });
});

describe('buildSdpFragment', () => {
  it('has the new credentials and every candidate, and can be read again', () => {
    const ice = {
      usernameFragment: 'ours',
      password: 'our-password-of-22-chars',
      candidates: [{ foundation: 'u', priority: 1, address: '192.0.2.1', port: 4000, protocol: 'udp' as const }],
    };
    const fragment = buildSdpFragment(ice, { kind: 'audio', mid: 'audio0' });
    expect(fragment).toContain('a=mid:audio0\r\na=candidate:u 1 udp 1 192.0.2.1 4000 typ host\r\n');
    expect(parseSdpFragment(fragment)).toEqual({ usernameFragment: 'ours', password: ice.password, candidates: 2 });
  });
});

describe('iceEtag', () => {
  const remote = { usernameFragment: 'theirs', password: 'their-password' };

  it('is strong, and differs for each ICE session', () => {
    const tags = [
      iceEtag({ usernameFragment: 'a' }, remote),
      iceEtag({ usernameFragment: 'b' }, remote),
      iceEtag({ usernameFragment: 'a' }, { ...remote, password: 'other' }),
    ];
    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) expect(tag).toMatch(/^"[A-Za-z0-9_-]+"$/);
  });

  it('reveals no credential', () => {
    expect(iceEtag({ usernameFragment: 'ours' }, remote)).not.toMatch(/ours|theirs|password/);
  });
});
