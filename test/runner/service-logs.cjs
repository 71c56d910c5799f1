const {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} = require('node:fs');
const { basename, dirname, join } = require('node:path');

/** Lines of one service that a failed test prints. */
const mostLines = 40;
const mostCharacters = 400;
/** Bytes that the search for these lines reads, from the end. */
const mostBytes = 1_000_000;

/**
 * The services' log lines during each test of a file. Tests name the folders of the logs by `showLogs` and
 * `discardLogs` of
 * `@rtms/testing`, which find this object under `Symbol.for('rtms.service-logs')`.
 */
class ServiceLogs {
  /** Length of each log file when the current test began. */
  #lengths = new Map();
  #folders = new Set();
  #discarded = new Set();

  /** @param {string} folder with files `<service>.log` */
  show(folder) {
    this.#folders.add(folder);
    this.#remember(folder);
  }

  /** Deletes the folder at the end of the test file, not earlier: a test may still fail. @param {string} folder */
  discard(folder) {
    this.#discarded.add(folder);
  }

  /** Answers the lines since the last call, one text for all services; empty when none wrote anything. */
  next() {
    const texts = [...this.#folders].flatMap(folder => logFiles(folder).map(path => this.#nextOf(path)));
    return texts.join('');
  }

  /** From here on, `next` answers only later lines. */
  skip() {
    for (const folder of this.#folders) this.#remember(folder);
  }

  /** Deletes the discarded folders, or returns the new names of the kept ones. @param {boolean} isKept */
  end(isKept) {
    const folders = [...this.#discarded];
    if (isKept) return folders.filter(folder => existsSync(folder)).map(keep);
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    return [];
  }

  /** @param {string} folder */
  #remember(folder) {
    for (const path of logFiles(folder)) this.#lengths.set(path, statSync(path).size);
  }

  /** @param {string} path */
  #nextOf(path) {
    const text = textFrom(path, this.#lengths.get(path) ?? 0);
    this.#lengths.set(path, statSync(path).size);
    const lines = chooseLines(text);
    const indented = lines.map(line => `      ${line}\n`).join('');
    return lines.length === 0 ? '' : `\n    Last lines of ${path}\n${indented}`;
  }
}

/**
 * The next run deletes folders with the number of an ended process, so a kept folder gets another name. @param
 * {string} folder
 */
function keep(folder) {
  const kept = join(dirname(folder), `rtms-kept-${basename(folder).replace(/^rtms-test-/, '')}`);
  renameSync(folder, kept);
  return kept;
}

/** @param {string} folder */
function logFiles(folder) {
  try {
    return readdirSync(folder)
      .filter(name => name.endsWith('.log'))
      .sort()
      .map(name => join(folder, name));
  } catch {
    return [];
  }
}

/** @param {string} path @param {number} offset */
function textFrom(path, offset) {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const start = Math.max(offset, size - mostBytes);
    const bytes = Buffer.alloc(Math.max(0, size - start));
    readSync(file, bytes, 0, bytes.length, start);
    return bytes.toString('utf8');
  } finally {
    closeSync(file);
  }
}

/**
 * Chooses the last lines, and shortens them. Warnings and errors come before all others, and answered GET requests last: a test that
 * waits for a state sends many of them.
 *
 * @param {string} text JSON lines as `createLogger` writes them
 * @returns {string[]} in the order of the text
 */
function chooseLines(text) {
  return text
    .split('\n')
    .filter(line => line.trim() !== '')
    .map((line, index) => ({ index, ...read(line) }))
    .sort((a, b) => a.rank - b.rank || b.index - a.index)
    .slice(0, mostLines)
    .sort((a, b) => a.index - b.index)
    .map(line => line.text.slice(0, mostCharacters));
}

/** A line that is not JSON counts as an error: a program that breaks writes such lines. @param {string} line */
function read(line) {
  try {
    // The message of a request has all of `req` and `res`.
    const { time, level, msg, service: _service, req: _req, res: _res, ...fields } = JSON.parse(line);
    const isUrgent = ['warn', 'error', 'fatal'].includes(level);
    const rank = isUrgent ? 0 : /^GET .* 2\d\d$/.test(msg) ? 2 : 1;
    return { rank, text: `${String(time).slice(11, 23)} ${level} ${msg} ${JSON.stringify(fields)}` };
  } catch {
    return { rank: 0, text: line };
  }
}

module.exports = { ServiceLogs, chooseLines };
