import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Ffmpeg } from '@rtms/ffmpeg';

const run = promisify(execFile);

/** The parts of FFmpeg that an ingest node needs and that this FFmpeg does not have. Builds from npm have no SRT. */
export async function missingPartsOf({ path }: Pick<Ffmpeg, 'path'>): Promise<string[]> {
  const ask = async (option: string): Promise<string> => {
    const { stdout } = await run(path, ['-hide_banner', option], { maxBuffer: 4 * 1024 * 1024 });
    return stdout;
  };
  const [protocols, encoders] = await Promise.all([ask('-protocols'), ask('-encoders')]);
  const hasEncoder = (name: string): boolean => new RegExp(`^ [VA]\\S{5} ${name} `, 'm').test(encoders);
  const found = { srt: /^\s+srt$/m.test(protocols), libx264: hasEncoder('libx264'), libopus: hasEncoder('libopus') };
  return Object.entries(found).flatMap(([name, isThere]) => (isThere ? [] : [name]));
}
