import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { waitFor } from '@rtms/testing';
import { ProcessLedger } from './process-ledger.mjs';
import { identify } from './process-table.mjs';
import { restartDelayMs, SupervisedProcess } from './supervised-process.mjs';

describe('the wait before a process is started again', () => {
  it('doubles from half a second to ten seconds', () => {
    expect([1, 2, 3, 4, 5, 6, 20].map(restartDelayMs)).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
  });
});

describe('a supervised process', () => {
  let home: string;
  let ledger: ProcessLedger;
  let supervised: SupervisedProcess;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'rtms-supervised-'));
    ledger = new ProcessLedger(home);
    jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  });

  afterEach(async () => {
    await supervised.close();
    jest.restoreAllMocks();
    rmSync(home, { recursive: true });
  });

  function supervise(script: string) {
    const logPath = join(home, 'logs', 'child.log');
    supervised = new SupervisedProcess(
      {
        name: 'child',
        command: ['sh', '-c', script],
        env: { PATH: process.env.PATH },
        cwd: home,
        logPath,
        stopSignal: 'SIGTERM',
        isReady: () => Promise.resolve(readFileSync(logPath, { encoding: 'utf8', flag: 'a+' }).includes('ready')),
        worthShowing: line => (line.startsWith('problem') ? line : undefined),
      },
      ledger,
    );
    return supervised;
  }

  it('that ends while it starts is reported with its last problem', async () => {
    await expect(supervise('echo problem: no disk; exit 3').start()).rejects.toThrow(
      /child ended while starting \(exit code 3\)\. Last problem: problem: no disk/,
    );
  });

  it('is started again when it dies', async () => {
    const child = supervise('echo ready; exec sleep 60');
    await child.start();
    const first = child.pid ?? 0;
    process.kill(first, 'SIGKILL');
    const log = join(home, 'logs', 'child.log');
    await waitFor(() => readFileSync(log, 'utf8').includes('ready\nready\n'), { what: 'a new process' });
    expect(child.pid).not.toBe(first);
    expect(identify(child.pid ?? 0)).toBeDefined();
  });

  it('is recorded while it runs, and ends with its children once it is closed', async () => {
    const child = supervise('sleep 61 & echo $! > grandchild; echo ready; wait');
    await child.start();
    const grandchild = Number(readFileSync(join(home, 'grandchild'), 'utf8'));
    expect(ledger.read()?.children).toMatchObject([{ name: 'child', pid: child.pid }]);
    await child.close();
    await child.close();
    await waitFor(() => identify(grandchild) === undefined, { what: 'the end of the grandchild' });
    expect(ledger.read()?.children).toEqual([]);
  });
});
