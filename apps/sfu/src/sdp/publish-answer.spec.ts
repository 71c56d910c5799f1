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

const refusal = (sdp: string, kinds?: MediaKind[]): string => {
  try {
    publish(sdp, kinds);
    return 'accepted';
  } catch (error) {
    return String((error as { reason?: unknown }).reason);
  }
};

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

  it('cannot be layers that packets do not name, or too many', () => {
    const offer = clients.chromiumPublishesLayers();
    expect(() => publish(offer.replace(/a=extmap:10 .*\r\n/, ''))).toThrow('rtp-stream-id');
    const many = ['1', '2', '3', '4', '5'];
    const lines = [...many.map(rid => `a=rid:${rid} send`), `a=simulcast:send ${many.join(';')}`].join('\r\n');
    expect(() => publish(offer.replace('a=simulcast:send h;l', lines))).toThrow('more than 4');
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

  it.each([
    ['one that only receives', clients.chromiumWatches()],
    ['an inactive one', clients.chromiumPublishes({ direction: 'inactive' })],
    ['one without bundle', chromium.replace(/a=group.*\r\n/, '')],
    ['one whose bundle leaves a section out', chromium.replace('BUNDLE 0 1', 'BUNDLE 0')],
    ['one with a mid twice', chromium.replace('a=mid:1', 'a=mid:0')],
    ['one without rtcp-mux', chromium.replace('a=rtcp-mux\r\n', '')],
    ['one without DTLS', chromium.replaceAll('UDP/TLS/RTP/SAVPF', 'RTP/AVP')],
    ['one without a fingerprint', chromium.replace(/a=fingerprint.*\r\n/g, '')],
    ['one with a hash that is not known', chromium.replaceAll('sha-256', 'md5')],
    ['one without ICE credentials', chromium.replace(/a=ice-ufrag.*\r\n/g, '')],
    ['one with a short ICE password', chromium.replaceAll(offeredPassword, 'short')],
    ['one without a DTLS role', chromium.replace(/a=setup.*\r\n/g, '')],
    ['one that holds the connection', chromium.replaceAll('a=setup:actpass', 'a=setup:holdconn')],
    ['one with a rejected section', chromium.replace('m=video 9', 'm=video 0')],
    ['one with two tracks of a kind', chromium.replace('m=audio', 'm=video').replaceAll('opus/48000/2', 'VP8/90000')],
    ['one with two MediaStreams', inStreams('one', 'two')],
    [
      'one with a data channel',
      chromium.replace('BUNDLE 0 1', 'BUNDLE 0 1 2') +
        'm=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\na=mid:2\r\n',
    ],
    ['one without a codec that can be received', chromium.replace('opus/48000/2', 'speex/16000')],
    ['one whose packets could not be told apart', clients.ffmpegPublishes().replace(/a=ssrc.*\r\n/g, '')],
  ])('refuses %s', (_case, offer) => {
    expect(refusal(offer)).toBe('unacceptable_offer');
  });

  it('refuses a kind too few and a kind too many', () => {
    expect(refusal(chromium, ['audio'])).toBe('unacceptable_offer');
    expect(refusal(clients.chromiumPublishes({ kinds: ['audio'] }))).toBe('unacceptable_offer');
    expect(refusal(clients.chromiumPublishes({ kinds: ['audio'] }), ['audio'])).toBe('accepted');
  });

  it('takes tracks of one MediaStream, and tracks of none', () => {
    expect([refusal(inStreams('one', 'one')), refusal(inStreams('-', '-')), refusal(inStreams('one', '-'))]).toEqual([
      'accepted',
      'accepted',
      'accepted',
    ]);
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
