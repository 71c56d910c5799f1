import fc from 'fast-check';
import { parseOffer } from './parse-offer.js';
import { formatFmtp, isSameFeedback, parseFmtp } from './parse-section.js';
import * as clients from './testing/client-offers.js';

describe('parseOffer', () => {
  const origin = 'o=- 1 1 IN IP4 0.0.0.0\r\n';

  it.each([
    ['nothing', '', 'must begin with "v=0"'],
    ['a word', 'hello', 'must begin with "v=0"'],
    ['JSON', '{"sdp":"v=0"}', 'must begin with "v=0"'],
    ['a session without media', `v=0\r\n${origin}s=-\r\nt=0 0\r\n`, 'no media section'],
    ['a session without an origin', 'v=0\r\ns=-\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n', 'no "o=" line'],
    ['a line without a type', `v=0\r\n${origin}nonsense\r\n`, 'Line 3 of'],
    ['a line with a blank before it', `v=0\r\n o=- 1 1 IN IP4 0.0.0.0\r\n`, 'Line 2 of'],
    ['a line without a value', `v=0\r\n${origin}s=\r\na=\r\n`, 'Line 4 of'],
    ['a line with two letters before its value', `v=0\r\n${origin}xs=\r\n`, 'Line 3 of'],
    ['another version', `v=1\r\n${origin}`, 'must begin with "v=0"'],
  ])('rejects %s as malformed, with the reason', (_case, text, message) => {
    expect(() => parseOffer(text)).toThrow(
      expect.objectContaining({ reason: 'malformed_sdp', message: expect.stringContaining(message) as string }),
    );
  });

  it('accepts a session without a name', () => {
    expect(parseOffer(clients.chromiumPublishes().replace('s=-', 's=')).sections).toHaveLength(2);
  });

  it('ignores lines of blanks', () => {
    expect(parseOffer(clients.chromiumPublishes().replace('s=-', ' \r\ns=-')).sections).toHaveLength(2);
  });

  it.each(['actpass', 'active', 'passive'])('takes the DTLS role %s', setup => {
    expect(parseOffer(clients.chromiumPublishes({ setup })).setup).toBe(setup);
  });

  it('accepts lines that end in LF', () => {
    expect(parseOffer(clients.chromiumPublishes().replaceAll('\r\n', '\n')).sections).toHaveLength(2);
  });

  it('keeps identifiers that look like numbers', () => {
    const offer = clients
      .chromiumPublishes({ ufrag: '1234' })
      .replaceAll('a-password-of-22-characters', '1'.repeat(24));
    expect(parseOffer(offer)).toMatchObject({ ice: { usernameFragment: '1234', password: '1'.repeat(24) } });
    expect(parseOffer(offer).sections.map(({ mid }) => mid)).toEqual(['0', '1']);
  });

  it('reads all fields of a section', () => {
    const [audio] = parseOffer(clients.chromiumPublishes()).sections;
    const plain = { parameters: {}, rtcpFeedback: [] };
    expect(audio).toEqual({
      kind: 'audio',
      mid: '0',
      protocol: 'UDP/TLS/RTP/SAVPF',
      direction: 'sendonly',
      codecs: [
        {
          mimeType: 'audio/opus',
          payloadType: 111,
          clockRate: 48000,
          channels: 2,
          parameters: { minptime: 10, useinbandfec: 1 },
          rtcpFeedback: [{ type: 'transport-cc' }],
        },
        { mimeType: 'audio/red', payloadType: 63, clockRate: 48000, channels: 2, ...plain },
        { mimeType: 'audio/PCMU', payloadType: 0, clockRate: 8000, channels: 1, ...plain },
        { mimeType: 'audio/telephone-event', payloadType: 126, clockRate: 8000, channels: 1, ...plain },
      ],
      headerExtensions: [
        { id: 1, uri: 'urn:ietf:params:rtp-hdrext:ssrc-audio-level' },
        { id: 2, uri: 'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time' },
        { id: 3, uri: 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01' },
        { id: 4, uri: 'urn:ietf:params:rtp-hdrext:sdes:mid' },
      ],
      ssrc: 1001,
      cname: 'client',
      reducedSizeRtcp: true,
      extmapAllowMixed: true,
    });
  });

  it('omits fields that the offer does not have', () => {
    const offer = clients.ffmpegPublishes().replaceAll(/a=ssrc.*\r\n/g, '');
    expect(Object.keys(parseOffer(offer).sections[1] ?? {}).sort()).toEqual([
      'codecs',
      'direction',
      'extmapAllowMixed',
      'headerExtensions',
      'kind',
      'mid',
      'protocol',
      'reducedSizeRtcp',
    ]);
    expect(parseOffer(offer).sections[1]).toMatchObject({ reducedSizeRtcp: false, extmapAllowMixed: false });
    expect(parseOffer(offer).sections[1]?.codecs[0]).not.toHaveProperty('channels');
  });

  it.each([
    ['its own', 'a=recvonly', '', 'recvonly'],
    ['that of the session', '', 'a=recvonly\r\n', 'recvonly'],
    ['its own before that of the session', 'a=inactive', 'a=recvonly\r\n', 'inactive'],
    ['both directions where none is named', 'a=x', '', 'sendrecv'],
  ])('gives a section %s', (_case, own, session, direction) => {
    const offer = clients
      .ffmpegPublishes()
      .replaceAll('a=sendonly', own || 'a=x')
      .replace('t=0 0\r\n', `t=0 0\r\n${session}`);
    expect(parseOffer(offer).sections.map(section => section.direction)).toEqual([direction, direction]);
  });

  it('lists formats in the order of the media line, without unmapped ones', () => {
    const numbers = (line: string) =>
      parseOffer(clients.chromiumPublishes().replace('SAVPF 111 63 0 126', `SAVPF ${line}`)).sections[0]?.codecs.map(
        ({ payloadType }) => payloadType,
      );
    expect(numbers('0 126 111 63')).toEqual([0, 126, 111, 63]);
    expect(numbers('111 9 0')).toEqual([111, 0]);
    expect(numbers('111 0 111')).toEqual([111, 0]);
  });

  it('accepts payload types from 0 to 127 only', () => {
    const numbers = (payloadType: number) =>
      parseOffer(
        clients.ffmpegPublishes().replaceAll('SAVPF 106', `SAVPF ${payloadType}`).replaceAll(':106', `:${payloadType}`),
      ).sections[1]?.codecs.map(codec => codec.payloadType);
    expect([numbers(0), numbers(127), numbers(128)]).toEqual([[0], [127], []]);
  });

  it.each(['UDP/TLS/RTP/SAVPF', 'UDP/TLS/RTP/SAVP', 'TCP/TLS/RTP/SAVPF', 'udp/tls/rtp/savpf'])(
    'takes media over %s',
    protocol => {
      const offer = clients.ffmpegPublishes().replaceAll('UDP/TLS/RTP/SAVPF', protocol);
      expect(parseOffer(offer).sections[0]?.protocol).toBe(protocol);
    },
  );

  it.each(['xUDP/TLS/RTP/SAVPF', 'UDP/TLS/RTP/SAVPFx', 'UDP/TLS/RTP/AVPF'])('takes no media over %s', protocol => {
    const offer = clients.ffmpegPublishes().replaceAll('UDP/TLS/RTP/SAVPF', protocol);
    expect(() => parseOffer(offer)).toThrow('must use DTLS-SRTP');
  });

  it('ignores a format without a clock rate', () => {
    const offer = clients.ffmpegPublishes().replace('a=rtpmap:106 H264/90000', 'a=rtpmap:106 H264');
    expect(parseOffer(offer).sections[1]?.codecs).toEqual([]);
  });

  it('has only feedback that the engine supports', () => {
    const offer = clients
      .ffmpegPublishes()
      .replace(
        'a=rtpmap:106',
        'a=rtcp-fb:106 nack sli\r\na=rtcp-fb:106 ccm tmmbr\r\na=rtcp-fb:106 nack pli\r\na=rtpmap:106',
      );
    expect(parseOffer(offer).sections[1]?.codecs[0]?.rtcpFeedback).toEqual([{ type: 'nack', parameter: 'pli' }]);
  });

  it('names the client as the line for it does, wherever it stands', () => {
    const cnameOf = (line: string) =>
      parseOffer(clients.ffmpegPublishes().replaceAll(/a=ssrc:2001 .*/g, line)).sections[1]?.cname;
    expect(cnameOf('a=ssrc:2001 msid:a b\r\na=ssrc:2001 cname:me')).toBe('me');
    expect(cnameOf('a=ssrc:2001 msid:a b')).toBeUndefined();
  });

  it('keeps feedback for one format apart from that of others', () => {
    const [, video] = parseOffer(clients.chromiumPublishes().replace('a=rtcp-fb:98 nack\r\n', '')).sections;
    const feedback = (payloadType: number) =>
      video?.codecs.find(codec => codec.payloadType === payloadType)?.rtcpFeedback ?? [];
    expect(feedback(96)).toEqual([
      { type: 'goog-remb' },
      { type: 'transport-cc' },
      { type: 'ccm', parameter: 'fir' },
      { type: 'nack' },
      { type: 'nack', parameter: 'pli' },
    ]);
    expect(feedback(98)).not.toContainEqual({ type: 'nack' });
    expect(feedback(97)).toEqual([]);
  });

  it('joins the parameters of several lines for one format', () => {
    const offer = clients.ffmpegPublishes().replace('a=fmtp:106 ', 'a=fmtp:106 x=1\r\na=fmtp:107 y=1\r\na=fmtp:106 ');
    const parameters = parseOffer(offer).sections[1]?.codecs[0]?.parameters;
    expect(parameters).toMatchObject({ x: 1, 'packetization-mode': 1 });
    expect(parameters).not.toHaveProperty('y');
  });

  it.each([
    ['send h;l', ['h', 'l']],
    ['recv x send h;l', ['h', 'l']],
    ['send l;h;l', ['l', 'h']],
    ['send ~l,h', ['l']],
  ])('reads the layers of simulcast %j', (list, rids) => {
    const offer = clients.chromiumPublishesLayers().replace('simulcast:send h;l', `simulcast:${list}`);
    expect(parseOffer(offer).sections[1]?.rids).toEqual(rids);
  });

  it('ignores layers that are only received', () => {
    const received = clients.chromiumPublishesLayers().replaceAll(/a=rid:(.) send/g, 'a=rid:$1 recv');
    expect(parseOffer(received).sections[1]).not.toHaveProperty('rids');
  });

  it.each([
    ['one', 'a=msid:one track', 'one'],
    ['none for a track without a stream', 'a=msid:- track', undefined],
    ['none without a line for it', 'a=x', undefined],
  ])('reads the MediaStream: %s', (_case, line, stream) => {
    const offer = clients.ffmpegPublishes().replace('a=mid:1', `a=mid:1\r\n${line}`);
    expect(parseOffer(offer).sections[1]?.stream).toBe(stream);
  });

  it('reads the transport from the first section that has one', () => {
    const offer = clients.chromiumPublishes({ fingerprintAt: 'session' }).replace(/a=ice-ufrag:.*\r\n/, '');
    expect(parseOffer(offer)).toMatchObject({ ice: { usernameFragment: 'ufr4g' }, setup: 'actpass' });
  });

  it('writes the hash of a fingerprint in lower case and its bytes in upper case', () => {
    const offer = clients.chromiumPublishes().replaceAll('sha-256', 'SHA-256').replaceAll('0A', '0a');
    const value = Array(32).fill('0A').join(':');
    expect(parseOffer(offer).fingerprints).toEqual([{ algorithm: 'sha-256', value }]);
  });

  it('merges feedback for all formats and repeated feedback', () => {
    const offer = clients
      .ffmpegPublishes()
      .replace('a=rtpmap:106', 'a=rtcp-fb:* nack\r\na=rtcp-fb:* goog-remb\r\na=rtcp-fb:106 nack \r\na=rtpmap:106');
    expect(parseOffer(offer).sections[1]?.codecs[0]?.rtcpFeedback).toEqual([{ type: 'nack' }, { type: 'goog-remb' }]);
  });
});

describe('feedback', () => {
  it.each([
    [{ type: 'nack' }, { type: 'nack', parameter: '' }, true],
    [{ type: 'nack', parameter: 'pli' }, { type: 'nack', parameter: 'pli' }, true],
    [{ type: 'nack', parameter: 'pli' }, { type: 'nack' }, false],
    [{ type: 'nack' }, { type: 'nack', parameter: 'pli' }, false],
    [{ type: 'goog-remb' }, { type: 'transport-cc' }, false],
  ])('%j and %j are the same: %s', (a, b, isSame) => {
    expect(isSameFeedback(a, b)).toBe(isSame);
  });
});

describe('fmtp', () => {
  it.each([
    ['profile-level-id=640032;packetization-mode=1', { 'profile-level-id': '640032', 'packetization-mode': 1 }],
    [
      'sprop-parameter-sets=Z0LA==,aM4=; level-asymmetry-allowed=1',
      { 'sprop-parameter-sets': 'Z0LA==,aM4=', 'level-asymmetry-allowed': 1 },
    ],
    ['111/111', {}],
    ['0-15', {}],
    ['=1;y;', {}],
    [' X = 1 ; y= Z ', { x: 1, y: 'Z' }],
    ['x=007;y=12345678901', { x: '007', y: '12345678901' }],
  ])('reads %s', (config, parameters) => {
    expect(parseFmtp(config)).toEqual(parameters);
  });

  it('writes parameters that it can read again', () => {
    const name = fc.stringMatching(/^[a-z][a-z-]{0,10}$/);
    const value = fc.oneof(fc.nat(999_999), fc.stringMatching(/^[a-z][a-z0-9,=/]{0,10}$/));
    fc.assert(
      fc.property(fc.dictionary(name, value, { noNullPrototype: true }), parameters => {
        expect(parseFmtp(formatFmtp(parameters))).toEqual(parameters);
      }),
    );
  });
});
