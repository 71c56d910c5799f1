// One encoder in its own process, which its parent controls (see encoder-publisher.ts). The peer
// library has threads that outlive a test's module registry, so it needs a process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { systemClock } from '@rtms/clock';
import { keepPublished, WhipPublisher, WhipRefusal } from '@rtms/whip-publisher';
import { encoderArguments, openRtpPorts } from './encoder-media.mjs';

/** @typedef {import('./encoder-publisher.js').EncoderOptions} EncoderOptions */

/** An encoder without a connection tries again for a minute, so it ends within the time that tests wait by default. */
const patience = { connectWithinMs: 40_000, leaveWithinMs: 120_000 };
const profileLevelIDs = { baseline: '42e01f', main: '4d001f', high: '64001f' };

/** @type {WhipPublisher | undefined} */
let publisher;
/** @type {import('./encoder-media.mjs').Destinations} */
let destinations = {};
/** @type {import('node:child_process').ChildProcess | undefined} */
let ffmpeg;
/** @type {EncoderOptions} */
let current;

process.on('disconnect', end);
process.on('message', async message => {
  const { publish, leave, change } =
    /** @type {{ publish?: EncoderOptions, leave?: boolean, change?: Partial<EncoderOptions> }} */ (message);
  if (publish) await open(publish).then(() => tell({ connected: true }), refuse);
  if (change) await encodeOtherwise(change).then(() => tell({ changed: true }), refuse);
  if (leave) {
    const status = async () => (await publisher?.leave()) ?? 0;
    await status().then(left => tell({ left }), refuse);
    end();
  }
});

/** @param {unknown} error */
function refuse(error) {
  tell({ refused: messageOf(error) });
  end();
}

/**
 * Ends this process and FFmpeg if the parent has gone: sending can fail before `disconnect` is seen.
 *
 * @param {object} message
 */
function tell(message) {
  process.send?.(message, problem => problem && end());
}

function end() {
  ffmpeg?.kill('SIGKILL');
  process.exit();
}

/** @param {EncoderOptions} options */
async function open(options) {
  current = options;
  const { audio = true, video = true, profile = 'baseline' } = options;
  const kinds = /** @type {const} */ (['audio', 'video']).filter(kind => (kind === 'audio' ? audio : video));
  const profileLevelID = profileLevelIDs[profile];
  ({ destinations } = await openRtpPorts(kinds, (kind, packet) => {
    if (!isLost(packet)) publisher?.send(kind, packet);
  }));
  const connected = await connect(
    () => new WhipPublisher({ clock: systemClock, kinds, profileLevelID, setup: 'passive', ...patience }),
  );
  void connected.lost.then(() => tell({ lost: true }));
  await encode();
}

/**
 * Rejects at the first refusal, unless it is about a failed attempt of this encoder.
 *
 * @param {() => WhipPublisher} make
 * @returns {Promise<WhipPublisher>}
 */
function connect(make) {
  /** @type {string[]} */
  const problems = [];
  return new Promise((resolve, reject) => {
    const fail = (/** @type {string} */ last) => reject(new Error([last, ...problems].join(' Before: ')));
    keepPublished({
      ...{ clock: systemClock, signal: new AbortController().signal, target: current },
      open: () => (publisher = make()),
      // The test decides what follows a loss.
      send: connected => new Promise(() => resolve(connected)),
      onProblem: error => {
        if (error instanceof WhipRefusal && error.reason !== 'already_publishing') throw error;
        problems.unshift(messageOf(error));
      },
    }).then(fail, error => fail(messageOf(error)));
  });
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

async function encode() {
  // The kernel ends FFmpeg together with this process.
  const command = ['--pdeathsig', 'KILL', 'ffmpeg', ...(await encoderArguments(current, destinations))];
  ffmpeg = spawn('setpriv', command, { stdio: 'ignore' });
}

/** @param {Partial<EncoderOptions>} change */
async function encodeOtherwise(change) {
  current = { ...current, ...change };
  if (!ffmpeg) return;
  const gone = once(ffmpeg, 'exit');
  ffmpeg.kill('SIGKILL');
  await gone;
  await encode();
}

/** @param {Buffer} packet */
function isLost(packet) {
  return packet.readUInt16BE(2) % 10 < (current.faults?.lostOfTen ?? 0);
}
