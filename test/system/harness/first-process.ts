import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** What goes before a command that is to have the process id 1, with a /proc of its own; it dies with it. */
export const asFirstProcess = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'];

/** Why this machine lets nobody have a process id 1 of its own; undefined where it does. */
export function firstProcessRefusal(): string | undefined {
  const [file = '', ...args] = asFirstProcess;
  const { status, stderr, error } = spawnSync(file, [...args, 'true'], { encoding: 'utf8' });
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}

/** The process id that a process has for itself. */
export function ownProcessID(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^NSpid:.*\s(\d+)$/m.exec(status)?.[1]);
}
