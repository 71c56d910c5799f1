import { chooseFfmpeg, ffmpegMajor } from './ffmpeg-choice.mjs';

const banner = (version: string) =>
  `ffmpeg version ${version} Copyright (c) 2000-2023 the FFmpeg developers\nbuilt with gcc`;

describe('the version in FFmpeg’s banner', () => {
  it.each([
    ['5.1.6-0+deb12u1', 5],
    ['4.4.2-0ubuntu0.22.04.1', 4],
    ['n7.1', 7],
    ['10.0', 10],
    ['N-113345-g2b3c4d5', Infinity],
    ['git-2020-01-01-abc', Infinity],
    ['2024-06-01-git-1234-full_build', Infinity],
    ['unknown', undefined],
  ])('%s is major %s', (version, major) => {
    expect(ffmpegMajor(banner(version))).toBe(major);
  });

  it('is unknown when another program answers', () => {
    expect(ffmpegMajor('BusyBox v1.36')).toBeUndefined();
  });
});

describe('the chosen FFmpeg', () => {
  const system = { path: '/usr/bin/ffmpeg', versionOutput: banner('5.1.6') };

  it('is the one of FFMPEG_PATH, whatever its version', () => {
    const configured = { path: '/opt/ffmpeg', versionOutput: banner('4.1') };
    expect(chooseFfmpeg(configured, system)).toEqual({ kind: 'use', path: '/opt/ffmpeg' });
  });

  it('is no other one when the program of FFMPEG_PATH does not run', () => {
    const choice = chooseFfmpeg({ path: '/nowhere', versionOutput: undefined }, system);
    expect(choice).toMatchObject({ kind: 'problem', message: expect.stringContaining('/nowhere') });
  });

  it('is the system’s from 5.0 on', () => {
    expect(chooseFfmpeg(undefined, system)).toEqual({ kind: 'use', path: '/usr/bin/ffmpeg' });
  });

  it.each([
    ['is missing', undefined],
    ['is too old', { path: '/usr/bin/ffmpeg', versionOutput: banner('4.4.2') }],
    ['does not run', { path: '/usr/bin/ffmpeg', versionOutput: undefined }],
  ])('has to be installed when the system’s %s', (_case, found) => {
    expect(chooseFfmpeg(undefined, found)).toEqual({ kind: 'install' });
  });
});
