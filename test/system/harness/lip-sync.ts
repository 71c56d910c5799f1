import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Measures a file of a `LiveEncoder`: milliseconds from each flash of the video to the beep of the audio. Positive: the
 * audio is late.
 */
export async function lipSyncOf(path: string): Promise<number[]> {
  const [flashes, beeps] = await Promise.all([flashesIn(path), beepsIn(path)]);
  return flashes.flatMap(flash => {
    const nearest = beeps.map(beep => beep - flash).sort((a, b) => Math.abs(a) - Math.abs(b))[0];
    return nearest === undefined || Math.abs(nearest) > 0.45 ? [] : [Math.round(nearest * 1000)];
  });
}

/** The median, because a busy machine delays single packets. */
export async function usualOffsetOf(path: string): Promise<number> {
  const offsets = (await lipSyncOf(path)).map(Math.abs).sort((a, b) => a - b);
  return offsets[Math.floor(offsets.length / 2)] ?? Infinity;
}

/** Seconds at which the picture becomes white. */
async function flashesIn(path: string): Promise<number[]> {
  const filter = 'signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-';
  const { stdout } = await run('ffmpeg', ['-v', 'error', '-i', path, '-an', '-vf', filter, '-f', 'null', '-'], options);
  const frames = [...stdout.matchAll(/pts_time:([\d.]+)\s+lavfi\.signalstats\.YAVG=([\d.]+)/g)].map(
    ([, time, luma]) => ({ time: Number(time), isWhite: Number(luma) > 128 }),
  );
  return frames.filter(({ isWhite }, index) => isWhite && frames[index - 1]?.isWhite === false).map(({ time }) => time);
}

/** Seconds at which silence ends. */
async function beepsIn(path: string): Promise<number[]> {
  const args = ['-hide_banner', '-i', path, '-vn', '-af', 'silencedetect=noise=-30dB:d=0.3', '-f', 'null', '-'];
  const { stderr } = await run('ffmpeg', args, options);
  return [...stderr.matchAll(/silence_end: ([\d.]+)/g)].map(([, time]) => Number(time));
}

const options = { maxBuffer: 32 * 1024 * 1024 };
