import { rm } from 'node:fs/promises';

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
