// One encoder in its own process, which its parent controls (see encoder-publisher.ts). The peer
// library has threads that outlive a test's module registry, so it needs a process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { systemClock } from '@rtms/clock';
import { WhipPublisher, WhipRefusal } from '@rtms/whip-publisher';
import { encoderArguments, openRtpPorts } from './encoder-media.mjs';

/** @typedef {import('./encoder-publisher.js').EncoderOptions} EncoderOptions */

/** An encoder that gets no connection tries again. Together this takes as long as tests wait by default. */
const attempts = 4;
const patience = { connectWithinMs: 30_000, leaveWithinMs: 120_000 };
/** For so long the service takes a failed attempt for a live publisher. */
const takeoverMs = 2_000;
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
  tell({ refused: error instanceof Error ? error.message : String(error) });
  end();
}

/** @param {object} message */
function tell(message) {
  process.send?.(message);
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

/** @param {() => WhipPublisher} make */
async function connect(make) {
  /** @type {string[]} */
  const problems = [];
  for (;;) {
    const opened = make();
    publisher = opened;
    try {
      await opened.connect(current);
      return opened;
    } catch (error) {
      const isRefusal = error instanceof WhipRefusal;
      const isOwn = isRefusal && error.reason === 'already_publishing' && problems.length > 0;
      problems.unshift(error instanceof Error ? error.message : String(error));
      if ((isRefusal && !isOwn) || problems.length === attempts)
        throw new Error(problems.join(' Before: '), { cause: error });
      if (isOwn) await systemClock.pause(takeoverMs);
    }
  }
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
