import { conversionArguments, planConversion } from './conversion-plan.js';
import { profileIn, readFrameList, unnamedAudioIn, type InspectedMedia } from './media-probe.js';

const decoders = new Set(['h264', 'hevc', 'aac', 'opus']);
const bounds = { pixels: 1920 * 1080, pixelsPerSecond: 1920 * 1080 * 60 };
const h264 = { codec: 'h264', width: 1280, height: 720, frameRate: 30, bitrate: 2_500_000, hasBFrames: false };
const aac = { codec: 'aac' };
const both = ['video', 'audio'] as const;

const plan = (media: InspectedMedia, kinds: readonly ('audio' | 'video')[] = both) =>
  planConversion(media, { container: 'flv', kinds, maxSource: bounds }, { decoders });

describe('the plan of a conversion', () => {
  it.each<[string, InspectedMedia, unknown]>([
    ['copies H264', { video: h264, audio: aac }, { video: 'copy', hasBFrames: false }],
    ['copies B-frames', { video: { ...h264, hasBFrames: true }, audio: aac }, { video: 'copy', hasBFrames: true }],
    ['copies the profile High', { video: { ...h264, profile: 'High' }, audio: aac }, { video: 'copy' }],
    ['encodes 4:2:2', { video: { ...h264, profile: 'High 4:2:2' }, audio: aac }, { video: { frameRate: 30 } }],
    [
      'encodes HEVC',
      { video: { ...h264, codec: 'hevc' }, audio: aac },
      { video: { frameRate: 30, bitrate: 2_764_800 } },
    ],
  ])('%s', (_, media, expected) => {
    expect(plan(media)).toMatchObject({ container: 'flv', kinds: both, ...(expected as object) });
  });

  it.each<[string, InspectedMedia]>([
    ['no_media', {}],
    ['track_missing', { video: h264 }],
    ['codec_unsupported', { video: { ...h264, codec: 'none' }, audio: aac }],
    ['codec_unsupported', { video: h264, audio: { codec: 'none' } }],
    ['source_too_large', { video: { ...h264, width: 3840, height: 2160, codec: 'hevc' }, audio: aac }],
  ])('refuses with %s', (problem, media) => {
    expect(plan(media)).toBe(problem);
  });

  it('leaves out a kind that the session does not want', () => {
    expect(plan({ video: h264, audio: { codec: 'none' } }, ['video'])).toMatchObject({
      kinds: ['video'],
      video: 'copy',
    });
    const audio = plan({ video: { ...h264, hasBFrames: true }, audio: aac }, ['audio']);
    expect(audio).toEqual({ container: 'flv', kinds: ['audio'], hasBFrames: false, renditions: [] });
    expect(conversionArguments(audio as never, 'rtsp://x', 700)).not.toContain('0:v:0');
  });

  it('keeps the times of pictures, and reads no more than the beginning before it converts', () => {
    const args = conversionArguments(plan({ video: { ...h264, codec: 'hevc' }, audio: aac }) as never, 'x', 1_234.5);
    const valueOf = (name: string) => args[args.indexOf(name) + 1];
    expect(valueOf('-enc_time_base:v:0')).toBe('1/90000');
    expect(valueOf('-analyzeduration')).toBe('1235000');
  });

  it('names the decoder of PCM that came by MPEG-TS, because NUT has no name for it', () => {
    const codec = unnamedAudioIn('Stream #0:1: Audio: none (BSSD / 0x44535342), 48000 Hz, stereo') ?? '';
    const planned = planConversion(
      { audio: { codec, isUnnamed: true } },
      { container: 'nut', kinds: ['audio'], maxSource: bounds },
      { decoders: new Set(['s302m']) },
    );
    expect(conversionArguments(planned as never, 'x', 700).join(' ')).toContain('-c:a s302m -f nut -i pipe:0');
    expect(unnamedAudioIn('Stream #0:1: Audio: none (ABCD / 0x44434241), 48000 Hz')).toBeUndefined();
  });

  it('copies a picture of any size, because copying costs almost nothing', () => {
    expect(plan({ video: { ...h264, width: 3840, height: 2160 }, audio: aac })).toMatchObject({ video: 'copy' });
  });
});

describe('the smaller pictures of a conversion', () => {
  const planned = (video: Partial<typeof h264>, tracks: readonly ('audio' | 'video')[] = ['video']) =>
    planConversion(
      { video: { ...h264, ...video } },
      { container: 'flv', kinds: tracks, maxSource: bounds, webrtcRenditions: true },
      { decoders },
    );
  const sizes = (video: Partial<typeof h264>) => {
    const plan = planned(video);
    return typeof plan === 'string' ? plan : plan.renditions.map(({ width, height }) => `${width}x${height}`);
  };

  it.each<[Partial<typeof h264>, string[] | string]>([
    [{ width: 1920, height: 1080 }, ['960x540', '480x270']],
    [{}, ['640x360', '320x180']],
    [{ width: 720, height: 1280 }, ['360x640', '180x320']],
    [{ width: 854, height: 480 }, ['428x240', '214x120']],
    [{ width: 640, height: 360 }, ['320x180']],
    [{ width: 320, height: 180 }, []],
    [{ width: 3840, height: 2160 }, 'source_too_large'],
  ])('of %j are %j', (video, expected) => {
    expect(sizes(video)).toEqual(expected);
  });

  it('have clearly fewer bits than the next larger one, which is copied', () => {
    expect(planned({})).toMatchObject({ video: 'copy', renditions: [{ bitrate: 691_200 }, { bitrate: 172_800 }] });
    expect(planned({ bitrate: 600_000 })).toMatchObject({ renditions: [{ bitrate: 300_000 }, { bitrate: 150_000 }] });
  });

  it('come beside a new encoding of B-frames', () => {
    const plan = planned({ hasBFrames: true });
    expect(plan).toMatchObject({ video: { bitrate: 2_764_800 }, renditions: [{ width: 640 }, { width: 320 }] });
    expect(plan).toMatchObject({ hasBFrames: false });
    const args = conversionArguments(plan as never, 'rtsp://x', 700);
    expect(args.filter((_, i) => args[i - 1] === '-map')).toEqual(['0:v:0', '[r0]', '[r1]']);
    expect(args.filter((_, i) => args[i - 1]?.startsWith('-bf:v'))).toEqual(['0', '0', '0']);
    expect(args.filter(arg => arg.startsWith('-force_key_frames:v'))).toHaveLength(3);
    expect(args).toContain('[0:v:0]split=2[s0][s1];[s0]scale=640:360,setsar=1[r0];[s1]scale=320:180,setsar=1[r1]');
  });
});

describe('the list of frames', () => {
  const head =
    '#tb 0: 1/90000\n#media_type 0: video\n#codec_id 0: h264\n#dimensions 0: 320x180\n#media_type 1: audio\n#codec_id 1: aac\n';

  it('has codecs, size and rate', () => {
    const frames = [0, 3600, 7200].map(time => `0, ${time}, ${time}, 3600, 700, 0xaa`).join('\n');
    expect(readFrameList(`${head}${frames}\n1, 0, 0, 2089, 265, 0xbb`)).toEqual({
      video: { codec: 'h264', width: 320, height: 180, frameRate: 25, bitrate: 210_000, hasBFrames: false },
      audio: { codec: 'aac' },
      durationMs: 80,
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
