import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { ManualClock } from '@rtms/testing';
import type { EncoderExit } from '../encoder.js';
import { FfmpegRun } from './ffmpeg-run.js';

describe('a process that cannot start', () => {
  it('has no pipes, and ends with its error', async () => {
    const process = Object.assign(new EventEmitter(), { kill: () => false }) as unknown as ChildProcess;
    const nothing = () => Promise.resolve();
    const exit = new Promise<EncoderExit>(onExit => {
      const pipes = { process, errors: undefined, inputs: [undefined] };
      const run = new FfmpegRun(pipes, { scan: nothing, close: nothing }, { onExit }, new ManualClock());
      expect(run.write(Buffer.of(1))).toBe(true);
      run.endInput(0);
    });
    process.emit('error', new Error('spawn EMFILE'));
    expect(await exit).toMatchObject({ expected: false, lastLines: ['spawn EMFILE'] });
  });
});
