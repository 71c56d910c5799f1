import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { waitFor } from '@rtms/testing';
import type { Page, Response } from 'playwright-core';

const compress = promisify(gzip);
const quietMs = 500;

export interface ScriptSizes {
  /** Scripts of the document and its first imports: React, the parts, the frame. */
  scriptKB: number;
  /** With the page and its charts. */
  allScriptKB: number;
}

/** JavaScript that a page fetches, in gzip: until its session request, and in all. */
export class ScriptCounter {
  #lastAt = performance.now();
  #beforeSession: number | undefined;
  readonly #scripts: Response[] = [];

  constructor(page: Page) {
    page.on('request', request => {
      if (request.url().endsWith('/dashboard/api/session')) this.#beforeSession ??= this.#scripts.length;
    });
    page.on('response', response => {
      if (response.request().resourceType() !== 'script') return;
      this.#scripts.push(response);
      this.#lastAt = performance.now();
    });
  }

  async untilQuiet(): Promise<void> {
    await waitFor(() => performance.now() - this.#lastAt > quietMs, { what: 'the page to fetch nothing more' });
  }

  async sizes(): Promise<ScriptSizes> {
    const first = this.#scripts.slice(0, this.#beforeSession);
    return { scriptKB: await kilobytes(first), allScriptKB: await kilobytes(this.#scripts) };
  }
}

async function kilobytes(scripts: readonly Response[]): Promise<number> {
  const bodies = await Promise.all(scripts.map(async script => compress(await script.body())));
  return Math.round(bodies.reduce((sum, { length }) => sum + length, 0) / 100) / 10;
}
