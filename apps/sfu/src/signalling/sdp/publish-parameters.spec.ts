import { linesOf } from './testing/answer-lines.js';
import * as clients from './testing/client-offers.js';
import { publish } from './testing/publish.js';

describe('the parameters to receive a publisher', () => {
  it('assigns packets by the SSRCs that the offer names', () => {
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

  it.each(['FID 0 2002', 'FID 2001.5 2002', 'FID x 2002'])('ignores the group %j without an SSRC', group => {
    const offer = clients.chromiumPublishes().replace('FID 2001 2002', group);
    expect(publish(offer).sections[1]?.rtpParameters.encodings).toEqual([{ ssrc: 2001 }]);
  });

  it('names the publisher only as the offer does', () => {
    const offer = clients.ffmpegPublishes().replaceAll(/cname:.*/g, 'msid:a b');
    expect(publish(offer).sections[1]?.rtpParameters.rtcp).toStrictEqual({ reducedSize: false });
  });

  it('has the highest SSRC that 32 bits hold', () => {
    const offer = clients.chromiumPublishes().replace('FID 2001 2002', 'FID 4294967295 1');
    expect(publish(offer).sections[1]?.rtpParameters.encodings).toEqual([{ ssrc: 4294967295, rtx: { ssrc: 1 } }]);
  });

  it('assigns packets by the mid extension when the offer names no SSRCs', () => {
    const offer = clients.chromiumPublishesLayers().replace(/a=(?:rid|simulcast).*\r\n/g, '');
    const [, video] = publish(offer).sections;
    expect(video?.rtpParameters.encodings).toStrictEqual([{}]);
    expect(video?.rtpParameters.codecs.map(({ mimeType }) => mimeType)).toContain('video/rtx');
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
  ])('receives of the simulcast layers: %s', (_case, list, rids) => {
    const offer = clients.chromiumPublishesLayers().replace('simulcast:send h;l', `simulcast:${list}`);
    const found = publish(offer).sections[1]?.rtpParameters.encodings.flatMap(({ rid }) => rid ?? []);
    expect(found).toEqual(rids);
  });

  it('has every receivable codec of the offer, because the publisher may send any of them', () => {
    const [video] = publish(clients.pionPublishes()).sections;
    expect(video?.rtpParameters.codecs.map(({ mimeType }) => mimeType)).toEqual([
      'video/VP8',
      'video/H264',
      'video/H264',
    ]);
  });
});
