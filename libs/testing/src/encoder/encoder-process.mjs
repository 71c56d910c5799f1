// One encoder in its own process, which its parent controls (see encoder-publisher.ts). The peer
// library has threads that outlive a test's module registry, so it needs a process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { encoderArguments } from './encoder-media.mjs';
import { WhipPeer } from './whip-peer.mjs';

/** @typedef {import('./encoder-publisher.js').EncoderOptions} EncoderOptions */

/** @type {WhipPeer | undefined} */
let peer;
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
    tell({ left: (await peer?.leave()) ?? 0 });
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
  peer = await WhipPeer.open({ audio, video, profile, isLost });
  await peer.connect(options);
  void peer.lost.then(() => tell({ lost: true }));
  await encode(peer);
}

/** @param {WhipPeer} to */
async function encode({ destinations }) {
  // The kernel ends FFmpeg together with this process.
  const command = ['--pdeathsig', 'KILL', 'ffmpeg', ...(await encoderArguments(current, destinations))];
  ffmpeg = spawn('setpriv', command, { stdio: 'ignore' });
}

/** @param {Partial<EncoderOptions>} change */
async function encodeOtherwise(change) {
  current = { ...current, ...change };
  if (!ffmpeg || !peer) return;
  const gone = once(ffmpeg, 'exit');
  ffmpeg.kill('SIGKILL');
  await gone;
  await encode(peer);
}

/** @param {Buffer} packet */
function isLost(packet) {
  return packet.readUInt16BE(2) % 10 < (current.faults?.lostOfTen ?? 0);
}
