// A room with several cameras. Encoders publish to the printed addresses; the page shows one camera at a time.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRtms } from '@rtms/server';
import { build } from 'esbuild';

const { RTMS_URL = 'http://127.0.0.1:4000', RTMS_KEY = '', PORT = '3002', CAMERAS = 'Stage,Audience' } = process.env;
const rtms = createRtms({ url: RTMS_URL, key: RTMS_KEY });

const folder = dirname(fileURLToPath(import.meta.url));
const html = await readFile(join(folder, 'page.html'));
const bundle = await build({ entryPoints: [join(folder, 'page.mjs')], bundle: true, write: false, format: 'esm' });
const script = bundle.outputFiles[0]?.contents;

const { room } = await rtms.rooms.create({ userName: 'Director', duration: 120 });
const { meetingID } = room;
process.stdout.write(`Room ${meetingID}\n`);
/** Session of each camera by name. @type {Map<string, string>} */
const cameras = new Map();
for (const displayName of CAMERAS.split(',')) {
  const ingest = /** @type {const} */ ({ protocol: 'whip', tracks: ['video'] });
  const { externalSession } = await rtms.externalSessions.create(meetingID, { displayName, ingest });
  cameras.set(displayName, externalSession.sessionID);
  process.stdout.write(`${displayName}: ${externalSession.ingest.url} ${externalSession.ingest.token}\n`);
}

/** Cameras that send now. */
async function present() {
  const names = [];
  for await (const { displayName, state } of rtms.externalSessions.list(meetingID)) {
    if (state === 'active') names.push(displayName);
  }
  return names;
}

/** A playback for one viewer of one camera. @param {string} name */
async function watch(name) {
  const sourceSessionID = cameras.get(name);
  if (sourceSessionID === undefined) throw new Error(`No camera is called ${name}.`);
  const wanted = /** @type {const} */ ({ tracks: ['video'], payloadMatching: 'adaptive' });
  const { playback } = await rtms.playbacks.create(meetingID, { sourceSessionID, ...wanted });
  return { url: playback.endpoint, token: playback.token };
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const json = (/** @type {Promise<object>} */ answer) =>
    answer.then(
      body => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      error => response.writeHead(409).end(error.message),
    );
  if (pathname === '/cameras') void json(present());
  else if (request.method === 'POST' && pathname === '/watch') void json(watch(searchParams.get('camera') ?? ''));
  else if (pathname === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  else if (pathname === '/page.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
  else response.writeHead(404).end();
});
server.listen(Number(PORT), '127.0.0.1', () => {
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  process.stdout.write(`Open http://127.0.0.1:${address.port}\n`);
});

process.once('SIGTERM', close).once('SIGINT', close);

async function close() {
  server.close();
  server.closeAllConnections();
  await rtms.rooms.end({ meetingID });
}
