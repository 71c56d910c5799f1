import { setTimeout as pause } from 'node:timers/promises';
import { readReady } from '../rtms/gateway-api.mjs';
import { openDemoSession } from '../rtms/demo-session.mjs';
import { Publication } from '../rtms/publication.mjs';
import { localAddress } from '../embedded/services.mjs';
import { DemoTokens, serveDemoPage } from './demo-page.mjs';

/** Smaller than usual: one machine encodes it twice and plays it twice. */
const size = '960x540';
const lookEveryMs = 200;

/** @typedef {{ close(): Promise<void> }} Closeable */

/** A published test picture with a broadcast, and the page that plays both. Closing it removes all from the installation. */
export class Show {
  /** Closed in the reverse order. @type {(() => Promise<unknown>)[]} */
  #cleanUp = [];
  /** @type {DemoTokens | undefined} */
  #tokens;
  /** Resolves once the publisher has stopped. Rejects with its failure. @type {Promise<void>} */
  ended = Promise.resolve();

  /** @param {string} home @param {string} ffmpeg */
  constructor(home, ffmpeg) {
    this.home = home;
    this.ffmpeg = ffmpeg;
  }

  /** Resolves once the broadcast plays, or when stopped. @param {AbortSignal} stopped */
  async open(stopped) {
    const kinds = /** @type {import('../rtms/publication.mjs').Kind[]} */ (['audio', 'video']);
    const { api, meetingID, sessionID, ingest, close } = await openDemoSession(this.home, kinds);
    this.#cleanUp.push(close);
    const publication = new Publication({ ffmpeg: this.ffmpeg, kinds, size }, ingest);
    const stop = () => publication.stop();
    stopped.addEventListener('abort', stop, { once: true });
    this.ended = publication.run();
    this.#cleanUp.push(async () => {
      stop();
      await this.ended.catch(() => undefined);
    });
    const path = `/v1/meetings/${meetingID}`;
    const untilActive = (/** @type {string} */ resource) =>
      Promise.race([becomesActive(api, resource, stopped), this.ended]);
    await untilActive(`${path}/external-sessions/${sessionID}`);
    if (stopped.aborted) return;
    const { broadcast } = /** @type {{ broadcast: { broadcastID: string } }} */ (
      await api.post(`${path}/broadcasts`, { sourceSessionID: sessionID })
    );
    const { broadcastID } = broadcast;
    this.#cleanUp.push(() => api.delete(`${path}/broadcasts/${broadcastID}`));
    await untilActive(`${path}/broadcasts/${broadcastID}`);
    this.#tokens = new DemoTokens(api, readReady(this.home), { meetingID, sessionID, broadcastID });
  }

  /** The address of the page. @param {string} host @returns {Promise<string>} */
  async serve(host) {
    if (!this.#tokens) throw new Error('open the show first');
    const page = await serveDemoPage(host, this.#tokens);
    this.#cleanUp.push(page.close);
    return localAddress(host, page.port);
  }

  /** Ignores parts that have ended already. Safe to call twice. */
  async close() {
    for (const each of this.#cleanUp.splice(0).toReversed()) await each().catch(() => undefined);
  }
}

/**
 * @param {import('../rtms/gateway-api.mjs').GatewayApi} api
 * @param {string} path
 * @param {AbortSignal} stopped
 */
async function becomesActive(api, path, stopped) {
  while (!stopped.aborted) {
    const answer = /** @type {Record<string, { state?: string }>} */ (await api.get(path));
    if (Object.values(answer).some(({ state }) => state === 'active')) return;
    await pause(lookEveryMs, undefined, { signal: stopped }).catch(() => undefined);
  }
}
