import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@rtms/clock';
import { lookAtFfmpeg, tryEncoding } from './diagnosis.js';

let folder: string;

/** A busy machine may need more than the few seconds of the service. */
const withinMs = 60_000;

describe('a look at FFmpeg', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rtms-ffmpeg-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  async function program(name: string, ...lines: string[]): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, `#!/bin/sh\n${lines.join('\n')}\n`);
    await chmod(path, 0o755);
    return path;
  }

  it('finds the encoders of the FFmpeg that the transcoder uses', async () => {
    expect(await lookAtFfmpeg('ffmpeg', withinMs)).toEqual({
      version: expect.stringMatching(/^[\dn]/),
      missingEncoders: [],
    });
    expect(await tryEncoding('ffmpeg', systemClock, withinMs)).toEqual({
      ok: true,
      detail: expect.stringMatching(/^\d+ ms$/),
    });
  });

  it('names missing encoders', async () => {
    const path = await program(
      'without',
      'echo "ffmpeg version 9.9"',
      'echo " A....D aac        AAC"',
      'echo " V..... libx264rgb  x264"',
    );
    expect(await lookAtFfmpeg(path, withinMs)).toEqual({ version: '9.9', missingEncoders: ['libx264'] });
  });

  it('returns the last line of FFmpeg when encoding fails', async () => {
    const path = await program('failing', 'echo "first" >&2', 'echo "Unknown encoder libx264" >&2', 'exit 1');
    expect(await tryEncoding(path, systemClock, withinMs)).toEqual({ ok: false, detail: 'Unknown encoder libx264' });
  });

  it('returns no version without FFmpeg', async () => {
    const path = join(folder, 'nothing');
    expect(await lookAtFfmpeg(path, withinMs)).toEqual({ version: '', missingEncoders: ['libx264', 'aac'] });
    expect(await tryEncoding(path, systemClock, withinMs)).toEqual({
      ok: false,
      detail: expect.stringContaining('ENOENT'),
    });
  });
});
