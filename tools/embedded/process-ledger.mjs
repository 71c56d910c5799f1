import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { bootID, identify, isAlive, signalGroup } from './process-table.mjs';

/** @typedef {{ name: string, pid: number, startTime: string, stopSignal: NodeJS.Signals }} LedgerEntry */
/** @typedef {{ boot: string, starter: { pid: number, startTime: string }, children: LedgerEntry[] }} LedgerPage */

const patienceMs = 10_000;
const pollMs = 50;

/**
 * The recorded processes that still run: same boot, same number, same start time.
 * @param {LedgerPage | undefined} page
 * @param {string} boot
 * @param {(entry: LedgerEntry) => boolean} alive
 */
export function leftoversOf(page, boot, alive) {
  return page === undefined || page.boot !== boot ? [] : page.children.filter(alive);
}

/** Records the running processes of this start program on disk, so that the next one can end leftovers of a crash. */
export class ProcessLedger {
  #file;
  /** @type {Map<string, LedgerEntry>} */
  #children = new Map();

  /** @param {string} home */
  constructor(home) {
    this.#file = join(home, 'processes.json');
  }

  /** @returns {LedgerPage | undefined} */
  read() {
    try {
      return /** @type {LedgerPage} */ (JSON.parse(readFileSync(this.#file, 'utf8')));
    } catch {
      return undefined;
    }
  }

  /** @param {string} name @param {number} pid @param {NodeJS.Signals} stopSignal */
  record(name, pid, stopSignal) {
    const identity = identify(pid);
    if (!identity) return;
    this.#children.set(name, { name, ...identity, stopSignal });
    this.#write();
  }

  /** @param {string} name */
  strike(name) {
    if (this.#children.delete(name)) this.#write();
  }

  /**
   * Ends leftovers of an earlier start program.
   * @returns {Promise<string[]>} their names
   */
  async endLeftovers() {
    const leftovers = leftoversOf(this.read(), bootID(), isAlive);
    // In the reverse of the order they were started in: services first, databases last.
    for (const entry of leftovers.toReversed()) await endProcess(entry);
    rmSync(this.#file, { force: true });
    return leftovers.map(entry => entry.name);
  }

  close() {
    if (this.#children.size === 0) rmSync(this.#file, { force: true });
  }

  #write() {
    const starter = identify(process.pid) ?? { pid: process.pid, startTime: '' };
    const page = { boot: bootID(), starter, children: [...this.#children.values()] };
    writeFileSync(`${this.#file}.new`, JSON.stringify(page), { mode: 0o600 });
    renameSync(`${this.#file}.new`, this.#file);
  }
}

/**
 * Asks a process to end, and kills its group after ten seconds.
 * @param {{ pid: number, startTime: string, stopSignal: NodeJS.Signals }} entry
 */
export async function endProcess(entry) {
  try {
    process.kill(entry.pid, entry.stopSignal);
  } catch {
    return;
  }
  for (const begun = Date.now(); isAlive(entry) && Date.now() - begun < patienceMs;) await delay(pollMs);
  if (isAlive(entry)) signalGroup(entry.pid, 'SIGKILL');
  while (isAlive(entry)) await delay(pollMs);
}
