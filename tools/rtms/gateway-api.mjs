import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartFailure } from '../setup/start-failure.mjs';

/** @typedef {import('../embedded/greeting.mjs').ReadyFile} ReadyFile */

const timeoutMs = 10_000;

/** `ready.json` of the installation; undefined while `npm start` does not run. @param {string} home @returns {ReadyFile | undefined} */
export function findReady(home) {
  const file = join(home, 'ready.json');
  return existsSync(file) ? /** @type {ReadyFile} */ (JSON.parse(readFileSync(file, 'utf8'))) : undefined;
}

/** @param {string} home @returns {ReadyFile} */
export function readReady(home) {
  const ready = findReady(home);
  if (ready) return ready;
  throw new StartFailure(`${join(home, 'ready.json')} does not exist: run \`npm start\` first.`);
}

/** The gateway's answer to a request that it refused. */
export class GatewayRefusal extends StartFailure {
  /** @param {string} request @param {number} status @param {{ reason?: string }} answer */
  constructor(request, status, answer) {
    super(`${request} answered ${status}: ${JSON.stringify(answer)}`);
    this.reason = answer.reason ?? '';
  }
}

/** The running gateway, for one credential. Throws a `GatewayRefusal` with the answer of a refused request. */
export class GatewayApi {
  #gateway;
  #credential;

  /** @param {string} gateway its address @param {string} credential `apiUserName:apiKey`, or the administrator's token */
  constructor(gateway, credential) {
    this.#gateway = gateway;
    this.#credential = credential;
  }

  /** The demo account of the running installation. @param {string} home */
  static ofDemoAccount(home) {
    const { gateway, apiUserName, apiKey } = readReady(home);
    if (apiKey !== undefined) return new GatewayApi(gateway, `${apiUserName}:${apiKey}`);
    throw new StartFailure(
      `The demo account's key is not in ${join(home, 'ready.json')}: rotate it with \`npx rtms-admin keys rotate\`.`,
    );
  }

  /** @template T @param {string} path @returns {Promise<T>} */
  get(path) {
    return this.#ask('GET', path);
  }

  /** @template T @param {string} path @param {object} body @returns {Promise<T>} */
  post(path, body) {
    return this.#ask('POST', path, body);
  }

  /** @template T @param {string} path @returns {Promise<T>} */
  delete(path) {
    return this.#ask('DELETE', path);
  }

  /** @template T @param {string} method @param {string} path @param {object} [body] @returns {Promise<T>} */
  async #ask(method, path, body) {
    const headers = { authorization: `Bearer ${this.#credential}`, 'content-type': 'application/json' };
    const request = {
      method,
      headers,
      signal: AbortSignal.timeout(timeoutMs),
      ...(body && { body: JSON.stringify(body) }),
    };
    const response = await fetch(this.#gateway + path, request).catch(() => {
      throw new StartFailure(`No answer from ${this.#gateway}: is \`npm start\` still running?`);
    });
    const answer = /** @type {unknown} */ (await response.json());
    if (response.ok) return /** @type {T} */ (answer);
    throw new GatewayRefusal(`${method} ${path}`, response.status, /** @type {{ reason?: string }} */ (answer));
  }
}

/** The same path at another origin. @param {string} origin @param {string} url */
export function atOrigin(origin, url) {
  const { pathname, search } = new URL(url);
  return new URL(pathname + search, origin).href;
}
