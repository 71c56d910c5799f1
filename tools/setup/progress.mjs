const heartbeatMs = 5_000;
const worthMentioningMs = 1_000;

/** @param {string} line */
export function say(line) {
  process.stdout.write(`${line}\n`);
}

/** @param {number} milliseconds */
export function seconds(milliseconds) {
  return milliseconds < 10_000 ? `${(milliseconds / 1000).toFixed(1)} s` : `${Math.round(milliseconds / 1000)} s`;
}

/**
 * Runs one long step and shows that it is alive: a line when it begins, one every five seconds, one at its end.
 * `work` gets a function that replaces the detail shown in the next line.
 * @template T
 * @param {string} title
 * @param {(detail: (text: string) => void) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(title, work) {
  const begun = Date.now();
  let detail = '';
  say(`${title} …`);
  const heartbeat = setInterval(() => say(`  ${seconds(Date.now() - begun)}  ${detail || title}`), heartbeatMs);
  try {
    const result = await work(text => void (detail = text));
    const took = Date.now() - begun;
    if (took >= worthMentioningMs) say(`  ${seconds(took)}  ${title}: done`);
    return result;
  } finally {
    clearInterval(heartbeat);
  }
}
