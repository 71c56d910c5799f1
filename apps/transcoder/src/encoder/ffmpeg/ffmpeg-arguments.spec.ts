import type { EncodingPlan } from '../encoder.js';
import { ffmpegArguments } from './ffmpeg-arguments.js';

const plan: EncodingPlan = {
  broadcastID: 'bcast_1',
  segmentSeconds: 2,
  frameRate: { numerator: 30_000, denominator: 1001 },
  video: [
    { name: '720p', width: 1280, height: 720, bitrate: 2_500_000 },
    { name: '360p', width: 640, height: 360, bitrate: 800_000 },
  ],
  hasAudio: true,
};

const valuesOf = (args: string[], option: string) => args.flatMap((arg, i) => (arg === option ? [args[i + 1]] : []));

describe('ffmpegArguments', () => {
  const args = ffmpegArguments(plan, { cmaf: true });

  it('fixes the frame rate once and scales every rendition from it', () => {
    expect(valuesOf(args, '-filter_complex')).toEqual([
      '[0:v:0]fps=30000/1001,split=2[s0][s1];' +
        '[s0]scale=1280:720,setsar=1,format=yuv420p[v0];[s1]scale=640:360,setsar=1,format=yuv420p[v1]',
    ]);
  });

  it('forces the same keyframes in all renditions and allows no others', () => {
    expect(valuesOf(args, '-force_key_frames')).toEqual(['expr:gte(t,n_forced*2)', 'expr:gte(t,n_forced*2)']);
    expect(valuesOf(args, '-sc_threshold')).toEqual(['0', '0']);
    expect(valuesOf(args, '-g').every(group => Number(group) > 60)).toBe(true);
  });

  it('has one output for each rendition and one for the audio', () => {
    expect(valuesOf(args, '-map')).toEqual(['[v0]', '[v1]', '0:a:0']);
    expect(args.filter(arg => arg.endsWith('.m3u8'))).toEqual(['720p.m3u8', '360p.m3u8', 'audio.m3u8']);
    expect(valuesOf(args, '-b:a')).toEqual(['128000']);
  });

  it('has no audio output for a source without audio', () => {
    expect(ffmpegArguments({ ...plan, hasAudio: false }, { cmaf: true })).not.toContain('-c:a');
  });

  it('limits the decoder to the pixels of the plan, with the blocks at its edges', () => {
    const bounded = ffmpegArguments({ ...plan, maxPixels: 1920 * 1080 }, { cmaf: true });
    expect(bounded.indexOf('-max_pixels')).toBeLessThan(bounded.indexOf('-i'));
    const [limit] = valuesOf(bounded, '-max_pixels');
    expect(Number(limit)).toBeGreaterThanOrEqual(1920 * 1152);
    expect(args).not.toContain('-max_pixels');
  });

  it('omits options that an old FFmpeg does not support', () => {
    expect(ffmpegArguments(plan, { cmaf: false }).join(' ')).not.toContain('cmaf');
    expect(ffmpegArguments(plan, { cmaf: false })).not.toContain('-hls_segment_options');
  });

  it('shows the last picture of the still in a slate, in the size of the best rendition', () => {
    const slate = { ...plan, input: 'slate' as const };
    const [black] = valuesOf(ffmpegArguments(slate, { cmaf: true }), '-filter_complex');
    expect(black).toMatch(/^\[0:v:0\]fps=/);
    const still = { segment: Buffer.alloc(1), isDimmed: true };
    const args = ffmpegArguments({ ...slate, still }, { cmaf: true });
    expect(valuesOf(args, '-i')).toEqual([expect.stringContaining('size=1280x720:'), 'pipe:0']);
    const [dimmed] = valuesOf(args, '-filter_complex');
    expect(dimmed).toMatch(
      /^\[1:v:0\]setpts=PTS-3600\/TB,scale=1280:720:.*,lutyuv=.*\[still\];\[0:v:0\]\[still\]overlay/,
    );
    const kept = ffmpegArguments({ ...slate, still: { ...still, isDimmed: false } }, { cmaf: true });
    expect(valuesOf(kept, '-filter_complex')[0]).not.toContain('lutyuv');
  });
});
