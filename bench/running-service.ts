import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@rtms/testing';

/** The file that `npm start` writes once everything answers. */
export interface RunningService {
  gateway: string;
  sfu: string;
  transcoder: string;
  apiUserName: string;
  apiKey: string;
  adminToken: string;
  close(): Promise<void>;
}

const home = process.env['RTMS_HOME'] ?? '.rtms';
const readyFile = join(home, 'ready.json');

/** The service that already runs, else a new one that `close` ends. */
export async function runningService(): Promise<RunningService> {
  if (existsSync(readyFile)) return { ...readReadyFile(), close: () => Promise.resolve() };
  process.stderr.write('bench: starting the service\n');
  const child = spawn('npm', ['start'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const started = (): boolean => existsSync(readyFile) || child.exitCode !== null;
  await waitFor(started, { timeoutMs: 600_000, what: `${readyFile} to be written` });
  if (child.exitCode !== null) throw new Error('npm start has failed.');
  const close = async (): Promise<void> => {
    child.kill('SIGTERM'); // npm passes SIGTERM on, but leaves SIGINT to the terminal
    await waitFor(() => child.exitCode !== null || child.signalCode !== null, { what: 'npm start to end' });
  };
  return { ...readReadyFile(), close };
}

function readReadyFile(): Omit<RunningService, 'close'> {
  return JSON.parse(readFileSync(readyFile, 'utf8')) as Omit<RunningService, 'close'>;
}
