import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { liveArguments } from '../../libs/testing/src/encoder/encoder-media.mjs';
import { WhipPeer, WhipRefusal } from '../../libs/testing/src/encoder/whip-peer.mjs';
import { say } from '../setup/progress.mjs';
import { lastLines, runCommand, tiedToParent } from '../setup/run-command.mjs';
import { StartFailure } from '../setup/start-failure.mjs';
import { clockSize, runClock } from './clock-picture.mjs';

/** @typedef {'audio' | 'video'} Kind */
/** @typedef {{ url: string, token: string, renew?: () => Promise<string> }} Ingest `renew` issues a new token for an expired one */
/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/** A keyframe each second: viewers cannot ask this publisher for one. */
const picture = { frameRate: 30, keyframeInterval: 30, bitrate: '2500k', preset: 'veryfast' };

/** Reconnecting ends after this time. */
const patienceMs = 60_000;
/** After the loss of a connection, which another node can replace at once. */
const shortestPauseMs = 100;
const firstPauseMs = 500;
const longestPauseMs = 8_000;

/** These answers may change later: too many requests, a former publisher, no free node. */
const passingStatus = [408, 429, 502, 503, 504];

/** A refusal for one of these reasons means that the session has ended. */
const endedReasons = ['session_ended', 'room_ended', 'not_found'];

/** Sends a file or a test picture to a WHIP endpoint until `stop`, and connects again when the connection is lost. */
export class Publication {
  #stop = new AbortController();
  #token;

  /**
   * @param {{ ffmpeg: string, kinds: Kind[], file?: string | undefined, size?: string }} media without `file`: a test
   *   picture of this size, with a clock
   * @param {Ingest} ingest
   */
  constructor(media, ingest) {
    this.media = media;
    this.ingest = ingest;
    this.#token = ingest.token;
  }

  /** Safe to call twice. */
  stop() {
    this.#stop.abort();
  }

  /**
   * Resolves once stopped, with the session ended. Rejects when the service refuses, or does not answer for a minute.
   */
  async run() {
    let since;
    let pauseMs = firstPauseMs;
    while (!this.#stop.signal.aborted) {
      const problem = await this.#connect(() => {
        since = undefined;
        pauseMs = shortestPauseMs;
      });
      if (problem === undefined) break;
      since ??= Date.now();
      if (Date.now() - since > patienceMs) throw new StartFailure(`Gave up after ${patienceMs / 1000} s: ${problem}`);
      say(`${problem} Trying again in ${pauseMs / 1000} s …`);
      await pause(pauseMs, undefined, { signal: this.#stop.signal }).catch(() => undefined);
      pauseMs = Math.min(Math.max(pauseMs * 2, firstPauseMs), longestPauseMs);
    }
    say('Publishing has ended.');
  }

  #wasConnected = false;

  /**
   * One connection, to its end. Returns why another one is needed, or undefined when we were stopped.
   * @param {() => void} onConnected
   */
  async #connect(onConnected) {
    const { kinds } = this.media;
    const peer = await WhipPeer.open({ audio: kinds.includes('audio'), video: kinds.includes('video') });
    try {
      await peer.connect({ url: this.ingest.url, token: this.#token });
      onConnected();
      this.#wasConnected = true;
      return await this.#send(peer);
    } catch (error) {
      return await this.#passing(error);
    } finally {
      // A session without this request ends after its grace time.
      if (this.#stop.signal.aborted) await peer.leave().catch(() => undefined);
      peer.close();
    }
  }

  /** @param {WhipPeer} peer */
  async #send(peer) {
    const { ffmpeg, file, size = '1280x720' } = this.media;
    const source = file === undefined ? { ...picture, size, clock: clockSize } : { ...picture, file };
    const [program = '', ...args] = tiedToParent('KILL', [ffmpeg, ...liveArguments(source, peer.destinations)]);
    // A process group of its own: Ctrl-C reaches us alone, and we end FFmpeg.
    const encoder = spawn(program, args, { stdio: ['pipe', 'ignore', 'pipe'], detached: true });
    const stopClock = file === undefined ? runClock(encoder.stdin, picture.frameRate) : () => encoder.stdin.end();
    const ended = encoderEnd(encoder);
    const stopped = new Promise(resolve => {
      this.#stop.signal.addEventListener('abort', () => resolve(undefined), { once: true });
      if (this.#stop.signal.aborted) resolve(undefined);
    });
    say(`Publishing ${file ?? 'a test picture'} to ${this.ingest.url}. Ctrl-C ends the session.`);
    try {
      const lost = peer.lost.then(() => 'The connection was lost.');
      const failed = ended.then(output => {
        throw new StartFailure(`FFmpeg ended: ${lastLines(output) || 'no message'}`);
      });
      return await Promise.race([lost, failed, stopped]);
    } finally {
      stopClock();
      encoder.kill('SIGKILL');
      await ended;
    }
  }

  /** Returns the text of a temporary failure; throws any other failure. @param {unknown} error */
  async #passing(error) {
    if (error instanceof StartFailure) throw error;
    if (error instanceof WhipRefusal) return this.#passingRefusal(error);
    const { message, cause } = error instanceof Error ? error : new Error(String(error));
    const detail = cause instanceof Error ? ` (${cause.message})` : '';
    const problem = `No connection to ${new URL(this.ingest.url).origin}: ${message}${detail}.`;
    if (this.#wasConnected) return problem;
    throw new StartFailure(`${problem} Check the address, and that UDP or TCP reaches the media ports of the SFU.`);
  }

  /** @param {WhipRefusal} refusal */
  async #passingRefusal({ status, body }) {
    const { text, reason } = failureIn(body);
    const problem = `The service answered ${status}: ${text}`;
    if (reason === 'token_expired' && this.ingest.renew) return this.#renewToken(this.ingest.renew);
    // Our own lost connection can still count as the publisher for some seconds.
    const isOurs = this.#wasConnected && reason === 'already_publishing';
    if (passingStatus.includes(status) || isOurs) return problem;
    if (!this.#wasConnected || !endedReasons.includes(reason)) throw new StartFailure(problem);
    say(`The service has ended the session: ${text}`);
    return undefined;
  }

  /** Tokens last minutes, so the token has usually expired when a node is lost. @param {() => Promise<string>} renew */
  async #renewToken(renew) {
    try {
      this.#token = await renew();
      return 'The token had expired: it is renewed.';
    } catch (error) {
      return `The token has expired, and there is no new one: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
}

/** Resolves with the error output of the encoder once it has ended. @param {ChildProcess} encoder */
async function encoderEnd(encoder) {
  let output = '';
  encoder.stderr?.on('data', data => (output = `${output}${data}`.slice(-4_000)));
  try {
    await once(encoder, 'close');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return output;
}

/** The message and the reason in the service's failure envelope. @param {string} body */
function failureIn(body) {
  try {
    const { error = '', reason = '' } = /** @type {{ error?: string, reason?: string }} */ (JSON.parse(body));
    return { text: reason ? `${error} (${reason})` : error, reason };
  } catch {
    return { text: body.slice(0, 200), reason: '' };
  }
}

/**
 * The kinds of media that a file holds; both of the test picture.
 * @param {string} ffmpeg
 * @param {string | undefined} file
 * @returns {Promise<Kind[]>}
 */
export async function kindsIn(ffmpeg, file) {
  if (file === undefined) return ['audio', 'video'];
  // FFmpeg describes its input and then fails, because no output is named.
  const { output } = await runCommand(ffmpeg, ['-hide_banner', '-i', `file:${file}`]);
  const streams = output.split('\n').filter(line => /^\s+Stream #\d/.test(line) && !line.includes('(attached pic)'));
  const kinds = /** @type {Kind[]} */ (['audio', 'video']).filter(kind =>
    streams.some(line => line.toLowerCase().includes(`: ${kind}:`)),
  );
  if (kinds.length > 0) return kinds;
  throw new StartFailure(`FFmpeg finds neither audio nor video in ${file}: ${lastLines(output, 1)}`);
}
