import { parseOffer } from './parse-offer.js';
import { offeredFingerprint, offeredPassword, offeredUfrag } from './testing/build-offer.js';
import * as clients from './testing/client-offers.js';
import { publish } from './testing/publish.js';

describe('unacceptable offers', () => {
  const chromium = clients.chromiumPublishes();
  const inStreams = (audio: string, video: string): string =>
    chromium
      .replace('a=mid:0', `a=mid:0\r\na=msid:${audio} track-1`)
      .replace('a=mid:1', `a=mid:1\r\na=msid:${video} track-2`);

  const withLayers = (...rids: string[]): string => {
    const lines = [...rids.map(rid => `a=rid:${rid} send`), `a=simulcast:send ${rids.join(';')}`];
    return clients.chromiumPublishesLayers().replace('a=simulcast:send h;l', lines.join('\r\n'));
  };

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
    ['has more before its fingerprint', chromium.replaceAll(offeredFingerprint, 'x0A:0A'), 'has no DTLS "fingerprint"'],
    ['has more after its fingerprint', chromium.replaceAll(offeredFingerprint, '0A:0Ax'), 'has no DTLS "fingerprint"'],
    ['has a hash that is not known', chromium.replaceAll('sha-256', 'md5'), 'hash of the DTLS "fingerprint"'],
    ['has no ICE credentials', chromium.replace(/a=ice-ufrag.*\r\n/g, ''), '"ice-ufrag" of 4 to 256 characters'],
    ['has a short ICE user name', clients.chromiumPublishes({ ufrag: 'abc' }), '"ice-ufrag" of 4 to 256'],
    ['has a long ICE user name', clients.chromiumPublishes({ ufrag: 'a'.repeat(257) }), '"ice-ufrag" of 4 to 256'],
    ['has no ICE password', chromium.replace(/a=ice-pwd.*\r\n/g, ''), '"ice-pwd" of 22 to 256 characters'],
    ['has a short ICE password', chromium.replaceAll(offeredPassword, 'a'.repeat(21)), '"ice-pwd" of 22 to 256'],
    ['has a long ICE password', chromium.replaceAll(offeredPassword, 'a'.repeat(257)), '"ice-pwd" of 22 to 256'],
    ['has no DTLS role', chromium.replace(/a=setup.*\r\n/g, ''), '"setup" of actpass, active or passive'],
    ['holds the connection', chromium.replaceAll('a=setup:actpass', 'a=setup:holdconn'), '"setup" of actpass'],
    [
      'has a rejected section',
      chromium.replace('m=video 9', 'm=video 0'),
      'video section has port 0, which rejects it',
    ],
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
      'has packets that only an extension for another purpose marks',
      clients
        .ffmpegPublishes()
        .replace(/a=ssrc.*\r\n/g, 'a=extmap:3 http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time\r\n'),
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
    ['has more layers than the engine forwards', withLayers('1', '2', '3', '4', '5'), 'more than 4 simulcast layers'],
  ])('refuses an offer that %s', (_case, offer, message) => {
    expect(() => publish(offer)).toThrow(
      expect.objectContaining({ reason: 'unacceptable_offer', message: expect.stringContaining(message) as string }),
    );
  });

  it('accepts as many layers as the engine forwards', () => {
    expect(publish(withLayers('1', '2', '3', '4')).sections[1]?.rtpParameters.encodings).toHaveLength(4);
  });

  it('refuses two tracks of a kind', () => {
    const offer = chromium.replace('m=audio', 'm=video').replaceAll('opus/48000/2', 'VP8/90000');
    expect(() => publish(offer, ['video'])).toThrow('The offer has two sections of one kind');
  });

  it('accepts the shortest and the longest ICE credentials', () => {
    const long = 'a'.repeat(256);
    expect(parseOffer(clients.chromiumPublishes({ ufrag: long }).replaceAll(offeredPassword, long)).ice.password).toBe(
      long,
    );
    const short = clients.chromiumPublishes({ ufrag: 'abcd' }).replaceAll(offeredPassword, 'a'.repeat(22));
    expect(parseOffer(short).ice.usernameFragment).toBe('abcd');
  });

  it('accepts at most 8 media sections', () => {
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

  it('refuses a missing kind and an extra kind', () => {
    expect(() => publish(chromium, ['audio'])).toThrow('The offer has video, but the session has none');
    const audio = clients.chromiumPublishes({ kinds: ['audio'] });
    expect(() => publish(audio)).toThrow('The offer has no video, but the session requires it');
    expect(publish(audio, ['audio']).sections).toHaveLength(1);
  });

  it('accepts tracks of one MediaStream, and tracks of none', () => {
    for (const offer of [inStreams('one', 'one'), inStreams('-', '-'), inStreams('one', '-')])
      expect(publish(offer).sections).toHaveLength(2);
  });

  it('accepts an offer of one section without a mid and a bundle', () => {
    const offer = clients.ffmpegPublishes('42e01f', { kinds: ['video'] }).replace(/a=(?:group|mid).*\r\n/g, '');
    const { answer, sections } = publish(offer, ['video']);
    expect(answer).not.toMatch(/a=mid|BUNDLE/);
    expect(sections[0]?.rtpParameters).not.toHaveProperty('mid');
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
