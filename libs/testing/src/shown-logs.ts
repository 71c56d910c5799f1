import { mkdtempSync, openSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** test/runner/service-logs.cjs sets it in the global object of a test file. It is absent outside jest. */
interface ServiceLogs {
  show(folder: string): void;
  discard(folder: string): void;
}

const serviceLogs = (): ServiceLogs | undefined =>
  (globalThis as Record<symbol, ServiceLogs | undefined>)[Symbol.for('rtms.service-logs')];

/** Makes a failed test print the last lines of `<service>.log` files in the folder. */
export function showLogs(folder: string): void {
  serviceLogs()?.show(folder);
}

/** Deletes the folder, in jest at the end of the test file, after failed tests have printed the logs. */
export async function discardLogs(folder: string): Promise<void> {
  const logs = serviceLogs();
  if (logs) logs.discard(folder);
  else await rm(folder, { recursive: true, force: true });
}

/** Keeps the log lines of a service in this process for failed tests. Outside jest it discards them. */
export function shownLog(service: string): { write(line: string): void } {
  const logs = serviceLogs();
  if (!logs) return { write: () => undefined };
  const folder = mkdtempSync(join(tmpdir(), `rtms-test-log-${process.pid}-`));
  logs.show(folder);
  logs.discard(folder);
  const file = openSync(join(folder, `${service}.log`), 'a');
  return { write: line => void writeSync(file, line) };
}
