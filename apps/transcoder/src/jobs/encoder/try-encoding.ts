import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Clock } from '@rtms/clock';
import type { Trial } from '@rtms/contracts';
import { messageOf } from '@rtms/logging';

const run = promisify(execFile);
const withinMs = 6_000;

/** A second of picture and sound, with the encoders that broadcasts need; thrown away. Never fails. */
export async function tryEncoding(path: string, clock: Clock): Promise<Trial> {
  const begun = clock.now();
  const picture = ['-f', 'lavfi', '-i', 'testsrc=size=320x180:rate=25:duration=1'];
  const sound = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000:duration=1'];
  const output = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-f', 'null', '-'];
  try {
    await run(path, ['-v', 'error', '-nostdin', ...picture, ...sound, ...output], { timeout: withinMs });
    return { ok: true, detail: `${clock.now() - begun} ms` };
  } catch (error) {
    return { ok: false, detail: reasonOf(error) };
  }
}

const neededEncoders = ['libx264', 'aac'];

/** What FFmpeg says of itself now, which may be another than at the start. */
export async function lookAtFfmpeg(path: string): Promise<{ version: string; missingEncoders: string[] }> {
  try {
    const [{ stdout: version }, { stdout: encoders }] = await Promise.all([
      run(path, ['-hide_banner', '-version'], { timeout: withinMs }),
      run(path, ['-hide_banner', '-encoders'], { timeout: withinMs, maxBuffer: 4 << 20 }),
    ]);
    const isMissing = (name: string) => !new RegExp(`^ [VA]\\S{5} ${name} `, 'm').test(encoders);
    return {
      version: /^ffmpeg version (\S+)/.exec(version)?.[1] ?? '',
      missingEncoders: neededEncoders.filter(isMissing),
    };
  } catch {
    return { version: '', missingEncoders: neededEncoders };
  }
}

/** What FFmpeg said last, which stands behind the whole command. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && 'killed' in error && error.killed) return `not done within ${withinMs / 1000} s`;
  const said = messageOf(error);
  return said.trimEnd().split('\n').at(-1) ?? said;
}
