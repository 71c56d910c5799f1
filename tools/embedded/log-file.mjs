import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const largestBytes = 20 * 1024 * 1024;

/** A log of at most twice its limit: at 20 MiB it becomes `.1` and replaces the former `.1`. */
export class LogFile {
  #bytes;

  /** @param {string} path */
  constructor(path) {
    this.path = path;
    mkdirSync(dirname(path), { recursive: true });
    this.#bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** @param {string} line */
  write(line) {
    if (this.#bytes > largestBytes) {
      renameSync(this.path, `${this.path}.1`);
      this.#bytes = 0;
    }
    const text = `${line}\n`;
    appendFileSync(this.path, text, { mode: 0o600 });
    this.#bytes += Buffer.byteLength(text);
  }
}
