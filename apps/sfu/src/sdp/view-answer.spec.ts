import type { LocalIce, SentTrack } from '../media/media-engine.js';
import { engineCapabilities, enginePayloadProfile } from '../media/engine-codecs.js';
import { receivableBy } from '../media/match-codec.js';
import type { RtpCodec } from '../media/rtp-parameters.js';
import { answerUnused, answerViewed, isListed } from './answer-sections.js';
import { answeredSetup, buildAnswer } from './build-answer.js';
import { parseOffer } from './parse-offer.js';
import { payloadTypeMismatch, toViewedSections, type ViewedSection } from './receiver-capabilities.js';
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

  it('lists no header extension whose id is another one than ours', () => {
    expect(view(clients.chromiumWatches()).answer).not.toContain('a=extmap:');
  });

  it('lists header extensions whose ids are the same', () => {
    const offer = clients
      .chromiumWatches()
      .replaceAll(/a=extmap:.*\r\n/g, '')
      .replaceAll('a=recvonly\r\n', 'a=recvonly\r\na=extmap:1 urn:ietf:params:rtp-hdrext:sdes:mid\r\n');
    expect(linesOf(view(offer).answer, '1')).toContain('a=extmap:1 urn:ietf:params:rtp-hdrext:sdes:mid');
  });

  it('names no SSRC, so that a publisher may come back under another one', () => {
    expect(view(clients.chromiumWatches()).answer).not.toContain('a=ssrc');
  });

  it('finds nothing for players with other numbers', () => {
    const [audio] = toViewedSections(parseOffer(clients.firefoxWatches()), ['audio', 'video']);
    expect(audio && sentTo(audio, 'audio/opus')).toBeUndefined();
    expect(payloadTypeMismatch('audio', enginePayloadProfile)).toMatchObject({
      status: 406,
      details: { payloadProfile: enginePayloadProfile },
    });
  });

  it('leaves a section inactive that there is nothing for', () => {
    const { answer } = view(clients.chromiumWatches(), 'video/VP8', ['video']);
    expect(linesOf(answer, '0')).toEqual(expect.arrayContaining(['m=audio 9 UDP/TLS/RTP/SAVPF 111', 'a=inactive']));
  });

  it('writes a valid line even for a section without any format', () => {
    const offer = clients.chromiumWatches().replaceAll(/a=rtpmap:(?:111|63|0|126) .*\r\n/g, '');
    expect(linesOf(view(offer, 'video/VP8', ['video']).answer, '0')[0]).toBe('m=audio 9 UDP/TLS/RTP/SAVPF 0');
  });

  it('knows which tracks may take the place of one that it listed', () => {
    const [, video] = view(clients.chromiumWatches()).answered;
    expect(video && isListed(video, codecOf('video/VP8'))).toBe(true);
    expect(video && isListed(video, codecOf('video/VP9'))).toBe(false);
  });
});

describe('offers of viewers', () => {
  it('may send and receive, but not send only', () => {
    expect(view(clients.chromiumWatches({ direction: 'sendrecv' })).answer).toContain('a=sendonly');
    expect(() => view(clients.chromiumWatches({ direction: 'sendonly' }))).toThrow('recvonly or sendrecv');
  });

  it('must have a use for something that the playback has', () => {
    expect(() => view(clients.chromiumWatches({ direction: 'inactive' }))).toThrow('must receive');
    expect(() => view(clients.chromiumWatches({ kinds: ['audio'] }), 'video/VP8', ['video'])).toThrow(
      'must receive video',
    );
  });
});
