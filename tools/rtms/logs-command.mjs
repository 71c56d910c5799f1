import { createReadStream, statSync, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { homeDirectory } from '../setup/repository.mjs';
import { say } from '../setup/progress.mjs';
import { StartFailure } from '../setup/start-failure.mjs';

/** @typedef {{ follow?: boolean, level: string, lines: number }} LogOptions */
/** @typedef {{ time: string, text: string }} Entry */

export const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];
/** Only the end of a long file is read. */
const greatestTailBytes = 4_000_000;

/**
 * Prints the last log lines of the services in the order of their times, then with `follow` each new one until Ctrl-C.
 * @param {string[]} services all without any
 * @param {LogOptions} options
 */
export async function logs(services, { follow = false, level, lines }) {
  const directory = join(homeDirectory(process.env), 'logs');
  const found = (await readdir(directory).catch(() => [])).filter(name => name.endsWith('.log'));
  const names = found.filter(name => services.length === 0 || services.includes(name.slice(0, -'.log'.length)));
  if (names.length === 0) {
    const known = found.map(name => name.slice(0, -'.log'.length)).join(', ') || 'none yet';
    throw new StartFailure(
      `${directory} has no log of ${services.join(', ') || 'a service'}. It has logs of: ${known}.`,
    );
  }
  const tails = names.map(name => new LogTail(join(directory, name), name.slice(0, -'.log'.length), level));
  const entries = (await Promise.all(tails.map(tail => tail.read()))).flat();
  entries.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
  for (const { text } of entries.slice(-lines)) say(text);
  if (follow) await Promise.race([...tails.map(tail => tail.follow()), interrupted()]);
}

function interrupted() {
  return new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, resolve);
  });
}

/** One log file, read on from where the last reading ended. */
class LogTail {
  #position;

  /** @param {string} path @param {string} service @param {string} level the least one */
  constructor(path, service, level) {
    this.path = path;
    this.service = service;
    this.least = levels.indexOf(level);
    this.#position = Math.max(0, sizeOf(path) - greatestTailBytes);
  }

  /** The entries since the last call. A file that became shorter has begun again. @returns {Promise<Entry[]>} */
  async read() {
    const size = sizeOf(this.path);
    if (size < this.#position) this.#position = 0;
    if (size === this.#position) return [];
    const input = createReadStream(this.path, { start: this.#position, end: size - 1 });
    this.#position = size;
    const entries = [];
    for await (const line of createInterface({ input })) entries.push(...describeLine(line, this.service, this.least));
    return entries;
  }

  /** Prints new entries, for ever. */
  async follow() {
    for (;;) {
      const changed = new Promise(resolve => {
        const watcher = watch(this.path, () => {
          watcher.close();
          resolve(undefined);
        });
      });
      for (const { text } of await this.read()) say(text);
      await changed;
    }
  }
}

/** @param {string} path */
function sizeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * One log line as text for a terminal; nothing for a lower level than wanted. Lines of other programs have no level and
 * count as `info`.
 * @param {string} line
 * @param {string} service
 * @param {number} least place of the wanted level in `levels`
 * @returns {Entry[]}
 */
export function describeLine(line, service, least) {
  const { time = '', level = 'info', ...fields } = fieldsOf(line);
  if (levels.indexOf(level) < least || line.trim() === '') return [];
  const clock = time.slice(11, 23).padEnd(12);
  return [
    { time, text: `${clock}  ${service.padEnd(10)}  ${level.padEnd(5)}  ${messageIn({ msg: line, ...fields })}` },
  ];
}

/** @param {{ msg: string, err?: { message?: string }, requestID?: string }} fields */
function messageIn({ msg, err, requestID }) {
  const cause = err?.message && err.message !== msg ? `: ${err.message}` : '';
  const request = requestID === undefined ? '' : `  (${requestID})`;
  // Control characters could change the terminal.
  return `${msg}${cause}${request}`.replaceAll(/\p{Cc}/gu, ' ');
}

/**
 * @param {string} line
 * @returns {{ time?: string, level?: string, msg?: string, err?: { message?: string }, requestID?: string }}
 */
function fieldsOf(line) {
  try {
    const fields = /** @type {unknown} */ (line.startsWith('{') ? JSON.parse(line) : {});
    return /** @type {object} */ (fields);
  } catch {
    return {};
  }
}
