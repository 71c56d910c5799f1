import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '@rtms/testing';
import type { EncoderExit } from '../encoder.js';
import { FfmpegRecorder } from './ffmpeg-recorder.js';

describe('the recorder of a part', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rtms-recorder-'));
    execFileSync('mkfifo', [join(folder, 'gate')]);
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** In place of FFmpeg: begins once the gate is opened, then copies its input to the file. */
  function capture(clock: ManualClock) {
    const script = `read -r _ < '${join(folder, 'gate')}'; exec cat > '${join(folder, 'part.mp4')}'`;
    const shell = { path: 'ffmpeg', launcher: ['sh', '-c', script], version: '', cmaf: true };
    const ffmpeg = { ...shell, decoders: new Set<string>(), encoders: new Set<string>(), protocols: new Set<string>() };
    const exits: EncoderExit[] = [];
    const plan = { codecs: {}, shape: { hasAudio: true }, path: join(folder, 'part.mp4') };
    return { exits, capture: new FfmpegRecorder(ffmpeg, clock).capture(plan, exit => exits.push(exit)) };
  }

  async function openGate(): Promise<void> {
    // Waits for the shell to read: a pipe that nobody has open loses what is in it.
    await writeFile(join(folder, 'gate'), '\n');
  }

  it('writes all of its input, although FFmpeg starts slowly', async () => {
    const clock = new ManualClock();
    const { capture: part } = capture(clock);
    part.write(Buffer.from('media'));
    const finished = part.finish();
    await clock.advance(29_000);
    await openGate();
    await finished;
    expect(await readFile(join(folder, 'part.mp4'), 'utf8')).toBe('media');
  });

  it('ends within 30 s, although FFmpeg hangs', async () => {
    const clock = new ManualClock();
    const { capture: part, exits } = capture(clock);
    const finished = part.finish();
    await clock.advance(30_000);
    await finished;
    expect(exits).toMatchObject([{ signal: 'SIGKILL', expected: true }]);
  });
});
