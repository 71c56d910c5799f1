import { runCommand } from './run-command.mjs';

describe('a command', () => {
  it('is ended at its limit, with exit code 124', async () => {
    const { code, output } = await runCommand('sleep', ['600'], { limitMs: 50 });
    expect({ code, output }).toEqual({ code: 124, output: 'sleep did not end within 0.05 s.' });
  });

  it('is killed when it ignores SIGTERM', async () => {
    const stubborn = 'trap "" TERM; while :; do sleep 1; done';
    const { code } = await runCommand('sh', ['-c', stubborn], { limitMs: 500, graceMs: 50 });
    expect(code).toBe(124);
  });

  it('ends although a child keeps its output open', async () => {
    const { code, stdout } = await runCommand('sh', ['-c', 'sleep 600 & echo $!; exit 3'], { graceMs: 50 });
    expect([code, stdout]).toEqual([3, expect.stringMatching(/^\d+$/)]);
    process.kill(Number(stdout), 'SIGKILL');
  });
});
