import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { say, seconds } from '../setup/progress.mjs';
import { tiedToParent } from '../setup/run-command.mjs';
import { StartFailure } from '../setup/start-failure.mjs';
import { LogFile } from './log-file.mjs';
import { endProcess } from './process-ledger.mjs';
import { identify, signalGroup } from './process-table.mjs';

const steadyMs = 30_000;
/** A program starts in seconds; a busy machine needs minutes. */
const readyWithinMs = 180_000;
const longestDelayMs = 10_000;
const readyPollMs = 50;

/**
 * The wait before the restart of a process that died this many times in a row.
 * @param {number} deaths
 */
export function restartDelayMs(deaths) {
  return Math.min(500 * 2 ** (deaths - 1), longestDelayMs);
}

/**
 * @typedef {object} ProcessDescription
 * @property {string} name
 * @property {string[]} command
 * @property {string[]} [privileges] options of setpriv
 * @property {NodeJS.ProcessEnv} env
 * @property {string} cwd
 * @property {string} logPath
 * @property {NodeJS.Signals} stopSignal
 * @property {() => Promise<boolean>} isReady
 * @property {(line: string) => string | undefined} worthShowing what of a log line the terminal should see
 * @property {() => void} [beforeStart]
 */

/** One child process that is kept running until it is closed. */
export class SupervisedProcess {
  #description;
  #ledger;
  #log;
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;
  #closing = false;
  #deaths = 0;
  #startedAt = 0;
  #lastProblem = '';
  #quit = new AbortController();

  /**
   * @param {ProcessDescription} description
   * @param {import('./process-ledger.mjs').ProcessLedger} ledger
   */
  constructor(description, ledger) {
    this.#description = description;
    this.#ledger = ledger;
    this.#log = new LogFile(description.logPath);
  }

  get pid() {
    return this.#child?.pid;
  }

  /** Starts the process and waits until it is ready. From then on it restarts whenever it ends. */
  async start() {
    const child = this.#spawn();
    const exit = exitOf(child);
    const outcome = await Promise.race([this.#untilReady(), exit]);
    if (this.#closing) return;
    if (outcome !== 'ready') throw new StartFailure(this.#startMessage(outcome));
    void exit.then(how => this.#died(how));
  }

  async close() {
    this.#closing = true;
    this.#quit.abort();
    const child = this.#child;
    const identity = child?.pid === undefined ? undefined : identify(child.pid);
    if (!child || !identity) return;
    await endProcess({ ...identity, stopSignal: this.#description.stopSignal });
    // Its children must not outlive the process.
    signalGroup(identity.pid, 'SIGKILL');
    this.#ledger.strike(this.#description.name);
  }

  #spawn() {
    const { name, command, privileges, env, cwd, stopSignal, beforeStart } = this.#description;
    beforeStart?.();
    const [file = '', ...args] = tiedToParent(stopSignal.slice('SIG'.length), command, privileges);
    this.#lastProblem = '';
    this.#startedAt = Date.now();
    // A process group of its own: Ctrl-C in the terminal reaches only the start program, which stops all in order.
    const child = spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', line => this.#heard(line));
    }
    if (child.pid !== undefined) this.#ledger.record(name, child.pid, stopSignal);
    return child;
  }

  /** @param {string} line */
  #heard(line) {
    this.#log.write(line);
    const shown = this.#description.worthShowing(line);
    if (shown === undefined) return;
    this.#lastProblem = shown;
    if (!this.#closing) say(`[${this.#description.name}] ${shown}`);
  }

  /** @returns {Promise<'ready' | 'too late'>} */
  async #untilReady() {
    const { isReady } = this.#description;
    const child = this.#child;
    for (const begun = Date.now(); Date.now() - begun < readyWithinMs; await delay(readyPollMs)) {
      if (this.#closing || child !== this.#child) break;
      if (await isReady()) return 'ready';
    }
    return 'too late';
  }

  /** @param {string} outcome */
  #startMessage(outcome) {
    const { name, logPath } = this.#description;
    const what =
      outcome === 'too late' ? `was not ready within ${seconds(readyWithinMs)}` : `ended while starting (${outcome})`;
    const why = this.#lastProblem ? ` Last problem: ${this.#lastProblem}.` : '';
    return `${name} ${what}.${why} Its log: ${logPath}`;
  }

  /** @param {string} how */
  async #died(how) {
    this.#ledger.strike(this.#description.name);
    const pid = this.#child?.pid;
    if (pid !== undefined) signalGroup(pid, 'SIGKILL');
    if (this.#closing) return;
    this.#deaths = Date.now() - this.#startedAt > steadyMs ? 1 : this.#deaths + 1;
    const wait = restartDelayMs(this.#deaths);
    say(`${this.#description.name} ended (${how}); starting it again in ${seconds(wait)}.`);
    await delay(wait, undefined, { signal: this.#quit.signal }).catch(() => undefined);
    if (!this.#closing) await this.#restart();
  }

  async #restart() {
    const exit = exitOf(this.#spawn());
    void exit.then(how => this.#died(how));
    const outcome = await Promise.race([this.#untilReady(), exit]);
    if (outcome === 'ready') say(`${this.#description.name} is ready again.`);
    else if (outcome === 'too late' && !this.#closing) say(this.#startMessage(outcome));
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<string>} how it ended
 */
async function exitOf(child) {
  try {
    const [code, signal] = /** @type {[number | null, string | null]} */ (await once(child, 'exit'));
    return signal ?? `exit code ${code}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
