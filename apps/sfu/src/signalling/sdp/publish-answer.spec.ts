import { linesOf } from './testing/answer-lines.js';
import * as clients from './testing/client-offers.js';
import { publish } from './testing/publish.js';

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

  it('matches this text for FFmpeg', () => {
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

  it('has reduced-size RTCP and mixed extension headers if the offer has them', () => {
    const has = (offer: string, mid: string) => {
      const lines = linesOf(publish(offer).answer, mid);
      return [lines.includes('a=rtcp-rsize'), lines.includes('a=extmap-allow-mixed')];
    };
    expect(has(clients.chromiumPublishes(), '0')).toEqual([true, true]);
    expect(has(clients.firefoxPublishes(), '0')).toEqual([false, true]);
    expect(has(clients.firefoxPublishes(), '1')).toEqual([true, true]);
    expect(has(clients.ffmpegPublishes(), '1')).toEqual([false, false]);
  });

  it('mirrors the direction of an extension, and omits extensions that the publisher does not send', () => {
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

  it('selects REMB for a publisher with send times but no transport-wide numbers', () => {
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

  it('asks for stereo if the publisher has stereo', () => {
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

  it('selects one congestion control, or none without its extension', () => {
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
