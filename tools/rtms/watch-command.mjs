import { setTimeout as pause } from 'node:timers/promises';
import { ensureFfmpeg } from '../setup/programs.mjs';
import { say } from '../setup/progress.mjs';
import { homeDirectory, repositoryRoot } from '../setup/repository.mjs';
import { StartFailure } from '../setup/start-failure.mjs';
import { ClockReader } from './clock-reader.mjs';
import { atOrigin, GatewayApi, readReady } from './gateway-api.mjs';
import { isMarked, payloadOf, ReceivedStream } from './received-stream.mjs';
import { WhepPeer } from './whep-peer.mjs';

/** @typedef {{ url?: string, token?: string, seconds?: number }} WatchOptions */
/** @typedef {{ sessionID: string, meetingID: string, state: string }} ListedSession */

const everyMs = 1_000;
const h264 = 106;

/**
 * Watches a playback until Ctrl-C, its end, or the given number of seconds. Prints a line each second.
 * @param {string | undefined} sessionID default: the newest active one
 * @param {WatchOptions} options
 */
export async function watch(sessionID, { url, token, seconds = Infinity }) {
  if (url !== undefined && !token)
    throw new StartFailure('The token is missing: give the one of the WHEP address with --token, or in WHEP_TOKEN.');
  const target =
    url === undefined ? await openPlayback(sessionID) : { url, token: token ?? '', close: async () => undefined };
  const viewing = new Viewing(await ensureFfmpeg(repositoryRoot, process.env));
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopping.abort());
  try {
    await viewing.run(target, seconds, stopping.signal);
  } finally {
    await viewing.close();
    await target.close();
  }
  if (viewing.video.frames === 0 && viewing.audio.packets === 0) throw new StartFailure('Nothing was received.');
}

/**
 * A playback of a session of the running installation, for this viewer alone.
 * @param {string | undefined} wanted
 */
async function openPlayback(wanted) {
  const home = homeDirectory(process.env);
  const { gateway, sfu, adminToken } = readReady(home);
  const { externalSessions } = /** @type {{ externalSessions: ListedSession[] }} */ (
    await new GatewayApi(gateway, adminToken).get('/admin/v1/external-sessions?startIndex=0&pageSize=100')
  );
  const session = externalSessions.find(({ sessionID, state }) => (wanted ? sessionID === wanted : state === 'active'));
  if (!session) {
    throw new StartFailure(
      wanted
        ? `There is no live session ${wanted}: see \`npx rtms sessions\`.`
        : 'Nobody publishes: try `npx rtms publish`.',
    );
  }
  const api = GatewayApi.ofDemoAccount(home);
  const path = `/v1/meetings/${session.meetingID}/playbacks`;
  const { playback } = /** @type {{ playback: { playbackID: string, endpoint: string, token: string } }} */ (
    await api.post(path, {
      sourceSessionID: session.sessionID,
      tracks: ['audio', 'video'],
      payloadMatching: 'adaptive',
    })
  );
  const close = async () => void (await api.delete(`${path}/${playback.playbackID}`).catch(() => undefined));
  return { url: atOrigin(sfu, playback.endpoint), token: playback.token, close };
}

/** One viewer with its counts. */
class Viewing {
  audio = new ReceivedStream();
  video = new ReceivedStream();
  #clock;
  #peer;

  /** @param {string} ffmpeg */
  constructor(ffmpeg) {
    this.#clock = new ClockReader(ffmpeg);
    this.#peer = new WhepPeer((kind, packet) => this.#receive(kind, packet));
  }

  /** @param {import('./whep-peer.mjs').Endpoint} endpoint @param {number} seconds at most @param {AbortSignal} stopped */
  async run(endpoint, seconds, stopped) {
    const begun = Date.now();
    await this.#peer.connect(endpoint);
    say(`Watching ${endpoint.url}. Ctrl-C ends it.`);
    let isLost = false;
    void this.#peer.lost.then(() => (isLost = true));
    let before = { frames: 0, bytes: 0 };
    while (!isLost && !stopped.aborted && Date.now() - begun < seconds * 1_000) {
      await pause(everyMs, undefined, { signal: stopped }).catch(() => undefined);
      const { frames, bytes } = this.video;
      const rate = `${frames - before.frames} frames/s, ${Math.round(((bytes - before.bytes) * 8) / 1_000)} kbit/s`;
      say(`${String(Math.round((Date.now() - begun) / 1_000)).padStart(4)} s  ${rate}, ${this.#describe()}`);
      before = { frames, bytes };
    }
    say(isLost ? 'The service has ended the playback, or the connection is lost.' : 'Stopped.');
    say(
      `Received ${this.video.frames} frames of video (${this.#clock.pictures} decoded) and ${this.audio.packets} packets of audio.`,
    );
  }

  async close() {
    this.#clock.close();
    await this.#peer.close();
  }

  /** @param {import('./whep-peer.mjs').Kind} kind @param {Buffer} packet */
  #receive(kind, packet) {
    if (packet.length < 12) return;
    this[kind].add(packet);
    const isH264 = kind === 'video' && ((packet[1] ?? 0) & 0x7f) === h264;
    if (isH264) this.#clock.add(payloadOf(packet), isMarked(packet));
  }

  #describe() {
    const ages = this.#clock.takeAges().toSorted((a, b) => a - b);
    const median = ages[Math.floor(ages.length / 2)];
    const delay = median === undefined ? 'delay unknown (no clock in the picture)' : `delay ${median} ms`;
    const [lost, expected] = [this.audio.lost + this.video.lost, this.audio.expected + this.video.expected];
    const share = expected === 0 ? 0 : (100 * lost) / expected;
    return `${delay}, lost ${lost} of ${expected} packets (${share.toFixed(2)} %)`;
  }
}
