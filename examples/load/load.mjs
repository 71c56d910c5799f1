// Viewers of one external session, by WHEP or HLS, and a table of what they received.
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createRtms } from '@rtms/server';
import { openHlsViewer } from './hls-viewer.mjs';
import { openWhepViewer } from './whep-viewer.mjs';

const { values } = parseArgs({
  options: {
    meeting: { type: 'string', default: '' },
    session: { type: 'string', default: '' },
    way: { type: 'string', default: 'whep' },
    viewers: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '20' },
  },
});

/** @param {'viewers' | 'seconds'} name @param {number} most */
function numberOf(name, most) {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw new RangeError(`--${name} must be a whole number from 1 to ${most}.`);
}

const viewers = numberOf('viewers', 500);
const seconds = numberOf('seconds', 600);
if (!['whep', 'hls'].includes(values.way)) throw new RangeError('--way must be whep or hls.');

const { RTMS_URL = 'http://127.0.0.1:4000', RTMS_KEY = '' } = process.env;
/** Machines under load are slow. */
const timeoutMs = 120_000;
const rtms = createRtms({ url: RTMS_URL, key: RTMS_KEY, timeoutMs });
const { meeting, session: sourceSessionID } = values;

/** @typedef {{ received(): { bytes: number, faults: number }, close(): Promise<void> }} Viewer */

/** A playback for all viewers; its token opens a viewer while it is valid. */
async function whep() {
  const wanted = /** @type {const} */ ({ tracks: ['audio', 'video'], payloadMatching: 'adaptive' });
  const { playback } = await rtms.playbacks.create(meeting, { sourceSessionID, ...wanted });
  return {
    open: () => openWhepViewer(playback.endpoint ?? '', playback.token ?? ''),
    end: () => rtms.playbacks.delete(meeting, playback.playbackID),
  };
}

async function hls() {
  const { broadcast } = await rtms.broadcasts.create(meeting, { sourceSessionID });
  const { broadcastID } = broadcast;
  const { playbackUrl } = await rtms.broadcasts.waitUntilActive(meeting, broadcastID, { timeoutMs });
  return {
    open: () => openHlsViewer(playbackUrl ?? ''),
    end: () => rtms.broadcasts.delete(meeting, broadcastID),
  };
}

/** @type {Viewer[]} */
const watching = [];
let refused = 0;

/** Ten at a time: a storm of joins is another test. @param {() => Promise<Viewer>} open */
async function join(open) {
  for (let begun = 0; begun < viewers; begun += 10) {
    const batch = Array.from({ length: Math.min(10, viewers - begun) }, open);
    for (const result of await Promise.allSettled(batch)) {
      if (result.status === 'fulfilled') watching.push(result.value);
      else if (refused++ === 0) process.stderr.write(`refused: ${result.reason.message}\n`);
    }
  }
}

const { open, end } = await (values.way === 'hls' ? hls() : whep());
try {
  await join(open);
  const before = watching.map(each => each.received().bytes);
  await pause(seconds * 1000);
  const rates = watching.map((each, index) => ((each.received().bytes - (before[index] ?? 0)) * 8) / seconds / 1000);
  const sorted = rates.map(Math.round).sort((one, other) => one - other);
  const faults = watching.reduce((sum, each) => sum + each.received().faults, 0);
  const [least = 0, median = 0] = [sorted[0], sorted[sorted.length >> 1]];
  const row = {
    way: values.way,
    watching: watching.length,
    refused,
    'least kbit/s': least,
    'median kbit/s': median,
    faults,
  };
  console.table([row]);
  // A viewer is refused unless media arrives.
  process.exitCode = watching.length === viewers ? 0 : 1;
} finally {
  await Promise.allSettled(watching.map(each => each.close()));
  await end();
}
