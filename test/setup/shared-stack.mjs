import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('./shared-stack-program.ts', import.meta.url));

/** The running service of the run, in a process of its own. @param {'ingest'[]} nodes further kinds of nodes */
export async function startSharedStack(...nodes) {
  const child = spawn(process.execPath, ['--import', 'tsx', program, ...nodes], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  child.stdout.setEncoding('utf8');
  const started = once(child.stdout, 'data').then(([line]) => String(line).trim());
  const failed = ended.then(([code]) => Promise.reject(new Error(`the stack ended with code ${code}`)));
  failed.catch(() => undefined);
  return {
    address: await Promise.race([started, failed]),
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}
