import { conversionArguments, planConversion } from './conversion-plan.js';
import { profileIn, readFrameList, type InspectedMedia } from './media-probe.js';

const decoders = new Set(['h264', 'hevc', 'aac', 'opus']);
const bounds = { pixels: 1920 * 1080, pixelsPerSecond: 1920 * 1080 * 60 };
const h264 = { codec: 'h264', width: 1280, height: 720, frameRate: 30, hasBFrames: false };
const aac = { codec: 'aac' };
const both = ['video', 'audio'] as const;

const plan = (media: InspectedMedia, kinds: readonly ('audio' | 'video')[] = both) =>
  planConversion(media, { container: 'flv', kinds, maxSource: bounds }, { decoders });

describe('the plan of a conversion', () => {
  it.each<[string, InspectedMedia, unknown]>([
    ['copies H264 without B-frames', { video: h264, audio: aac }, { video: 'copy' }],
    [
      'encodes B-frames',
      { video: { ...h264, hasBFrames: true }, audio: aac },
      { video: { frameRate: 30, bitrate: 2_764_800 } },
    ],
    ['copies the profile High', { video: { ...h264, profile: 'High' }, audio: aac }, { video: 'copy' }],
    ['encodes 4:2:2', { video: { ...h264, profile: 'High 4:2:2' }, audio: aac }, { video: { frameRate: 30 } }],
    ['encodes HEVC', { video: { ...h264, codec: 'hevc' }, audio: aac }, { video: { frameRate: 30 } }],
  ])('%s', (_, media, expected) => {
    expect(plan(media)).toMatchObject({ container: 'flv', kinds: both, ...(expected as object) });
  });

  it.each<[string, InspectedMedia]>([
    ['no_media', {}],
    ['track_missing', { video: h264 }],
    ['codec_unsupported', { video: { ...h264, codec: 'none' }, audio: aac }],
    ['codec_unsupported', { video: h264, audio: { codec: 'none' } }],
    ['source_too_large', { video: { ...h264, width: 3840, height: 2160, hasBFrames: true }, audio: aac }],
  ])('refuses with %s', (problem, media) => {
    expect(plan(media)).toBe(problem);
  });

  it('leaves out a kind that the session does not want', () => {
    expect(plan({ video: h264, audio: { codec: 'none' } }, ['video'])).toMatchObject({
      kinds: ['video'],
      video: 'copy',
    });
    const audio = plan({ video: { ...h264, hasBFrames: true }, audio: aac }, ['audio']);
    expect(audio).toEqual({ container: 'flv', kinds: ['audio'] });
    expect(conversionArguments(audio as never, 'rtsp://x')).not.toContain('0:v:0');
  });

  it('copies a picture of any size, because copying costs almost nothing', () => {
    expect(plan({ video: { ...h264, width: 3840, height: 2160 }, audio: aac })).toMatchObject({ video: 'copy' });
  });
});

describe('the list of frames', () => {
  const head =
    '#tb 0: 1/90000\n#media_type 0: video\n#codec_id 0: h264\n#dimensions 0: 320x180\n#media_type 1: audio\n#codec_id 1: aac\n';

  it('has codecs, size and rate', () => {
    const frames = [0, 3600, 7200].map(time => `0, ${time}, ${time}, 3600, 7, 0xaa`).join('\n');
    expect(readFrameList(`${head}${frames}\n1, 0, 0, 2089, 265, 0xbb`)).toEqual({
      video: { codec: 'h264', width: 320, height: 180, frameRate: 25, hasBFrames: false },
      audio: { codec: 'aac' },
    });
  });

  it('shows B-frames by pictures that are sent after a later one', () => {
    const frames = ['0, 0, 3600,', '0, 3600, 14400,', '0, 7200, 7200,'].join('\n');
    expect(readFrameList(`${head}${frames}`).video).toMatchObject({ hasBFrames: true });
  });

  it('comes with a message that has the profile', () => {
    const message = (profile: string) =>
      `  Stream #0:0: Video: h264 (${profile}) (H264 / 0x34363248), yuv422p, 320x180`;
    expect(profileIn(`Input #0, flv\n${message('High 4:2:2')}\n`)).toBe('High 4:2:2');
    expect(profileIn('Stream #0:0: Audio: aac (LC)')).toBeUndefined();
  });

  it('is empty without streams', () => {
    expect(readFrameList('')).toEqual({});
  });
});
