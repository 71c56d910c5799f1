import type { MediaKind } from '@rtms/contracts';
import type { LocalIce } from '../media/media-engine.js';
import { answerPublished } from './answer-sections.js';
import { answeredSetup, buildAnswer } from './build-answer.js';
import { parseOffer } from './parse-offer.js';
import { toPublishedSections } from './publish-parameters.js';
import { linesOf } from './testing/answer-lines.js';
import { offeredFingerprint, offeredPassword, offeredUfrag } from './testing/build-offer.js';
import * as clients from './testing/client-offers.js';

const ice: LocalIce = {
  usernameFragment: 'ours',
  password: 'our-password',
  candidates: [
    { foundation: 'udp', priority: 10, address: '192.0.2.1', port: 40000, protocol: 'udp' },
    { foundation: 'tcp', priority: 5, address: '192.0.2.1', port: 40000, protocol: 'tcp', tcpType: 'passive' },
  ],
};
const fingerprints = [{ algorithm: 'sha-256', value: 'AA:BB' }];

function publish(sdp: string, kinds: MediaKind[] = ['audio', 'video']) {
  const offer = parseOffer(sdp);
  const sections = toPublishedSections(offer, kinds);
  const setup = answeredSetup(offer.setup);
  return { sections, answer: buildAnswer(sections.map(answerPublished), { ice, fingerprints, setup }) };
}

describe('the answer to each kind of publisher', () => {
  it.each([
    {
      client: 'Chromium',
      offer: clients.chromiumPublishes(),
      setup: 'passive',
      mids: ['0', '1'],
      audio: '111',
      video: '96 97 98 99 102 103 108 109 116 117 45',
    },
    {
      client: 'Firefox',
      offer: clients.firefoxPublishes(),
      setup: 'passive',
      mids: ['0', '1'],
      audio: '109',
      video: '120 124 121 125 99 126 127',
    },
    {
      client: 'FFmpeg',
      offer: clients.ffmpegPublishes(),
      setup: 'active',
      mids: ['0', '1'],
      audio: '111',
      video: '106',
    },
    {
      client: 'GStreamer',
      offer: clients.gstreamerPublishes(),
      setup: 'passive',
      mids: ['audio0', 'video1'],
      audio: '100',
      video: '96',
    },
    {
      client: 'pion',
      offer: clients.pionPublishes(),
      setup: 'passive',
      mids: ['1', '0'],
      audio: '111',
      video: '96 102 123',
    },
    { client: 'OBS', offer: clients.obsPublishes(), setup: 'passive', mids: ['0', '1'], audio: '111', video: '96' },
  ])(
    '$client: its own mids, numbers and DTLS role',
    ({ offer, setup, mids: [audioMid = '', videoMid = ''], audio, video }) => {
      const { answer } = publish(offer);
      const audioLines = linesOf(answer, audioMid);
      const videoLines = linesOf(answer, videoMid);
      expect(audioLines[0]).toBe(`m=audio 9 UDP/TLS/RTP/SAVPF ${audio}`);
      expect(videoLines[0]).toBe(`m=video 9 UDP/TLS/RTP/SAVPF ${video}`);
      for (const lines of [audioLines, videoLines]) {
        expect(lines).toEqual(
          expect.arrayContaining(['a=recvonly', 'a=rtcp-mux', `a=setup:${setup}`, 'a=ice-ufrag:ours']),
        );
        expect(lines).not.toContain('a=bundle-only');
        expect(lines).not.toContain('a=rtcp-mux-only');
      }
    },
  );

  it('bundles the sections in the order of the offer, with all candidates in the first one', () => {
    const { answer } = publish(clients.pionPublishes());
    expect(linesOf(answer)).toEqual(expect.arrayContaining(['a=group:BUNDLE 0 1', 'a=ice-lite']));
    expect(linesOf(answer, '0')).toEqual(
      expect.arrayContaining([
        'a=candidate:udp 1 udp 10 192.0.2.1 40000 typ host',
        'a=candidate:tcp 1 tcp 5 192.0.2.1 40000 typ host tcptype passive',
        'a=end-of-candidates',
      ]),
    );
    expect(linesOf(answer, '1').filter(line => line.includes('candidate'))).toEqual([]);
  });

  it('is for FFmpeg exactly this', () => {
    const transport = ['a=ice-ufrag:ours', 'a=ice-pwd:our-password', 'a=fingerprint:sha-256 AA:BB', 'a=setup:active'];
    expect(publish(clients.ffmpegPublishes()).answer.split('\r\n')).toEqual([
      ...['v=0', 'o=rtms 1 1 IN IP4 0.0.0.0', 's=-', 't=0 0'],
      ...['a=group:BUNDLE 0 1', 'a=ice-lite', 'a=msid-semantic: WMS *'],
      ...['m=audio 9 UDP/TLS/RTP/SAVPF 111', 'c=IN IP4 0.0.0.0', 'a=mid:0', 'a=recvonly', 'a=rtcp-mux'],
      'a=rtpmap:111 opus/48000/2',
      ...transport,
      'a=candidate:udp 1 udp 10 192.0.2.1 40000 typ host',
      'a=candidate:tcp 1 tcp 5 192.0.2.1 40000 typ host tcptype passive',
      'a=end-of-candidates',
      ...['m=video 9 UDP/TLS/RTP/SAVPF 106', 'c=IN IP4 0.0.0.0', 'a=mid:1', 'a=recvonly', 'a=rtcp-mux'],
      'a=rtpmap:106 H264/90000',
      'a=fmtp:106 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=4d001f',
      ...transport,
      '',
    ]);
  });

  it('has reduced-size RTCP and mixed extension headers where the offer has them', () => {
    const has = (offer: string, mid: string) => {
      const lines = linesOf(publish(offer).answer, mid);
      return [lines.includes('a=rtcp-rsize'), lines.includes('a=extmap-allow-mixed')];
    };
    expect(has(clients.chromiumPublishes(), '0')).toEqual([true, true]);
    expect(has(clients.firefoxPublishes(), '0')).toEqual([false, true]);
    expect(has(clients.firefoxPublishes(), '1')).toEqual([true, true]);
    expect(has(clients.ffmpegPublishes(), '1')).toEqual([false, false]);
  });

  it('mirrors the direction of an extension, and leaves out those that the publisher does not send', () => {
    const directed = (direction: string): string[] =>
      linesOf(
        publish(clients.chromiumPublishes().replaceAll('a=extmap:13 ', `a=extmap:13/${direction} `)).answer,
        '1',
      ).filter(line => line.startsWith('a=extmap:13'));
    expect(directed('sendonly')).toEqual(['a=extmap:13/recvonly urn:3gpp:video-orientation']);
    expect(directed('sendrecv')).toEqual(['a=extmap:13 urn:3gpp:video-orientation']);
    expect(directed('recvonly')).toEqual([]);
    expect(directed('inactive')).toEqual([]);
  });

  it('offers REMB to a publisher that has send times but no transport-wide numbers', () => {
    const offer = clients.chromiumPublishes().replaceAll(/a=extmap:3 .*\r\n/g, '');
    const feedback = linesOf(publish(offer).answer, '1').filter(line => line.startsWith('a=rtcp-fb:96 '));
    expect(feedback).toEqual([
      'a=rtcp-fb:96 goog-remb',
      'a=rtcp-fb:96 ccm fir',
      'a=rtcp-fb:96 nack',
      'a=rtcp-fb:96 nack pli',
    ]);
  });

  it('has the H264 formats of packetization mode 0 only when the offer has no other', () => {
    const numbers = (offer: string) => linesOf(publish(offer).answer, '1')[0]?.split(' ').slice(3);
    expect(numbers(clients.ffmpegPublishes())).toEqual(['106']);
    const mode0 = clients.ffmpegPublishes().replace('packetization-mode=1', 'packetization-mode=0');
    expect(numbers(mode0)).toEqual(['106']);
  });

  it('has CRLF at every end of line', () => {
    const { answer } = publish(clients.chromiumPublishes());
    expect(answer.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(answer.endsWith('\r\n')).toBe(true);
  });

  it('keeps stereo and FEC of Opus', () => {
    expect(linesOf(publish(clients.firefoxPublishes()).answer, '0')).toContain(
      'a=fmtp:109 maxplaybackrate=48000;stereo=1;useinbandfec=1',
    );
    expect(linesOf(publish(clients.chromiumPublishes()).answer, '0')).toContain(
      'a=fmtp:111 minptime=10;useinbandfec=1',
    );
  });

  it('asks for stereo where the publisher has it', () => {
    expect(linesOf(publish(clients.gstreamerPublishes()).answer, 'audio0')).toContain(
      'a=fmtp:100 sprop-stereo=1;stereo=1',
    );
  });

  it('answers the offered H264 profile, without the parameter sets of the publisher', () => {
    expect(linesOf(publish(clients.gstreamerPublishes()).answer, 'video1')).toContain(
      'a=fmtp:96 packetization-mode=1;profile-level-id=42c01f',
    );
  });

  it.each(['42001f', '42e01f', '4d001f', '64001f', '640c1f', '640032'])('takes H264 %s', profile => {
    expect(linesOf(publish(clients.ffmpegPublishes(profile)).answer, '1')).toContain(
      `a=fmtp:106 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=${profile}`,
    );
  });

  it("lists only header extensions that were offered and are received, by the offer's ids", () => {
    const extensions = (offer: string, mid: string) =>
      linesOf(publish(offer).answer, mid).filter(line => line.startsWith('a=extmap:'));
    expect(extensions(clients.chromiumPublishes(), '1')).toEqual([
      'a=extmap:2 http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time',
      'a=extmap:3 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01',
      'a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid',
      'a=extmap:13 urn:3gpp:video-orientation',
    ]);
    expect(extensions(clients.ffmpegPublishes(), '1')).toEqual([]);
    expect(extensions(clients.firefoxPublishes(), '0')).not.toContainEqual(expect.stringContaining('csrc'));
  });

  it('offers one congestion control, and none where the offer has no extension for it', () => {
    const feedback = (offer: string, mid: string, number: number) =>
      linesOf(publish(offer).answer, mid).filter(line => line.startsWith(`a=rtcp-fb:${number} `));
    expect(feedback(clients.chromiumPublishes(), '1', 96)).toEqual([
      'a=rtcp-fb:96 transport-cc',
      'a=rtcp-fb:96 ccm fir',
      'a=rtcp-fb:96 nack',
      'a=rtcp-fb:96 nack pli',
    ]);
    expect(feedback(clients.pionPublishes(), '0', 96)).toEqual([
      'a=rtcp-fb:96 ccm fir',
      'a=rtcp-fb:96 nack',
      'a=rtcp-fb:96 nack pli',
      'a=rtcp-fb:96 transport-cc',
    ]);
    expect(feedback(clients.obsPublishes(), '1', 96)).toEqual(['a=rtcp-fb:96 nack', 'a=rtcp-fb:96 nack pli']);
    expect(feedback(clients.ffmpegPublishes(), '1', 106)).toEqual([]);
  });
});

describe('what is received of a publisher', () => {
  it('is told apart by the SSRCs that the offer names', () => {
    const [, video] = publish(clients.chromiumPublishes()).sections;
    expect(video?.rtpParameters).toMatchObject({
      mid: '1',
      encodings: [{ ssrc: 2001, rtx: { ssrc: 2002 } }],
      rtcp: { cname: 'client', reducedSize: true },
    });
  });

  it.each([
    ['without a group of SSRCs', /a=ssrc-group:.*\r\n/, ''],
    ['with a group for another purpose', 'ssrc-group:FID', 'ssrc-group:FEC'],
    ['with a group of one SSRC', 'FID 2001 2002', 'FID 2001'],
    ['with an SSRC of 0', 'FID 2001 2002', 'FID 2001 0'],
    ['with an SSRC of more than 32 bits', 'FID 2001 2002', 'FID 2001 4294967296'],
  ])('has no retransmissions %s', (_case, found, replacement) => {
    const [, video] = publish(clients.chromiumPublishes().replace(found, replacement)).sections;
    expect(video?.rtpParameters.encodings).toEqual([{ ssrc: 2001 }]);
    expect(video?.rtpParameters.codecs.map(({ mimeType }) => mimeType)).not.toContain('video/rtx');
  });

  it('has the highest SSRC that 32 bits hold', () => {
    const offer = clients.chromiumPublishes().replace('FID 2001 2002', 'FID 4294967295 1');
    expect(publish(offer).sections[1]?.rtpParameters.encodings).toEqual([{ ssrc: 4294967295, rtx: { ssrc: 1 } }]);
  });

  it('is told apart by the mid extension where there are no SSRCs', () => {
    const offer = clients.chromiumPublishesLayers().replace(/a=(?:rid|simulcast).*\r\n/g, '');
    const [, video] = publish(offer).sections;
    expect(video?.rtpParameters.encodings).toEqual([{}]);
    expect(video?.rtpParameters.headerExtensions.map(({ uri }) => uri)).not.toContainEqual(
      expect.stringMatching(/stream-id$/),
    );
  });

  it('is every simulcast layer of the offer, told apart by its RID, and the answer lists them', () => {
    const { sections, answer } = publish(clients.chromiumPublishesLayers());
    expect(sections[1]?.rtpParameters.encodings).toEqual([{ rid: 'h' }, { rid: 'l' }]);
    expect(sections[1]?.rtpParameters.headerExtensions).toContainEqual({
      uri: 'urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id',
      id: 10,
    });
    expect(linesOf(answer, '1')).toEqual(
      expect.arrayContaining(['a=rid:h recv', 'a=rid:l recv', 'a=simulcast:recv h;l']),
    );
  });

  it.each([
    ['the first of alternatives, also paused ones', 'send h,m;~l', ['h', 'l']],
    ['none that has no rid line', 'send h;x', ['h']],
    ['none that the publisher would receive', 'recv h;l', []],
  ])('is, of layers, %s', (_case, list, rids) => {
    const offer = clients.chromiumPublishesLayers().replace('simulcast:send h;l', `simulcast:${list}`);
    const found = publish(offer).sections[1]?.rtpParameters.encodings.flatMap(({ rid }) => rid ?? []);
    expect(found).toEqual(rids);
  });

  it('has every codec of the offer, since what is sent decides', () => {
    const [video] = publish(clients.pionPublishes()).sections;
    expect(video?.rtpParameters.codecs.map(({ mimeType }) => mimeType)).toEqual([
      'video/VP8',
      'video/H264',
      'video/H264',
    ]);
  });
});

describe('offers that cannot be taken whole', () => {
  const chromium = clients.chromiumPublishes();
  const inStreams = (audio: string, video: string): string =>
    chromium
      .replace('a=mid:0', `a=mid:0\r\na=msid:${audio} track-1`)
      .replace('a=mid:1', `a=mid:1\r\na=msid:${video} track-2`);

  const layersTooMany = ['1', '2', '3', '4', '5'];

  it.each([
    ['only receives', clients.chromiumWatches(), 'audio section must be sendonly or sendrecv'],
    ['is inactive', clients.chromiumPublishes({ direction: 'inactive' }), 'audio section must be sendonly or sendrecv'],
    ['has no bundle', chromium.replace(/a=group.*\r\n/, ''), 'must be in one BUNDLE group'],
    ['leaves a section out of its bundle', chromium.replace('BUNDLE 0 1', 'BUNDLE 0'), 'must be in one BUNDLE group'],
    ['groups its sections for another purpose', chromium.replace('BUNDLE', 'LS'), 'must be in one BUNDLE group'],
    ['has a mid twice', chromium.replace('a=mid:1', 'a=mid:0'), 'have the same "mid"'],
    ['has a section without a mid', chromium.replace('a=mid:1\r\n', ''), 'needs a "mid"'],
    ['has no rtcp-mux', chromium.replace('a=rtcp-mux\r\n', ''), 'audio section must offer "rtcp-mux"'],
    ['has no DTLS', chromium.replaceAll('UDP/TLS/RTP/SAVPF', 'RTP/AVP'), 'audio section must use DTLS-SRTP'],
    ['has no fingerprint', chromium.replace(/a=fingerprint.*\r\n/g, ''), 'has no DTLS "fingerprint"'],
    ['has half a fingerprint', chromium.replaceAll(offeredFingerprint, '0A'), 'has no DTLS "fingerprint"'],
    ['has a fingerprint and more', chromium.replaceAll(offeredFingerprint, 'x0A:0A'), 'has no DTLS "fingerprint"'],
    ['has a hash that is not known', chromium.replaceAll('sha-256', 'md5'), 'hash of the DTLS "fingerprint"'],
    ['has no ICE credentials', chromium.replace(/a=ice-ufrag.*\r\n/g, ''), '"ice-ufrag" of 4 to 256 characters'],
    ['has a short ICE user name', clients.chromiumPublishes({ ufrag: 'abc' }), '"ice-ufrag" of 4 to 256'],
    ['has a long ICE user name', clients.chromiumPublishes({ ufrag: 'a'.repeat(257) }), '"ice-ufrag" of 4 to 256'],
    ['has no ICE password', chromium.replace(/a=ice-pwd.*\r\n/g, ''), '"ice-pwd" of 22 to 256 characters'],
    ['has a short ICE password', chromium.replaceAll(offeredPassword, 'a'.repeat(21)), '"ice-pwd" of 22 to 256'],
    ['has a long ICE password', chromium.replaceAll(offeredPassword, 'a'.repeat(257)), '"ice-pwd" of 22 to 256'],
    ['has no DTLS role', chromium.replace(/a=setup.*\r\n/g, ''), '"setup" of actpass, active or passive'],
    ['holds the connection', chromium.replaceAll('a=setup:actpass', 'a=setup:holdconn'), '"setup" of actpass'],
    ['has a rejected section', chromium.replace('m=video 9', 'm=video 0'), 'video section is rejected by its port 0'],
    ['has two MediaStreams', inStreams('one', 'two'), 'must be of one MediaStream'],
    [
      'has a data channel',
      chromium.replace('BUNDLE 0 1', 'BUNDLE 0 1 2') +
        'm=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\na=mid:2\r\n',
      'Only audio and video',
    ],
    ['has no codec that can be received', chromium.replace('opus/48000/2', 'speex/16000'), 'None of the audio codecs'],
    [
      'has packets that nobody could tell apart',
      clients.ffmpegPublishes().replace(/a=ssrc.*\r\n/g, ''),
      'audio section needs an "ssrc" line or the mid header extension',
    ],
    [
      'has layers without the extension that names them',
      clients.chromiumPublishesLayers().replace(/a=extmap:10 .*\r\n/, ''),
      'Simulcast needs the "rtp-stream-id" and "mid" header extensions',
    ],
    [
      'has layers without the extension that names their section',
      clients.chromiumPublishesLayers().replaceAll(/a=extmap:4 .*\r\n/g, ''),
      'Simulcast needs the "rtp-stream-id" and "mid" header extensions',
    ],
    [
      'has more layers than the engine forwards',
      clients
        .chromiumPublishesLayers()
        .replace(
          'a=simulcast:send h;l',
          [...layersTooMany.map(rid => `a=rid:${rid} send`), `a=simulcast:send ${layersTooMany.join(';')}`].join(
            '\r\n',
          ),
        ),
      'more than 4 simulcast layers',
    ],
  ])('refuses one that %s, and says so', (_case, offer, message) => {
    expect(() => publish(offer)).toThrow(
      expect.objectContaining({ reason: 'unacceptable_offer', message: expect.stringContaining(message) as string }),
    );
  });

  it('refuses two tracks of a kind', () => {
    const offer = chromium.replace('m=audio', 'm=video').replaceAll('opus/48000/2', 'VP8/90000');
    expect(() => publish(offer, ['video'])).toThrow('At most one track of a kind');
  });

  it('takes ICE credentials of the shortest and the longest form', () => {
    const long = 'a'.repeat(256);
    expect(parseOffer(clients.chromiumPublishes({ ufrag: long }).replaceAll(offeredPassword, long)).ice.password).toBe(
      long,
    );
    const short = clients.chromiumPublishes({ ufrag: 'abcd' }).replaceAll(offeredPassword, 'a'.repeat(22));
    expect(parseOffer(short).ice.usernameFragment).toBe('abcd');
  });

  it('takes 8 media sections at most', () => {
    const sections = (count: number): string => {
      const [session = '', first = ''] = clients.ffmpegPublishes('42e01f', { kinds: ['video'] }).split(/^(?=m=)/m);
      const mids = Array.from({ length: count }, (_, mid) => `${mid}`);
      return (
        session.replace('BUNDLE 1', `BUNDLE ${mids.join(' ')}`) +
        mids.map(mid => first.replace('a=mid:1', `a=mid:${mid}`)).join('')
      );
    };
    expect(parseOffer(sections(8)).sections).toHaveLength(8);
    expect(() => parseOffer(sections(9))).toThrow('more than 8 media sections');
  });

  it('refuses a kind too few and a kind too many', () => {
    expect(() => publish(chromium, ['audio'])).toThrow('The offer has video, but the session was made without it');
    const audio = clients.chromiumPublishes({ kinds: ['audio'] });
    expect(() => publish(audio)).toThrow('The session needs video, but the offer has none');
    expect(publish(audio, ['audio']).sections).toHaveLength(1);
  });

  it('takes tracks of one MediaStream, and tracks of none', () => {
    for (const offer of [inStreams('one', 'one'), inStreams('-', '-'), inStreams('one', '-')])
      expect(publish(offer).sections).toHaveLength(2);
  });

  it('takes an offer of one section without a mid and a bundle', () => {
    const offer = clients.ffmpegPublishes('42e01f', { kinds: ['video'] }).replace(/a=(?:group|mid).*\r\n/g, '');
    expect(publish(offer, ['video']).answer).not.toContain('a=mid');
  });
});

describe('the transport of an offer', () => {
  it.each([
    ['in the sections', clients.chromiumPublishes()],
    ['in the session', clients.firefoxPublishes()],
  ])('is found %s', (_case, offer) => {
    expect(parseOffer(offer)).toMatchObject({
      ice: { usernameFragment: offeredUfrag, password: offeredPassword },
      fingerprints: [{ algorithm: 'sha-256', value: offeredFingerprint }],
      setup: 'actpass',
    });
  });
});
