import { buildSdpFragment, iceEtag, parseSdpFragment, restartCredentials } from './sdpfrag.js';

const candidate = 'a=candidate:1 1 UDP 2130706431 198.51.100.1 39132 typ host';

describe('parseSdpFragment', () => {
  const whole = { usernameFragment: 'EsAw', password: 'P2uYro0UCOQ4zxjKXaWCBui1', candidates: 1 };

  it.each([
    [
      'credentials and a candidate',
      ['a=ice-ufrag:EsAw', 'a=ice-pwd:P2uYro0UCOQ4zxjKXaWCBui1', 'm=audio 9 UDP/TLS/RTP/SAVPF 0', 'a=mid:0', candidate],
      whole,
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
    ['credentials alone', ['a=ice-ufrag:EsAw', 'a=ice-pwd:P2uYro0UCOQ4zxjKXaWCBui1'], { ...whole, candidates: 0 }],
    ['blanks at the end of a line', ['a=ice-pwd:P2uYro0UCOQ4zxjKXaWCBui1 ', 'a=ice-ufrag:EsAw ', candidate], whole],
    ['a candidate of another section', ['m=audio 9 a=candidate:1', candidate], { candidates: 1 }],
    ['a candidate that cannot be used', ['a=candidate:1 1 UDP 1 host.local 9 typ host'], { candidates: 1 }],
  ])('reads %s', (_case, lines, fragment) => {
    expect(parseSdpFragment(lines.join('\r\n'))).toStrictEqual(fragment);
    expect(parseSdpFragment(`${lines.join('\n')}\n`)).toStrictEqual(fragment);
  });

  it.each([
    ['', 'The fragment is empty.'],
    ['\r\n', 'The fragment is empty.'],
    ['hello', 'The body is not a trickle-ice-sdpfrag.'],
    ['{"candidate":""}', 'The body is not a trickle-ice-sdpfrag.'],
    [`${candidate}\r\nhello`, 'The body is not a trickle-ice-sdpfrag.'],
    [`x${candidate}`, 'The body is not a trickle-ice-sdpfrag.'],
    ['a=mid:0', 'The fragment has neither ICE credentials nor candidates.'],
    ['m=audio 9 RTP/AVP 0', 'The fragment has neither ICE credentials nor candidates.'],
  ])('refuses %j', (text, message) => {
    expect(() => parseSdpFragment(text)).toThrow(expect.objectContaining({ reason: 'malformed_sdp', message }));
  });
});

describe('restartCredentials', () => {
  const ofLengths = (user: number, password: number) => ({
    ...{ usernameFragment: 'u'.repeat(user), password: 'p'.repeat(password) },
  });

  it.each([
    [4, 22],
    [256, 256],
  ])('are a user name of %i and a password of %i characters', (user, password) => {
    const credentials = ofLengths(user, password);
    expect(restartCredentials({ ...credentials, candidates: 0 })).toEqual(credentials);
  });

  it.each([
    [3, 22],
    [257, 22],
    [4, 21],
    [4, 257],
  ])('are none with a user name of %i and a password of %i characters', (user, password) => {
    expect(restartCredentials({ ...ofLengths(user, password), candidates: 0 })).toBeUndefined();
  });

  it('are both or none', () => {
    const { usernameFragment, password } = ofLengths(4, 22);
    expect(restartCredentials({ usernameFragment, candidates: 0 })).toBeUndefined();
    expect(restartCredentials({ password, candidates: 0 })).toBeUndefined();
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
    const lines = [
      ...[
        'a=ice-ufrag:ours',
        `a=ice-pwd:${ice.password}`,
        'a=ice-lite',
        'm=audio 9 UDP/TLS/RTP/SAVPF 0',
        'a=mid:audio0',
      ],
      ...['a=candidate:u 1 udp 1 192.0.2.1 4000 typ host', 'a=end-of-candidates', ''],
    ];
    expect(fragment.split('\r\n')).toEqual(lines);
    expect(parseSdpFragment(fragment)).toEqual({ usernameFragment: 'ours', password: ice.password, candidates: 2 });
    const withoutMid = lines.filter(line => !line.startsWith('a=mid'));
    expect(buildSdpFragment(ice, { kind: 'audio', mid: '' }).split('\r\n')).toEqual(withoutMid);
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
    for (const tag of tags) expect(tag).toMatch(/^"[A-Za-z0-9_-]{22}"$/);
  });

  it('reveals no credential', () => {
    expect(iceEtag({ usernameFragment: 'ours' }, remote)).not.toMatch(/ours|theirs|password/);
  });
});
