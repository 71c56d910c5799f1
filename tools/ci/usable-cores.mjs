// node usable-cores.mjs: prints for how many cores the runner plans system tests on this machine. Their weights were measured
// where a start of Node.js takes at most 0.1 s of a core. On a slower machine fewer files run at a time, or they would overload it.
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

const usualStartSeconds = 0.1;
const attempts = 5;

/**
 * @param {number} cores
 * @param {number} startSeconds CPU seconds of a start of Node.js
 */
export function usableCores(cores, startSeconds) {
  return Math.max(1, Math.floor(cores * Math.min(1, usualStartSeconds / startSeconds)));
}

function startSeconds() {
  const program = 'const { user, system } = process.cpuUsage(); console.log((user + system) / 1e6)';
  return Number(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8', timeout: 60_000 }));
}

if (import.meta.filename === process.argv[1]) {
  const fastest = Math.min(...Array.from({ length: attempts }, startSeconds));
  console.log(usableCores(availableParallelism(), fastest));
}
