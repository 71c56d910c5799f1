/** The oldest FFmpeg with the HLS muxer and bitstream filters that the transcoder needs. */
export const oldestMajor = 5;

/**
 * The major version in the first line of `ffmpeg -version`; a build from git counts as newest.
 * @param {string} output
 * @returns {number | undefined}
 */
export function ffmpegMajor(output) {
  const version = /^ffmpeg version (\S+)/m.exec(output)?.[1];
  if (version === undefined) return undefined;
  const major = /^n?(\d+)\./.exec(version)?.[1];
  if (major !== undefined) return Number(major);
  return /^(N-|git-|\d{4}-\d\d-\d\d)/.test(version) ? Infinity : undefined;
}

/**
 * @typedef {object} FfmpegCandidate
 * @property {string} path
 * @property {string | undefined} versionOutput undefined when it does not run
 */

/**
 * @param {FfmpegCandidate | undefined} configured by FFMPEG_PATH
 * @param {FfmpegCandidate | undefined} system the first one on PATH
 * @returns {{ kind: 'use', path: string } | { kind: 'install' } | { kind: 'problem', message: string }}
 */
export function chooseFfmpeg(configured, system) {
  if (configured) {
    if (configured.versionOutput !== undefined) return { kind: 'use', path: configured.path };
    return {
      kind: 'problem',
      message: `FFMPEG_PATH is ${configured.path}, which does not run. Correct it or unset it.`,
    };
  }
  const major = system?.versionOutput === undefined ? undefined : ffmpegMajor(system.versionOutput);
  return system && major !== undefined && major >= oldestMajor
    ? { kind: 'use', path: system.path }
    : { kind: 'install' };
}
