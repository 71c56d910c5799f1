import { h264ProfileOf, receivableBy, receivedAs, sentAs } from './codecs.js';
import type { RtpCodec } from '@rtms/contracts';

function video(name: string, payloadType: number, parameters: RtpCodec['parameters'] = {}): RtpCodec {
  return { mimeType: `video/${name}`, payloadType, clockRate: 90_000, parameters, rtcpFeedback: [] };
}

const h264 = (payloadType: number, profile?: string): RtpCodec =>
  video('H264', payloadType, profile === undefined ? {} : { 'profile-level-id': profile });

describe('matching codecs', () => {
  it.each([
    ['42001f', 'baseline'],
    ['42e01f', 'constrained_baseline'],
    ['42c01f', 'constrained_baseline'],
    ['4d001f', 'main'],
    ['4D401F', 'main'],
    ['64001f', 'high'],
    ['640032', 'high'],
    ['640c1f', 'constrained_high'],
    ['f4001f', undefined],
    ['nonsense', undefined],
  ])('reads the H264 profile of %s as %s', (profileLevelID, profile) => {
    expect(h264ProfileOf(profileLevelID)).toBe(profile);
  });

  it.each([
    [video('VP8', 120), 96],
    [video('VP9', 121), 98],
    [video('vp9', 121, { 'profile-id': 0 }), 98],
    [video('AV1', 41), 45],
    [h264(106, '42001f'), 102],
    [h264(106, '42c01f'), 108],
    [h264(106, '4d401f'), 116],
    [h264(106, '64001f'), 102],
    [h264(106, '640c1f'), 102],
    [h264(106), 102],
  ])('sends %o under %i', (offered, number) => {
    expect(sentAs(offered)?.payloadType).toBe(number);
  });

  it.each([
    video('H265', 96),
    video('VP9', 96, { 'profile-id': 2 }),
    h264(96, 'f4001f'),
    video('rtx', 97, { apt: 96 }),
  ])('does not receive %o', offered => {
    expect(receivedAs(offered)).toBeUndefined();
    expect(sentAs(offered)).toBeUndefined();
  });

  it('finds the receivable codecs by payload type, codec and RTX', () => {
    const sent = sentAs(video('VP8', 120));
    if (!sent) throw new Error('VP8 is sent');
    const numbers = (codecs: RtpCodec[]): number[] =>
      receivableBy({ kind: 'video', mid: '1', codecs, headerExtensions: [] }, sent).map(codec => codec.payloadType);
    expect(numbers([video('VP8', 96), video('rtx', 97, { apt: 96 })])).toEqual([96, 97]);
    expect(numbers([video('VP8', 96), video('rtx', 97, { apt: 98 })])).toEqual([96]);
    expect(numbers([video('VP8', 96), video('rtx', 121, { apt: 96 })])).toEqual([96]);
    expect(numbers([video('VP8', 120)])).toEqual([]);
    expect(numbers([video('VP9', 96)])).toEqual([]);
  });
});
