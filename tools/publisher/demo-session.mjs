import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartFailure } from '../setup/start-failure.mjs';

/**
 * @typedef {object} Target
 * @property {string} url the WHIP endpoint
 * @property {string} token
 * @property {string} [watch] a page that shows the session
 * @property {() => Promise<void>} close
 */

/**
 * A room of the demo account with an external session in it, on the installation that `npm start` runs.
 * @param {string} home of the installation
 * @param {string[]} tracks kinds of media
 * @returns {Promise<Target>}
 */
export async function openDemoSession(home, tracks) {
  const { gateway, dashboard, apiUserName, apiKey } = readReady(home);
  const post = (/** @type {string} */ path, /** @type {object} */ body) =>
    ask(`${gateway}/v1${path}`, `${apiUserName}:${apiKey}`, body);
  const { room } = /** @type {{ room: { meetingID: string } }} */ (
    await post('/rooms', { action: 'create', userName: 'Publisher' })
  );
  const { meetingID } = room;
  const { externalSession } = /** @type {{ externalSession: { ingest: { url: string, token: string } } }} */ (
    await post(`/meetings/${meetingID}/external-sessions`, {
      displayName: 'Publisher',
      ingest: { protocol: 'whip', tracks },
    })
  );
  return {
    ...externalSession.ingest,
    watch: `${dashboard}/rooms/${meetingID}`,
    close: async () => void (await post('/rooms', { action: 'end', meetingID })),
  };
}

/** @param {string} home @returns {import('../embedded/greeting.mjs').ReadyFile} */
function readReady(home) {
  const file = join(home, 'ready.json');
  if (!existsSync(file)) {
    throw new StartFailure(`${file} does not exist: run \`npm start\` first, or pass the WHIP address as an argument.`);
  }
  const ready = /** @type {import('../embedded/greeting.mjs').ReadyFile} */ (JSON.parse(readFileSync(file, 'utf8')));
  if (ready.apiKey !== undefined) return ready;
  throw new StartFailure(`The demo account's key is not in ${file}: pass the WHIP address as an argument.`);
}

/** @param {string} url @param {string} credential @param {object} body */
async function ask(url, credential, body) {
  const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify(body), signal: AbortSignal.timeout(10_000) };
  const response = await fetch(url, request).catch(() => {
    throw new StartFailure(`No answer from ${url}: is \`npm start\` still running?`);
  });
  const answer = /** @type {unknown} */ (await response.json());
  if (response.ok) return answer;
  throw new StartFailure(`${new URL(url).pathname} answered ${response.status}: ${JSON.stringify(answer)}`);
}
