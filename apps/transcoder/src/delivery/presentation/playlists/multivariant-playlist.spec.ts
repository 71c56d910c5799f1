import { formatMultivariantPlaylist, type VideoVariant } from './multivariant-playlist.js';

function makeVariant(given: Partial<VideoVariant> = {}): VideoVariant {
  return {
    uri: '720p/index.m3u8',
    width: 1280,
    height: 720,
    frameRate: 30,
    bandwidth: 2_628_000,
    averageBandwidth: 2_000_000.2,
    codecs: 'avc1.64001f,mp4a.40.2',
    ...given,
  };
}

describe('a multivariant playlist', () => {
  it('describes its variants and their audio', () => {
    const audio = { uri: 'audio/index.m3u8', channels: 2 };
    const small = makeVariant({ uri: '360p/index.m3u8', width: 640, height: 360, frameRate: 30000 / 1001 });
    expect(formatMultivariantPlaylist({ variants: [makeVariant(), small], audio })).toBe(
      `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Main",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="audio/index.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=2628000,AVERAGE-BANDWIDTH=2000001,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=30.000,AUDIO="audio"
720p/index.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=2628000,AVERAGE-BANDWIDTH=2000001,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=640x360,FRAME-RATE=29.970,AUDIO="audio"
360p/index.m3u8
`,
    );
  });

  it('names the language of the audio when it is known', () => {
    const audio = { uri: 'audio/index.m3u8', channels: 1, language: 'de' };
    const text = formatMultivariantPlaylist({ variants: [makeVariant()], audio });
    expect(text).toContain('NAME="de",LANGUAGE="de",DEFAULT=YES');
  });

  it('has no audio group for a source without audio', () => {
    const text = formatMultivariantPlaylist({ variants: [makeVariant({ codecs: 'avc1.64001f' })] });
    expect(text).not.toContain('AUDIO');
    expect(text).not.toContain('EXT-X-MEDIA');
  });
});
