import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { systemClock } from '@rtms/clock';
import { keepPublished, WhipPublisher, WhipRefusal } from '@rtms/whip-publisher';
import { liveArguments, openRtpPorts } from '../../libs/testing/src/encoder/encoder-media.mjs';
import { say } from '../setup/progress.mjs';
import { lastLines, runCommand, tiedToParent } from '../setup/run-command.mjs';
import { StartFailure } from '../setup/start-failure.mjs';
import { clockSize, runClock } from './clock-picture.mjs';

/** @typedef {'audio' | 'video'} Kind */
/** @typedef {import('@rtms/whip-publisher').WhipTarget & Pick<import('@rtms/whip-publisher').Publication, 'renew'>} Ingest */
/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/** A keyframe each second: viewers cannot ask this publisher for one. */
const picture = { frameRate: 30, keyframeInterval: 30, bitrate: '2500k', preset: 'veryfast' };

/** Sends a file or a test picture to a WHIP endpoint until `stop`, and connects again when the connection is lost. */
export class Publication {
  #stop = new AbortController();

  /**
   * @param {{ ffmpeg: string, kinds: Kind[], file?: string | undefined, size?: string }} media without `file`: a test
   *   picture of this size, with a clock
   * @param {Ingest} ingest
   */
  constructor(media, ingest) {
    this.media = media;
    this.ingest = ingest;
  }

  /** Safe to call twice. */
  stop() {
    this.#stop.abort();
  }

  /**
   * Resolves once stopped, with the session ended. Rejects when the service refuses, or does not answer for a minute.
   */
  async run() {
    const { url, token, renew } = this.ingest;
    const { kinds } = this.media;
    let last = '';
    try {
      const end = await keepPublished({
        ...{ clock: systemClock, signal: this.#stop.signal, target: { url, token }, renew, endsSession: true },
        open: () => new WhipPublisher({ clock: systemClock, kinds }),
        send: publisher => this.#send(publisher),
        onProblem: (error, pauseMs, wasConnected) => {
          last = this.#problem(error, wasConnected);
          say(`${last} Trying again in ${pauseMs / 1000} s …`);
        },
      });
      if (end === 'unreachable') throw new StartFailure(`Gave up: ${last}`);
      if (end === 'ended') say('The service has ended the session.');
    } catch (error) {
      throw error instanceof WhipRefusal ? new StartFailure(error.message) : error;
    }
    say('Publishing has ended.');
  }

  /**
   * The problem as a sentence. An address that never answered is a failure.
   * @param {unknown} error @param {boolean} wasConnected
   */
  #problem(error, wasConnected) {
    const { message, cause } = error instanceof Error ? error : new Error(String(error));
    // These messages are sentences already.
    if (error instanceof WhipRefusal || message.endsWith('.')) return message;
    const detail = cause instanceof Error ? ` (${cause.message})` : '';
    const problem = `No connection to ${new URL(this.ingest.url).origin}: ${message}${detail}.`;
    if (wasConnected) return problem;
    throw new StartFailure(`${problem} Check the address, and that UDP or TCP reaches the media ports of the SFU.`);
  }

  /** @param {WhipPublisher} publisher */
  async #send(publisher) {
    const { ffmpeg, file, kinds, size = '1280x720' } = this.media;
    const ports = await openRtpPorts(kinds, (kind, packet) => publisher.send(kind, packet));
    const source = file === undefined ? { ...picture, size, clock: clockSize } : { ...picture, file };
    const [program = '', ...args] = tiedToParent('KILL', [ffmpeg, ...liveArguments(source, ports.destinations)]);
    // A process group of its own: Ctrl-C reaches us alone, and we end FFmpeg.
    const encoder = spawn(program, args, { stdio: ['pipe', 'ignore', 'pipe'], detached: true });
    const stopClock = file === undefined ? runClock(encoder.stdin, picture.frameRate) : () => encoder.stdin.end();
    const ended = encoderEnd(encoder);
    say(`Publishing ${file ?? 'a test picture'} to ${this.ingest.url}. Ctrl-C ends the session.`);
    try {
      const failed = ended.then(output => {
        throw new StartFailure(`FFmpeg ended: ${lastLines(output) || 'no message'}`);
      });
      await Promise.race([publisher.lost, failed]);
    } finally {
      stopClock();
      encoder.kill('SIGKILL');
      await ended;
      ports.close();
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
