import { parseOffer } from '../signalling/sdp/parse-offer.js';
import { adaptedNumbers, toViewedSections } from '../signalling/sdp/receiver-capabilities.js';
import * as clients from '../signalling/sdp/testing/client-offers.js';
import { engineCapabilities, enginePayloadProfile, opus } from './codecs.js';
import { areOwnNumbers, numbersFor, numbersKey, receivableWith, sentBy } from './payload-numbers.js';
import type { ReceiverCapabilities, RtpCodec } from '@rtms/contracts';

function video(name: string, parameters: RtpCodec['parameters'] = {}, payloadType = 106): RtpCodec {
  return { mimeType: `video/${name}`, payloadType, clockRate: 90_000, parameters, rtcpFeedback: [] };
}

const h264 = (profile: string, payloadType = 106, mode = 1): RtpCodec =>
  video('H264', { 'profile-level-id': profile, 'packetization-mode': mode }, payloadType);

const rtx = (payloadType: number, apt: number): RtpCodec => video('rtx', { apt }, payloadType);

function viewer(...codecs: RtpCodec[]): ReceiverCapabilities {
  return { kind: 'video', mid: '1', codecs, headerExtensions: [] };
}

/** The payload types of Opus and of a video codec for an offer. */
function adapted(sdp: string, codec: RtpCodec) {
  const sections = toViewedSections(parseOffer(sdp), ['audio', 'video']);
  const tracks = [
    { kind: 'audio' as const, codec: opus },
    { kind: 'video' as const, codec },
  ];
  return adaptedNumbers(sections, tracks, enginePayloadProfile);
}

describe('the numbers of a viewer’s own offer', () => {
  it.each([
    ['VP8 to Firefox', clients.firefoxWatches(), video('VP8'), [109], [120, 124]],
    ['VP9 to Firefox', clients.firefoxWatches(), video('VP9'), [109], [121, 125]],
    ['AV1 to Firefox', clients.firefoxWatches(), video('AV1'), [109], [99, 100]],
    ['H264 Constrained Baseline to Firefox', clients.firefoxWatches(), h264('42e01f'), [109], [126, 127]],
    ['H264 Main to Firefox, by its only entry', clients.firefoxWatches(), h264('4d001f'), [109], [126, 127]],
    ['H264 High to Firefox, by its only entry', clients.firefoxWatches(), h264('640028'), [109], [126, 127]],
    ['H264 to GStreamer, without RTX', clients.gstreamerWatches(), h264('42e01f'), [111], [96]],
    ['H264 Main to GStreamer', clients.gstreamerWatches(), h264('4d001f'), [111], [96]],
    ['VP8 to Chromium', clients.chromiumWatches(), video('VP8'), [111], [96, 97]],
    ['AV1 to Chromium, whose RTX number no engine gives', clients.chromiumWatches(), video('AV1'), [111], [45]],
  ])('take %s', (_case, offer, codec, audio, wanted) => {
    const numbers = adapted(offer, codec).map(({ payloadType, rtxPayloadType }) => [payloadType, rtxPayloadType]);
    expect(numbers.map(pair => pair.filter(number => number !== undefined))).toEqual([audio, wanted]);
  });

  it('are ours if the offer has them', () => {
    expect(areOwnNumbers(adapted(clients.chromiumWatches(), video('VP8')))).toBe(true);
    expect(areOwnNumbers(adapted(clients.firefoxWatches(), video('VP8')))).toBe(false);
  });

  it('are refused with the payload profile only if no codec fits', () => {
    expect(() => adapted(clients.gstreamerWatches(), video('VP8'))).toThrow(
      expect.objectContaining({
        reason: 'payload_type_mismatch',
        details: { payloadProfile: enginePayloadProfile },
      }),
    );
  });

  it('are refused if one is used for two codecs', () => {
    const offer = clients.firefoxWatches().replaceAll('109', '120');
    expect(() => adapted(offer, video('VP8'))).toThrow(expect.objectContaining({ reason: 'unacceptable_offer' }));
  });

  it.each([
    ['the same profile before another', [h264('42e01f', 97), h264('4d001f', 98)], '4d001f', 98],
    [
      'a profile that decodes the stream before one that does not',
      [h264('42e01f', 97), h264('64001f', 98)],
      '4d001f',
      98,
    ],
    ['only packetization mode 1', [h264('42e01f', 97, 0), h264('42001f', 98)], '42e01f', 98],
    ['nothing of packetization mode 0', [h264('42e01f', 97, 0)], '42e01f', undefined],
    ['no number that RTCP would be taken for', [h264('42e01f', 72)], '42e01f', undefined],
  ])('are, for H264, of %s', (_case, offered, stream, number) => {
    expect(numbersFor(viewer(...offered), h264(stream))?.payloadType).toBe(number);
  });

  it('omit RTX if its payload type cannot be sent', () => {
    expect(numbersFor(viewer(video('VP8', {}, 120), rtx(46, 120)), video('VP8'))?.rtxPayloadType).toBeUndefined();
    expect(numbersFor(viewer(video('VP8', {}, 120), rtx(124, 120)), video('VP8'))?.rtxPayloadType).toBe(124);
  });

  it('have the same key in any order', () => {
    const [vp8, vp9] = [video('VP8'), video('VP9')];
    const key = numbersKey(adapted(clients.firefoxWatches(), vp8));
    expect(numbersKey([...adapted(clients.firefoxWatches(), vp8)].reverse())).toBe(key);
    expect(numbersKey(adapted(clients.firefoxWatches(), vp9))).not.toBe(key);
    expect(numbersKey(adapted(clients.chromiumWatches(), vp8))).not.toBe(key);
  });

  it('stay valid for a publisher that reconnects with the same codec only', () => {
    const capabilities = viewer(video('VP8', {}, 120), rtx(124, 120), video('VP9', {}, 121));
    const numbered = numbersFor(capabilities, video('VP8'));
    const numbers = numbered ? [numbered] : [];
    expect(sentBy(numbers, video('VP8', {}, 96))?.payloadType).toBe(120);
    expect(receivableWith(numbers, capabilities, video('VP8', {}, 96)).map(codec => codec.payloadType)).toEqual([
      120, 124,
    ]);
    expect(sentBy(numbers, video('VP9'))).toBeUndefined();
    expect(receivableWith(numbers, capabilities, video('VP9'))).toEqual([]);
  });

  it('are those of the payload profile by default', () => {
    for (const codec of engineCapabilities.codecs.video) {
      expect(sentBy(undefined, codec)?.payloadType).toBe(codec.payloadType);
    }
  });
});
