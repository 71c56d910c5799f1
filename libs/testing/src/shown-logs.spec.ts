import { mkdtempSync, existsSync, writeFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { discardLogs, showLogs, shownLog } from './shown-logs.js';

/** The log lines that a failing test would print. */
const printed = () =>
  (globalThis as unknown as Record<symbol, { next(): string }>)[Symbol.for('rtms.service-logs')]?.next() ?? '';

describe('the logs that a failed test prints', () => {
  it('contain the lines of a service in the test process', () => {
    const log = shownLog('gateway');
    log.write('Error: of the test\n');
    expect(printed()).toMatch(/gateway\.log\n +Error: of the test\n/);
  });

  it('contain the lines of the files in a folder until the end of the test file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rtms-shown-'));
    try {
      showLogs(folder);
      writeFileSync(join(folder, 'sfu.log'), 'Error: of a program\n');
      await discardLogs(folder);
      expect(existsSync(folder)).toBe(true);
      expect(printed()).toContain('Error: of a program');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
