import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Finds the sources of bundled code by the source map beside each file. */
export class SourcePlaces {
  /** @type {Map<string, SourceMap | undefined>} by the address of the file */
  #maps = new Map();
  /** @type {Map<string, number[]>} the offset of each line, by the address of the file */
  #lines = new Map();

  /**
   * The address of a source and its line from 1, or those of the code if it has no map.
   * @param {string} url of the file, as `file:///…`
   * @param {number} line from 0
   * @param {number} column from 0
   */
  at(url, line, column) {
    const entry = this.#mapOf(url)?.findEntry(line, column);
    if (!entry || !('originalSource' in entry) || !entry.originalSource) return { url, line: line + 1 };
    return { url: new URL(entry.originalSource, url).href, line: entry.originalLine + 1 };
  }

  /** @param {string} url @param {number} offset in characters */
  atOffset(url, offset) {
    const starts = this.#linesOf(url);
    const after = starts.findIndex(start => start > offset);
    const line = (after === -1 ? starts.length : after) - 1;
    return this.at(url, line, offset - (starts[line] ?? 0));
  }

  /** @param {string} url */
  #mapOf(url) {
    if (!this.#maps.has(url)) {
      const file = url.startsWith('file:') ? `${fileURLToPath(url)}.map` : '';
      this.#maps.set(url, existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : undefined);
    }
    return this.#maps.get(url);
  }

  /** @param {string} url */
  #linesOf(url) {
    const known = this.#lines.get(url);
    if (known) return known;
    let start = 0;
    const starts = readFileSync(fileURLToPath(url), 'utf8')
      .split('\n')
      .map(text => (start += text.length + 1) - text.length - 1);
    this.#lines.set(url, starts);
    return starts;
  }
}
