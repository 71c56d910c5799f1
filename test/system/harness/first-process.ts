import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Prefix of a command that gets the process id 1 and its own /proc, and dies with its parent. */
export const asFirstProcess = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'];

/** The reason why this machine allows no process id namespace; undefined if it does. */
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
