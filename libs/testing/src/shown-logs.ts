import { mkdtempSync, openSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What test/runner/service-logs.cjs puts into the global object of a test file. Programs outside of jest have none. */
interface ServiceLogs {
  show(folder: string): void;
  discard(folder: string): void;
}

const serviceLogs = (): ServiceLogs | undefined =>
  (globalThis as Record<symbol, ServiceLogs | undefined>)[Symbol.for('rtms.service-logs')];

/** Lets a test that fails print the last lines of the folder's files `<service>.log`. */
export function showLogs(folder: string): void {
  serviceLogs()?.show(folder);
}

/** Deletes the folder: in a test at the end of the test file, after the failed tests have printed its logs. */
export async function discardLogs(folder: string): Promise<void> {
  const logs = serviceLogs();
  if (logs) logs.discard(folder);
  else await rm(folder, { recursive: true, force: true });
}

/** Keeps the log lines of a service inside the test's own process for a test that fails. Outside of jest it keeps nothing. */
export function shownLog(service: string): { write(line: string): void } {
  const logs = serviceLogs();
  if (!logs) return { write: () => undefined };
  const folder = mkdtempSync(join(tmpdir(), `rtms-test-log-${process.pid}-`));
  logs.show(folder);
  logs.discard(folder);
  const file = openSync(join(folder, `${service}.log`), 'a');
  return { write: line => void writeSync(file, line) };
}
