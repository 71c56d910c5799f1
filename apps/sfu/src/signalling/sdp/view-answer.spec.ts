import type { LocalIce, SentTrack } from '../../media/media-engine.js';
import { engineCapabilities, enginePayloadProfile, receivableBy } from '../../media/codecs.js';
import type { RtpCodec } from '@rtms/contracts';
import { answeredSetup, answerUnused, answerViewed, buildAnswer, isListed, remoteDtlsRole } from './build-answer.js';
import { parseOffer } from './parse-offer.js';
import { adaptedNumbers, payloadTypeMismatch, toViewedSections, type ViewedSection } from './receiver-capabilities.js';
import { linesOf } from './testing/answer-lines.js';
import * as clients from './testing/client-offers.js';

const ice: LocalIce = { usernameFragment: 'ours', password: 'our-password', candidates: [] };

function codecOf(mimeType: string): RtpCodec {
  const all = [...engineCapabilities.codecs.audio, ...engineCapabilities.codecs.video];
  const codec = all.find(known => known.mimeType === mimeType);
  if (!codec) throw new Error(`no ${mimeType}`);
  return codec;
}

/** As an engine would send it. */
function sentTo({ capabilities }: ViewedSection, mimeType: string): SentTrack | undefined {
  const codecs = capabilities ? receivableBy(capabilities, codecOf(mimeType)) : [];
  if (!capabilities || codecs.length === 0) return undefined;
  const { kind, mid, headerExtensions } = capabilities;
  const rtpParameters = { mid, codecs, headerExtensions, encodings: [{ ssrc: 1 }], rtcp: {} };
  const layers = { spatial: 1, temporal: 1 };
  const nothing = { prefer: () => Promise.resolve(), onLayersChange: () => undefined, close: () => Promise.resolve() };
  return { trackID: `trk_${kind}`, kind, rtpParameters, layers, ...nothing };
}

function view(sdp: string, video = 'video/VP8', kinds: ('audio' | 'video')[] = ['audio', 'video']) {
  const offer = parseOffer(sdp);
  const answered = toViewedSections(offer, kinds).map(viewed => {
    const sent = sentTo(viewed, viewed.section.kind === 'audio' ? 'audio/opus' : video);
    return sent ? answerViewed(viewed, sent, 'rtms') : answerUnused(viewed.section);
  });
  const setup = answeredSetup(offer.setup);
  return { answered, answer: buildAnswer(answered, { ice, fingerprints: [], setup }) };
}

describe('the answer to a viewer', () => {
  it.each([
    ['VP8 to Chromium', clients.chromiumWatches(), 'video/VP8', '1', '96 97'],
    ['VP9 to Chromium', clients.chromiumWatches(), 'video/VP9', '1', '98 99'],
    ['AV1 to Chromium, without RTX', clients.chromiumWatches(), 'video/AV1', '1', '45'],
    ['H264 to Chromium', clients.chromiumWatches(), 'video/H264', '1', '102 103'],
  ])("sends %s by the offer's own numbers", (_case, offer, mimeType, mid, numbers) => {
    const lines = linesOf(view(offer, mimeType).answer, mid);
    expect(lines[0]).toBe(`m=video 9 UDP/TLS/RTP/SAVPF ${numbers}`);
    expect(lines).toContain('a=sendonly');
    expect(lines).toContain('a=msid:rtms trk_video');
  });

  it('omits header extensions with other ids', () => {
    expect(view(clients.chromiumWatches()).answer).not.toContain('a=extmap:');
  });

  it('lists header extensions whose ids are the same', () => {
    const offer = clients
      .chromiumWatches()
      .replaceAll(/a=extmap:.*\r\n/g, '')
      .replaceAll('a=recvonly\r\n', 'a=recvonly\r\na=extmap:1 urn:ietf:params:rtp-hdrext:sdes:mid\r\n');
    expect(linesOf(view(offer).answer, '1')).toContain('a=extmap:1 urn:ietf:params:rtp-hdrext:sdes:mid');
  });

  it('lists no header extension that the player offers by another id or for another purpose', () => {
    const mid = 'urn:ietf:params:rtp-hdrext:sdes:mid';
    const [, video] = toViewedSections(parseOffer(clients.chromiumWatches()), ['audio', 'video']);
    const sent = video && sentTo(video, 'video/VP8');
    if (!sent) throw new Error('no video');
    const extensions = (headerExtensions: { id: number; uri: string }[]) =>
      answerViewed(video, { ...sent, rtpParameters: { ...sent.rtpParameters, headerExtensions } }, 'rtms')
        .headerExtensions;
    expect(extensions([{ id: 4, uri: mid }])).toEqual([{ id: 4, uri: mid }]);
    expect(extensions([{ id: 5, uri: mid }])).toEqual([]);
    expect(extensions([{ id: 4, uri: 'urn:3gpp:video-orientation' }])).toEqual([]);
  });

  it('mirrors the direction of the extension with the same id and purpose', () => {
    const [first, second] = ['urn:3gpp:video-orientation', 'urn:ietf:params:rtp-hdrext:sdes:mid'];
    const offer = clients
      .chromiumWatches()
      .replaceAll(/a=extmap:.*\r\n/g, '')
      .replaceAll('a=recvonly\r\n', `a=recvonly\r\na=extmap:1/recvonly ${first}\r\na=extmap:2 ${second}\r\n`);
    const [, video] = toViewedSections(parseOffer(offer), ['audio', 'video']);
    if (!video) throw new Error('no video');
    const headerExtensions = [
      { id: 2, uri: second },
      { id: 1, uri: first },
      { id: 3, uri: first },
    ];
    const answered = { ...answerUnused(video.section), headerExtensions };
    const lines = linesOf(buildAnswer([answered], { ice, fingerprints: [], setup: 'passive' }), '1');
    expect(lines.filter(line => line.startsWith('a=extmap:'))).toEqual([
      `a=extmap:2 ${second}`,
      `a=extmap:1/sendonly ${first}`,
      `a=extmap:3 ${first}`,
    ]);
  });

  it('sends no retransmissions by a number that the player offers for media', () => {
    const [, video] = toViewedSections(parseOffer(clients.chromiumWatches()), ['audio', 'video']);
    const sent = video && sentTo(video, 'video/VP8');
    const [vp8, rtx] = sent?.rtpParameters.codecs ?? [];
    if (!sent || !vp8 || !rtx) throw new Error('no video');
    const numbers = (...codecs: RtpCodec[]) =>
      answerViewed(video, { ...sent, rtpParameters: { ...sent.rtpParameters, codecs } }, 'rtms').codecs.map(
        ({ payloadType }) => payloadType,
      );
    expect(numbers(vp8, rtx)).toEqual([96, 97]);
    expect(numbers(vp8, { ...rtx, payloadType: 98 })).toEqual([96]);
    expect(numbers({ ...vp8, payloadType: 97 })).toEqual([]);
    expect(numbers({ ...vp8, payloadType: 34 })).toEqual([]);
  });

  it('names no format of retransmissions in an inactive section', () => {
    const offer = clients.chromiumWatches().replace('SAVPF 96 97', 'SAVPF 97 96');
    expect(linesOf(view(offer, 'video/VP8', ['audio']).answer, '1')[0]).toBe('m=video 9 UDP/TLS/RTP/SAVPF 96');
  });

  it.each([
    ['actpass', 'client'],
    ['active', 'client'],
    ['passive', 'server'],
  ] as const)('leaves to a player with %s the role of the DTLS %s', (setup, role) => {
    expect(remoteDtlsRole(setup)).toBe(role);
  });

  it('names no SSRC, so that a publisher may reconnect with another one', () => {
    expect(view(clients.chromiumWatches()).answer).not.toContain('a=ssrc');
  });

  it.each([
    ['a track', [{ ssrc: 1 }], { cname: 'us' }, ['a=ssrc:1 cname:us']],
    ['a track without a name', [{ ssrc: 1 }], {}, ['a=ssrc:1 cname:rtms']],
    [
      'a track and its retransmissions',
      [{ ssrc: 1, rtx: { ssrc: 2 } }],
      { cname: 'us' },
      ['a=ssrc-group:FID 1 2', 'a=ssrc:1 cname:us', 'a=ssrc:2 cname:us'],
    ],
    ['no track without an SSRC', [{}], {}, []],
  ])('names the SSRC of %s to a player without the mid extension', (_case, encodings, rtcp, expected) => {
    const offer = parseOffer(clients.chromiumWatches().replaceAll(/a=extmap:4 .*\r\n/g, ''));
    const [, video] = toViewedSections(offer, ['audio', 'video']);
    const sent = video && sentTo(video, 'video/VP8');
    if (!sent) throw new Error('no video');
    const answered = answerViewed(
      video,
      { ...sent, rtpParameters: { ...sent.rtpParameters, encodings, rtcp } },
      'rtms',
    );
    const answer = buildAnswer([answered], { ice, fingerprints: [], setup: 'passive' });
    expect(linesOf(answer, '1').filter(line => line.startsWith('a=ssrc'))).toEqual(expected);
  });

  it('has only the feedback that both the player and the engine support', () => {
    const [, video] = toViewedSections(parseOffer(clients.chromiumWatches()), ['audio', 'video']);
    const sent = video && sentTo(video, 'video/VP8');
    const [vp8] = sent?.rtpParameters.codecs ?? [];
    if (!sent || !vp8) throw new Error('no video');
    const codecs = [
      {
        ...vp8,
        rtcpFeedback: [
          { type: 'nack', parameter: 'pli' },
          { type: 'nack', parameter: 'sli' },
        ],
      },
    ];
    const answered = answerViewed(video, { ...sent, rtpParameters: { ...sent.rtpParameters, codecs } }, 'rtms');
    expect(answered.codecs.map(codec => codec.rtcpFeedback)).toEqual([[{ type: 'nack', parameter: 'pli' }]]);
  });

  it.each([
    ['', 'a=extmap:1 urn:ietf:params:rtp-hdrext:sdes:mid'],
    ['/recvonly', 'a=extmap:1/sendonly urn:ietf:params:rtp-hdrext:sdes:mid'],
    ['/sendonly', undefined],
    ['/inactive', undefined],
  ])('sends the player extension that it offers by %j', (direction, line) => {
    const offer = clients
      .chromiumWatches()
      .replaceAll(/a=extmap:.*\r\n/g, '')
      .replaceAll('a=recvonly\r\n', `a=recvonly\r\na=extmap:1${direction} urn:ietf:params:rtp-hdrext:sdes:mid\r\n`);
    expect(linesOf(view(offer).answer, '1').find(each => each.startsWith('a=extmap:'))).toBe(line);
  });

  it('finds nothing for players with other payload types', () => {
    const [audio] = toViewedSections(parseOffer(clients.firefoxWatches()), ['audio', 'video']);
    expect(audio && sentTo(audio, 'audio/opus')).toBeUndefined();
    expect(payloadTypeMismatch('audio', enginePayloadProfile)).toMatchObject({
      status: 406,
      message: "The audio payload types of the offer are not those of the endpoint's payload profile.",
      details: { payloadProfile: enginePayloadProfile },
    });
  });

  it('leaves a section without a track inactive', () => {
    const { answer } = view(clients.chromiumWatches(), 'video/VP8', ['video']);
    expect(linesOf(answer, '0')).toEqual(expect.arrayContaining(['m=audio 9 UDP/TLS/RTP/SAVPF 111', 'a=inactive']));
  });

  it('writes a valid line even for a section without any format', () => {
    const offer = clients.chromiumWatches().replaceAll(/a=rtpmap:(?:111|63|0|126) .*\r\n/g, '');
    expect(linesOf(view(offer, 'video/VP8', ['video']).answer, '0')[0]).toBe('m=audio 9 UDP/TLS/RTP/SAVPF 0');
  });

  it('tells which tracks may replace a listed one', () => {
    const [, video] = view(clients.chromiumWatches()).answered;
    expect(video && isListed(video, codecOf('video/VP8'))).toBe(true);
    expect(video && isListed(video, codecOf('video/VP9'))).toBe(false);
    expect(video && isListed(video, { ...codecOf('video/VP8'), payloadType: 98 })).toBe(false);
    expect(video && isListed(video, { ...codecOf('video/VP9'), payloadType: 96 })).toBe(false);
  });
});

describe('offers of viewers', () => {
  it('may be sendrecv, but not sendonly', () => {
    expect(view(clients.chromiumWatches({ direction: 'sendrecv' })).answer).toContain('a=sendonly');
    expect(() => view(clients.chromiumWatches({ direction: 'sendonly' }))).toThrow('recvonly or sendrecv');
  });

  it('get one track of a kind, in the first section that can receive it', () => {
    const offer = clients.chromiumWatches().replace('m=audio', 'm=video').replace('111 63 0 126', '96');
    const sections = toViewedSections(parseOffer(offer.replace('a=rtpmap:111 opus/48000/2', 'a=rtpmap:96 VP8/90000')), [
      'video',
    ]);
    expect(sections.map(({ capabilities }) => capabilities?.mid)).toEqual(['0', undefined]);
  });

  it('must receive at least one kind of the playback', () => {
    expect(() => view(clients.chromiumWatches({ direction: 'inactive' }))).toThrow('must receive audio or video');
    expect(() => view(clients.chromiumWatches({ kinds: ['audio'] }), 'video/VP8', ['video'])).toThrow(
      'must receive video',
    );
  });
});

describe('the numbers of a viewer’s own offer', () => {
  const adapted = (offer: string, mimeType = 'video/VP8') => {
    const tracks = [
      { kind: 'audio' as const, codec: codecOf('audio/opus') },
      { kind: 'video' as const, codec: codecOf(mimeType) },
    ];
    return adaptedNumbers(toViewedSections(parseOffer(offer), ['audio', 'video']), tracks, enginePayloadProfile);
  };

  it('are those of the codecs that the source sends', () => {
    expect(adapted(clients.firefoxWatches())).toEqual([
      expect.objectContaining({ payloadType: 109 }),
      expect.objectContaining({ payloadType: 120, rtxPayloadType: 124 }),
    ]);
  });

  it('need no payload type for a section without a track', () => {
    const sections = toViewedSections(parseOffer(clients.firefoxWatches()), ['video']);
    const track = { kind: 'video' as const, codec: codecOf('video/VP8') };
    expect(adaptedNumbers(sections, [track], enginePayloadProfile)).toHaveLength(1);
    expect(
      adaptedNumbers(
        toViewedSections(parseOffer(clients.firefoxWatches()), ['audio', 'video']),
        [track],
        enginePayloadProfile,
      ),
    ).toHaveLength(1);
  });

  it('must include each codec', () => {
    expect(() => adapted(clients.gstreamerWatches())).toThrow(
      expect.objectContaining({
        reason: 'payload_type_mismatch',
        message: 'The offer has no video format for video/VP8, which is what the source sends.',
        details: { payloadProfile: enginePayloadProfile },
      }),
    );
  });

  it('must not stand for two codecs', () => {
    const offer = clients.firefoxWatches().replaceAll(/\b120\b/g, '109');
    expect(() => adapted(offer)).toThrow('The offer uses one payload type for two codecs');
  });
});
