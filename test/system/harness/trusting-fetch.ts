import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { buffer } from 'node:stream/consumers';

export interface FetchOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** As much of `fetch` as the tests use. */
export type Fetch = (url: string, options?: FetchOptions) => Promise<Response>;

/**
 * `fetch` for services with a certificate of a private CA. NODE_EXTRA_CA_CERTS works only at a process's start, and
 * this process already runs. Each request has a connection of its own.
 */
export function trustingFetch(caFile: string): Fetch {
  const ca = readFileSync(caFile);
  return (url, { method = 'GET', headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const sent = request(url, { ca, method, headers, agent: false }, answer => {
        const status = answer.statusCode ?? 0;
        const known = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
          values.map((value): [string, string] => [name, value]),
        );
        const rest = { status, headers: new Headers(known) };
        buffer(answer).then(bytes => resolve(new Response(new Uint8Array(bytes), rest)), reject);
      });
      sent.once('error', reject).end(body);
    });
}
