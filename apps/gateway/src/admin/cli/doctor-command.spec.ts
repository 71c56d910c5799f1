import { Command } from 'commander';
import type { Finding } from '../doctor/finding.js';
import type { AdminClient } from './admin-client.js';
import { addDoctor } from './doctor-command.js';

const well: Finding = { check: 'bus', level: 'ok', message: 'connected' };
const doubtful: Finding = {
  check: 'disk',
  nodeID: 'transcoder-1',
  level: 'warn',
  message: '1 GB free',
  advice: 'Free some.',
};
const broken: Finding = { check: 'database', level: 'fail', message: 'does not answer', advice: 'Start it.' };

interface Outcome {
  output: string;
  exitCode: number | undefined;
}

async function run(get: () => Promise<object>, options: string[] = [], local: Finding[] = []): Promise<Outcome> {
  const outcome: Outcome = { output: '', exitCode: undefined };
  const program = new Command('rtms-admin').option('--json');
  addDoctor(program, {
    client: () => ({ get }) as unknown as AdminClient,
    lookLocally: async () => local,
    write: text => (outcome.output += text),
    exitWith: code => (outcome.exitCode = code),
  });
  await program.parseAsync(['node', 'rtms-admin', 'doctor', ...options]);
  return outcome;
}

const answering = (...findings: Finding[]) => run(async () => ({ success: true, findings }));

describe('rtms-admin doctor', () => {
  it('prints a line with advice for each finding', async () => {
    const { output } = await answering(well, doubtful, broken);
    expect(output.split('\n')).toEqual([
      expect.stringMatching(/^OK {3}gateway +answers$/),
      expect.stringMatching(/^OK {3}bus +connected$/),
      expect.stringMatching(/^WARN transcoder-1 disk +1 GB free → Free some\.$/),
      expect.stringMatching(/^FAIL database +does not answer → Start it\.$/),
      '',
    ]);
  });

  it('ends with 1 for a failure, and with 0 for a warning', async () => {
    expect((await answering(well, doubtful)).exitCode).toBe(0);
    expect((await answering(well, broken)).exitCode).toBe(1);
  });

  it('prints the findings as JSON', async () => {
    const { output, exitCode } = await run(async () => ({ success: true, findings: [broken] }), ['--json']);
    expect(JSON.parse(output)).toEqual({ findings: [{ check: 'gateway', level: 'ok', message: 'answers' }, broken] });
    expect(exitCode).toBe(1);
  });

  it('prints one line for a gateway that does not answer', async () => {
    const { output, exitCode } = await run(() => Promise.reject(new Error('No answer from http://gateway.')));
    expect(output).toMatch(/^FAIL gateway +No answer from http:\/\/gateway\. → .*--local.*\n$/);
    expect(exitCode).toBe(1);
  });

  it('prints a message of several lines on one line', async () => {
    const { output } = await run(() => Promise.reject(new Error('Two mistakes:\n  one\n  another')));
    expect(output.trimEnd()).not.toContain('\n');
  });

  it('asks no gateway with --local', async () => {
    const { output, exitCode } = await run(() => Promise.reject(new Error('was asked')), ['--local'], [well]);
    expect(output).toMatch(/^OK {3}bus +connected\n$/);
    expect(exitCode).toBe(0);
  });
});
