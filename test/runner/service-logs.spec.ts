import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sweepLeftovers } from '@rtms/testing';
import { chooseLines, ServiceLogs } from './service-logs.cjs';

const line = (level: string, msg: string) =>
  `${JSON.stringify({ level, time: '2026-01-02T03:04:05.678Z', service: 'sfu', roomID: 'r1', msg })}\n`;
const count = (most: number, level: string) => Array.from({ length: most }, (_, i) => line(level, `${level} ${i}`));

describe('the chosen log lines', () => {
  it('have the time, level, message and fields', () => {
    expect(chooseLines(line('info', 'started'))).toEqual(['03:04:05.678 info started {"roomID":"r1"}']);
  });

  it('are the last 40', () => {
    const chosen = chooseLines(count(50, 'info').join(''));
    expect(chosen).toHaveLength(40);
    expect(chosen[0]).toContain('info 10 ');
    expect(chosen[39]).toContain('info 49 ');
  });

  it('are warnings and errors before others, in the order of the log', () => {
    const chosen = chooseLines([line('error', 'broke'), ...count(50, 'info'), line('warn', 'slow')].join(''));
    expect(chosen).toHaveLength(40);
    expect(chosen[0]).toContain('error broke');
    expect(chosen[1]).toContain('info 12 ');
    expect(chosen[39]).toContain('warn slow');
  });

  it('are the last 40 warnings when there are more', () => {
    const chosen = chooseLines([...count(60, 'warn'), line('info', 'fine')].join(''));
    expect(chosen).toHaveLength(40);
    expect(chosen[0]).toContain('warn 20 ');
    expect(chosen[39]).toContain('warn 59 ');
  });

  it('are answered GET requests only if there is nothing else', () => {
    const polled = Array.from({ length: 50 }, () => line('info', 'GET /v1/x 200'));
    expect(chooseLines([line('info', 'started'), ...polled, line('info', 'GET /v1/x 404')].join(''))).toEqual([
      expect.stringContaining('info started'),
      ...Array.from({ length: 38 }, () => expect.stringContaining('GET /v1/x 200')),
      expect.stringContaining('GET /v1/x 404'),
    ]);
  });

  it('include a line that is not JSON, as urgent', () => {
    const chosen = chooseLines(['Error: boom\n', ...count(50, 'info')].join(''));
    expect(chosen[0]).toBe('Error: boom');
  });

  it('are at most 400 characters long', () => {
    expect(chooseLines('x'.repeat(5000))[0]).toHaveLength(400);
  });
});

describe('the logs of a test file', () => {
  let folder: string;
  let logs: InstanceType<typeof ServiceLogs>;
  const log = () => join(folder, 'sfu.log');

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rtms-logs-'));
    logs = new ServiceLogs();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('hold only what came during the test', () => {
    writeFileSync(log(), line('info', 'before the file'));
    logs.show(folder);
    appendFileSync(log(), line('info', 'first test'));
    expect(logs.next()).not.toContain('before the file');
    appendFileSync(log(), line('info', 'second test'));
    logs.skip();
    appendFileSync(log(), line('info', 'third test'));
    const text = logs.next();
    expect(text).toContain(log());
    expect(text).toContain('third test');
    expect(text).not.toContain('second test');
    expect(logs.next()).toBe('');
  });

  it('show lines of a service that starts during the test', () => {
    logs.show(folder);
    writeFileSync(log(), line('info', 'started'));
    expect(logs.next()).toContain('started');
  });

  it('ignore a deleted folder', () => {
    logs.show(join(folder, 'gone'));
    expect(logs.next()).toBe('');
  });

  it('are deleted with the discarded folder at the end of the file', () => {
    logs.discard(folder);
    expect(existsSync(folder)).toBe(true);
    expect(logs.end(false)).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });

  it('outlive the process and the next run when they are kept', async () => {
    // It runs until the logs are kept: another run on this machine may sweep meanwhile.
    const owner = spawn('sleep', ['600'], { stdio: 'ignore' });
    const own = mkdtempSync(join(tmpdir(), `rtms-test-log-${owner.pid}-`));
    writeFileSync(join(own, 'sfu.log'), line('info', 'kept'));
    logs.discard(own);
    const [kept = ''] = logs.end(true);
    owner.kill();
    await once(owner, 'exit');
    sweepLeftovers();
    expect(readFileSync(join(kept, 'sfu.log'), 'utf8')).toContain('kept');
    rmSync(kept, { recursive: true });
  });
});
