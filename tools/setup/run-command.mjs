import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * @typedef {object} CommandOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {string} [input] written to the command's standard input
 * @property {boolean} [endsWithParent] the command gets SIGTERM when this process dies, however it dies
 * @property {AbortSignal} [signal] ends the command with SIGTERM
 * @property {number} [limitMs] then the command is ended, first with SIGTERM; default ten minutes
 * @property {number} [graceMs] how long an ended command's children may keep its output open; default 5 s
 * @property {(line: string) => void} [onLine] called for each line of output while the command runs
 */

/** @typedef {{ code: number, output: string, stdout: string }} CommandResult */

const setpriv = '/usr/bin/setpriv';

/** `timeout` of coreutils answers this exit code too. */
const lateExitCode = 124;

/**
 * Puts `setpriv --pdeathsig` before a command: the kernel then sends the signal when the parent dies, even by SIGKILL.
 * @param {string} signal without its SIG
 * @param {string[]} command
 * @param {string[]} [privileges] further options of setpriv
 */
export function tiedToParent(signal, command, privileges = []) {
  return existsSync(setpriv) ? [setpriv, '--pdeathsig', signal, ...privileges, ...command] : command;
}

/**
 * Starts a command that `tiedToParent` ends.
 * @param {string} signal @param {string[]} command @param {import('node:child_process').SpawnOptions} options
 */
export function spawnTied(signal, command, options) {
  const [file = '', ...args] = tiedToParent(signal, command);
  return spawn(file, args, options);
}

/**
 * Runs a command to its end, or to its limit with exit code 124. A command that cannot start has exit code 127, as in a shell.
 * @param {string} command
 * @param {string[]} args
 * @param {CommandOptions} [options]
 * @returns {Promise<CommandResult>}
 */
export function runCommand(command, args, options = {}) {
  const [file = command, ...rest] = options.endsWithParent
    ? tiedToParent('TERM', [command, ...args])
    : [command, ...args];
  const { limitMs = 600_000, graceMs = 5_000 } = options;
  return new Promise(resolve => {
    const child = spawn(file, rest, { cwd: options.cwd, env: options.env, stdio: ['pipe', 'pipe', 'pipe'] });
    options.signal?.addEventListener('abort', () => void child.kill());
    /** @type {string[]} */
    const lines = [];
    /** @type {string[]} */
    const stdoutLines = [];
    const listen = (/** @type {import('node:stream').Readable} */ stream, /** @type {string[][]} */ sinks) =>
      createInterface({ input: stream }).on('line', line => {
        for (const sink of sinks) sink.push(line);
        options.onLine?.(line);
      });
    listen(child.stdout, [lines, stdoutLines]);
    listen(child.stderr, [lines]);
    const isLate = bound(child, limitMs, graceMs);
    const finish = (/** @type {number} */ code) => {
      if (isLate()) lines.push(`${command} did not end within ${limitMs / 1000} s.`);
      resolve({ code: isLate() ? lateExitCode : code, output: lines.join('\n'), stdout: stdoutLines.join('\n') });
    };
    child.once('error', error => {
      lines.push(error.message);
      finish(127);
    });
    child.once('close', code => finish(code ?? 128));
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
  });
}

/**
 * Ends a child at its limit. Once it has ended, closes the pipes that its own children may keep open forever, such as a service that
 * the command started.
 * @param {import('node:child_process').ChildProcessWithoutNullStreams} child
 * @param {number} limitMs
 * @param {number} graceMs
 * @returns {() => boolean} whether the child took too long
 */
function bound(child, limitMs, graceMs) {
  let isLate = false;
  /** @type {NodeJS.Timeout | undefined} */
  let grace;
  const limit = setTimeout(() => {
    isLate = true;
    child.kill('SIGTERM');
    grace = setTimeout(() => child.kill('SIGKILL'), graceMs);
  }, limitMs);
  child.once('exit', () => {
    clearTimeout(grace);
    grace = setTimeout(() => [child.stdout, child.stderr].map(pipe => pipe.destroy()), graceMs);
  });
  for (const end of ['close', 'error']) {
    child.once(end, () => {
      clearTimeout(limit);
      clearTimeout(grace);
    });
  }
  return () => isLate;
}

/**
 * Runs a command that owns the terminal, to its end. Ctrl-C reaches the command as part of our process group; we stay until it has
 * cleaned up. SIGTERM is passed on.
 *
 * @param {string[]} command
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<number>} its exit code
 */
export async function runInForeground(command, options) {
  const [file = '', ...args] = tiedToParent('TERM', command);
  const child = spawn(file, args, { ...options, stdio: 'inherit' });
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => void child.kill('SIGTERM'));
  const [code] = /** @type {[number | null]} */ (await once(child, 'exit'));
  return code ?? 1;
}

/**
 * The first lines of a command's output, for a message.
 * @param {string} output
 * @param {number} [count]
 */
export function firstLines(output, count = 3) {
  return output
    .split('\n')
    .filter(line => line.trim())
    .slice(0, count)
    .join(' | ');
}

/**
 * The last lines of a command's output, for a message.
 * @param {string} output
 * @param {number} [count]
 */
export function lastLines(output, count = 3) {
  return output
    .split('\n')
    .filter(line => line.trim())
    .slice(-count)
    .join(' | ');
}

/**
 * Finds a program as a shell would, and also in sbin, which is not on every user's PATH.
 * @param {string} name
 * @param {string} [path]
 */
export function findProgram(name, path = '') {
  const directories = [...path.split(delimiter), '/usr/local/sbin', '/usr/sbin', '/sbin'].filter(Boolean);
  return directories.map(directory => join(directory, name)).find(file => existsSync(file));
}
