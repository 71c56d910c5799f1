import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { build } from 'esbuild';
import { atOrigin } from '../rtms/gateway-api.mjs';

const directory = import.meta.dirname;
const standardPort = 4003;
/** A token that lasts shorter is not handed out any more. */
const enoughMs = 60_000;

/** @typedef {{ whep: { url: string, token: string }, hls: string }} Watch */
/** @typedef {import('../rtms/gateway-api.mjs').GatewayApi} GatewayApi */
/** @typedef {{ playbackID: string, token: string, endpoint: string, tokenExpiresAt: string }} Playback */
/** @typedef {{ meetingID: string, sessionID: string, broadcastID: string }} Show */

/**
 * Hands out tokens for one show to the viewers of the page. Viewers that come within some minutes share a playback, so
 * that reloading the page makes no more than one in that time.
 */
export class DemoTokens {
  /** @type {Promise<Playback> | undefined} */
  #playback;

  /**
   * @param {GatewayApi} api
   * @param {{ sfu: string, transcoder: string }} nodes their addresses for the page
   * @param {Show} show
   */
  constructor(api, nodes, show) {
    this.api = api;
    this.nodes = nodes;
    this.show = show;
  }

  /** @returns {Promise<Watch>} */
  async watch() {
    const { meetingID, broadcastID } = this.show;
    const { broadcast } = /** @type {{ broadcast: { playbackUrl: string | null } }} */ (
      await this.api.get(`/v1/meetings/${meetingID}/broadcasts/${broadcastID}`)
    );
    const former = await this.#playback?.catch(() => undefined);
    const isFresh = former && Date.parse(former.tokenExpiresAt) - Date.now() >= enoughMs;
    const playback = isFresh ? former : await (this.#playback = this.#open());
    if (former && !isFresh) await this.#removeUnused(former.playbackID);
    const { endpoint: url, token } = playback;
    const { sfu, transcoder } = this.nodes;
    const hls = broadcast.playbackUrl === null ? '' : atOrigin(transcoder, broadcast.playbackUrl);
    return { whep: { url: atOrigin(sfu, url), token }, hls };
  }

  async #open() {
    const { meetingID, sessionID: sourceSessionID } = this.show;
    const wanted = { sourceSessionID, tracks: ['audio', 'video'], payloadMatching: 'adaptive' };
    const { playback } = /** @type {{ playback: Playback }} */ (
      await this.api.post(`/v1/meetings/${meetingID}/playbacks`, wanted)
    );
    return playback;
  }

  /** @param {string} playbackID */
  async #removeUnused(playbackID) {
    const path = `/v1/meetings/${this.show.meetingID}/playbacks/${playbackID}`;
    const { playback } = /** @type {{ playback: { viewerCount: number } }} */ (await this.api.get(path));
    if (playback.viewerCount === 0) await this.api.delete(path);
  }
}

/**
 * Serves the page that plays a show by WHEP and HLS beside each other.
 * @param {string} host
 * @param {DemoTokens} tokens
 */
export async function serveDemoPage(host, tokens) {
  const page = await readFile(join(directory, 'page.html'));
  const script = await bundle();
  const server = createServer(async (request, response) => {
    const answer = await answerTo(request.url ?? '', { page, script, tokens }).catch(error => ({
      status: 503,
      type: 'text/plain',
      body: error instanceof Error ? error.message : String(error),
    }));
    const headers = { 'content-type': answer.type, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
    response.writeHead(answer.status, headers).end(answer.body);
  });
  const port = await listen(server, host);
  const close = async () => {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  };
  return { port, close };
}

/** The standard port, or any free one. @param {import('node:http').Server} server @param {string} host */
async function listen(server, host) {
  for (const port of [standardPort, 0]) {
    const listening = once(server, 'listening');
    server.listen(port, host);
    const problem = await listening.then(
      () => undefined,
      error => error,
    );
    if (problem === undefined) break;
    if (problem.code !== 'EADDRINUSE' || port === 0) throw problem;
  }
  return /** @type {import('node:net').AddressInfo} */ (server.address()).port;
}

/**
 * @param {string} path
 * @param {{ page: Buffer, script: string, tokens: DemoTokens }} content
 */
async function answerTo(path, { page, script, tokens }) {
  switch (path) {
    case '/':
      return { status: 200, type: 'text/html; charset=utf-8', body: page };
    case '/page.js':
      return { status: 200, type: 'text/javascript', body: script };
    case '/watch':
      return { status: 200, type: 'application/json', body: JSON.stringify(await tokens.watch()) };
    case '/now':
      return { status: 200, type: 'application/json', body: String(Date.now()) };
    default:
      return { status: 404, type: 'text/plain', body: 'Not found.' };
  }
}

async function bundle() {
  const entryPoints = [join(directory, 'page.ts')];
  const result = await build({ entryPoints, bundle: true, write: false, format: 'iife', minify: true });
  return result.outputFiles[0]?.text ?? '';
}
