import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { leftoversOf, ProcessLedger } from './process-ledger.mjs';
import { bootID, identify, startTimeOf } from './process-table.mjs';

const entry = { name: 'sfu', pid: 4711, startTime: '100', stopSignal: 'SIGTERM' as const };
const page = { boot: 'today', starter: { pid: 1, startTime: '1' }, children: [entry] };

describe('the start time of a process', () => {
  it('is read behind a name that holds blanks and brackets', () => {
    const numbers = Array.from({ length: 19 }, (_, index) => index + 4).join(' ');
    expect(startTimeOf(`4711 (a) R b) S ${numbers}`)).toBe('22');
  });
});

describe('leftovers of an earlier run', () => {
  it('are the recorded processes that still run', () => {
    expect(leftoversOf(page, 'today', () => true)).toEqual([entry]);
  });

  it('are none of those that ended', () => {
    expect(leftoversOf(page, 'today', () => false)).toEqual([]);
  });

  it('are none from before a reboot, whose numbers belong to others now', () => {
    expect(leftoversOf(page, 'tomorrow', () => true)).toEqual([]);
  });

  it('are none when nothing was recorded', () => {
    expect(leftoversOf(undefined, 'today', () => true)).toEqual([]);
  });
});

describe('the ledger', () => {
  let home: string;
  beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'rtms-ledger-'))));
  afterEach(() => rmSync(home, { recursive: true }));

  const sleeper = () => spawn('sleep', ['60'], { stdio: 'ignore', detached: true });

  it('ends what an earlier run recorded, and forgets it', async () => {
    const child = sleeper();
    const exit = once(child, 'exit');
    new ProcessLedger(home).record('sleeper', child.pid ?? 0, 'SIGTERM');
    expect(await new ProcessLedger(home).endLeftovers()).toEqual(['sleeper']);
    expect((await exit)[1]).toBe('SIGTERM');
    expect(await new ProcessLedger(home).endLeftovers()).toEqual([]);
  });

  it('leaves a process alone that has the number of a recorded one but another start time', async () => {
    const child = sleeper();
    const children = [{ name: 'sfu', pid: child.pid, startTime: '1', stopSignal: 'SIGTERM' }];
    writeFileSync(join(home, 'processes.json'), JSON.stringify({ ...page, boot: bootID(), children }));
    expect(await new ProcessLedger(home).endLeftovers()).toEqual([]);
    expect(identify(child.pid ?? 0)).toBeDefined();
    child.kill();
    await once(child, 'exit');
  });

  it('survives a file that was cut off', async () => {
    writeFileSync(join(home, 'processes.json'), '{"boot":');
    expect(await new ProcessLedger(home).endLeftovers()).toEqual([]);
  });

  it('is readable by its owner only', () => {
    new ProcessLedger(home).record('self', process.pid, 'SIGTERM');
    expect(statSync(join(home, 'processes.json')).mode & 0o777).toBe(0o600);
  });
});
