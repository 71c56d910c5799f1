// npm run measure:structure -- --walks: prints the files of ours that three requests enter, in services that it starts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import ndc from 'node-datachannel';
import { io } from 'socket.io-client';
import { SourcePlaces } from '../bundle/source-places.mjs';
import { repositoryRoot } from '../setup/repository.mjs';

/** Noise is each function that runs in this time without a request of the walk; a health check is part of the noise. */
const idleMs = 12_000;
/** Node.js opens its inspector here on SIGUSR1. */
const inspectorUrl = 'http://127.0.0.1:9229/json/list';

/** Starts the services, and prints how many files each walk enters, with their names. */
export async function measureWalks() {
  const home = mkdtempSync(join(tmpdir(), 'rtms-walks-'));
  const ports = { GATEWAY_PORT: '0', SFU_PORT: '0', TRANSCODER_PORT: '0', INGEST_PORT: '0' };
  const stack = spawn(process.execPath, [join(repositoryRoot, 'tools/start.mjs')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...ports, RTMS_HOME: home },
  });
  try {
    const file = join(home, 'ready.json');
    while (!existsSync(file) && stack.exitCode === null) await delay(200);
    await walkAll(home, JSON.parse(readFileSync(file, 'utf8')));
  } finally {
    const ended = stack.exitCode === null ? once(stack, 'exit') : undefined;
    stack.kill('SIGTERM');
    await ended;
    rmSync(home, { recursive: true, force: true });
  }
}

/** @param {string} home @param {import('../embedded/greeting.mjs').ReadyFile} ready */
async function walkAll(home, { gateway, sfu, apiUserName, apiKey }) {
  const { children } = /** @type {import('../embedded/process-ledger.mjs').LedgerPage} */ (
    JSON.parse(readFileSync(join(home, 'processes.json'), 'utf8'))
  );
  const pidOf = (/** @type {string} */ name) => children.find(child => child.name === name)?.pid ?? 0;
  const post = async (/** @type {string} */ path, /** @type {object} */ body) => {
    const headers = { authorization: `Bearer ${apiUserName}:${apiKey}`, 'content-type': 'application/json' };
    const answer = await fetch(`${gateway}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return /** @type {any} */ (await answer.json());
  };
  const create = () => post('/rooms', { action: 'create', userName: 'Walker' });
  const { meetingID } = (await create()).room;
  const { join: ticket } = await post('/rooms', { action: 'join', meetingID, userName: 'Walker' });
  const { externalSession } = await post(`/meetings/${meetingID}/external-sessions`, {
    ...{ displayName: 'Walker', ingest: { protocol: 'whip', tracks: ['audio', 'video'] } },
  });
  const socket = await joined(ticket);
  const message = { commandID: 'walk', name: 'chat.send', request: { message: 'Hello' } };
  const walker = await Walker.attach(pidOf('gateway'), gateway);
  await walker.walk('rooms create, gateway', create);
  await walker.walk('chat message, gateway', () => socket.emitWithAck('command', message));
  await walker.detach();
  socket.close();
  const publisher = await Walker.attach(pidOf('sfu'), sfu);
  const { url, token } = externalSession.ingest;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/sdp' };
  const body = await makeOffer();
  await publisher.walk('WHIP offer, SFU', () => fetch(url, { method: 'POST', headers, body }));
  await publisher.detach();
}

/** @param {{ url: string, token: string }} ticket */
async function joined({ url, token }) {
  const { origin, pathname } = new URL(url);
  const path = pathname === '/' ? '/v1/socket' : pathname;
  const socket = io(origin, { path, addTrailingSlash: false, transports: ['websocket'], auth: { token } });
  await new Promise((resolve, reject) => void socket.once('welcome', resolve).once('connect_error', reject));
  return socket;
}

async function makeOffer() {
  const peer = new ndc.PeerConnection('walk', { iceServers: [] });
  const audio = new ndc.Audio('0', 'SendOnly');
  audio.addOpusCodec(111);
  audio.addSSRC(4711, 'walk', 'walk', 'audio');
  const video = new ndc.Video('1', 'SendOnly');
  video.addVP8Codec(96);
  video.addSSRC(4712, 'walk', 'walk', 'video');
  const tracks = [peer.addTrack(audio), peer.addTrack(video)];
  await new Promise(resolve => {
    peer.onGatheringStateChange(state => state === 'complete' && resolve(undefined));
    peer.setLocalDescription('offer');
  });
  const offer = peer.localDescription()?.sdp ?? '';
  for (const track of tracks) track.close();
  peer.close();
  return offer;
}

/** Reads the functions that a running service has called, by the inspector of Node.js. */
class Walker {
  #socket;
  #address;
  #id = 0;
  #places = new SourcePlaces();

  /** @param {WebSocket} socket @param {string} address */
  constructor(socket, address) {
    this.#socket = socket;
    this.#address = address;
  }

  /** @param {number} pid @param {string} address of the service */
  static async attach(pid, address) {
    process.kill(pid, 'SIGUSR1');
    for (;;) {
      const [page] = await fetch(inspectorUrl).then(
        answer => /** @type {Promise<{ webSocketDebuggerUrl: string }[]>} */ (answer.json()),
        () => [],
      );
      if (!page) await delay(100);
      else {
        const socket = new WebSocket(page.webSocketDebuggerUrl);
        await once(socket, 'open');
        const walker = new Walker(socket, address);
        await walker.#call('Profiler.enable');
        await walker.#call('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
        return walker;
      }
    }
  }

  /** @param {string} name @param {() => Promise<unknown>} act */
  async walk(name, act) {
    await this.#take();
    await Promise.all([fetch(`${this.#address}/readyz`), delay(idleMs)]);
    const noise = await this.#take();
    await act();
    const called = await this.#take();
    const files = new Set([...called].filter(each => !noise.has(each)).map(each => each.split(' ')[0]));
    console.log(`\n${name}: ${files.size} files\n  ${[...files].toSorted().join('\n  ')}`);
  }

  /** Frees the inspector's port for the next service. */
  async detach() {
    await this.#call('Runtime.evaluate', { expression: 'setTimeout(() => process._debugEnd())' });
    await once(this.#socket, 'close');
  }

  /** The functions of ours that ran since the last call. */
  async #take() {
    /** @type {{ result: { url: string, functions: { ranges: { startOffset: number, count: number }[] }[] }[] }} */
    const { result } = await this.#call('Profiler.takePreciseCoverage');
    const bundled = result.filter(({ url }) => /\/apps\/[^/]+\/dist\//.test(url));
    const called = bundled.flatMap(({ url, functions }) =>
      functions.flatMap(({ ranges: [range] }) =>
        range && range.count > 0 && range.startOffset > 0
          ? [`${this.#places.atOffset(url, range.startOffset).url} ${range.startOffset}`]
          : [],
      ),
    );
    const ours = /^.*\/((?:apps|libs)\/[^/]+\/src\/)/;
    return new Set(called.filter(each => ours.test(each)).map(each => each.replace(ours, '$1')));
  }

  /** @param {string} method @param {object} [params] @returns {Promise<any>} */
  async #call(method, params = {}) {
    const id = ++this.#id;
    const answer = new Promise(resolve => {
      const listen = (/** @type {MessageEvent} */ { data }) => {
        const message = JSON.parse(String(data));
        if (message.id !== id) return;
        this.#socket.removeEventListener('message', listen);
        resolve(message.result);
      };
      this.#socket.addEventListener('message', listen);
    });
    this.#socket.send(JSON.stringify({ id, method, params }));
    return answer;
  }
}
