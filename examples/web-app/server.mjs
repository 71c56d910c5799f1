// The server has the key of the account. The page gets addresses and short-lived tokens only.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRtms } from '@rtms/server';
import { build } from 'esbuild';

const { RTMS_URL = 'http://127.0.0.1:4000', RTMS_KEY = '', PORT = '3000' } = process.env;
const rtms = createRtms({ url: RTMS_URL, key: RTMS_KEY });

const folder = dirname(fileURLToPath(import.meta.url));
const html = await readFile(join(folder, 'page.html'));
const bundle = await build({ entryPoints: [join(folder, 'page.mjs')], bundle: true, write: false, format: 'esm' });
const script = bundle.outputFiles[0]?.contents;

const { room } = await rtms.rooms.create({ userName: 'Web app', duration: 60 });
const { meetingID } = room;
/** The newest publisher. @type {string | undefined} */
let sessionID;

async function publish() {
  const { externalSession } = await rtms.externalSessions.create(meetingID, {
    displayName: 'Page',
    ingest: { protocol: 'whip', tracks: ['audio', 'video'] },
  });
  sessionID = externalSession.sessionID;
  return { url: externalSession.ingest.url, token: externalSession.ingest.token };
}

async function watch() {
  if (sessionID === undefined) throw new Error('Nobody publishes yet.');
  await rtms.externalSessions.waitUntilActive(meetingID, sessionID, { timeoutMs: 15_000 });
  // `adaptive` takes the payload types of any player.
  const wanted = /** @type {const} */ ({ tracks: ['audio', 'video'], payloadMatching: 'adaptive' });
  const { playback } = await rtms.playbacks.create(meetingID, { sourceSessionID: sessionID, ...wanted });
  return { url: playback.endpoint, token: playback.token };
}

/** Your application checks here who may publish and who may watch. @type {Record<string, () => Promise<object>>} */
const actions = { '/publish': publish, '/watch': watch };

const server = createServer((request, response) => {
  const action = request.method === 'POST' ? actions[request.url ?? ''] : undefined;
  if (action) {
    action().then(
      answer => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer)),
      error => response.writeHead(409).end(error.message),
    );
  } else if (request.url === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  else if (request.url === '/page.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
  else response.writeHead(404).end();
});
server.listen(Number(PORT), '127.0.0.1', () => {
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  process.stdout.write(`Open http://127.0.0.1:${address.port}\n`);
});

process.once('SIGTERM', close).once('SIGINT', close);

/** The end of the room ends its publishers and viewers. */
async function close() {
  server.close();
  server.closeAllConnections();
  await rtms.rooms.end({ meetingID });
}
