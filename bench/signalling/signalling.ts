// WHIP and WHEP POST → 201 with 1, 10 and 50 sessions open, by turns with bare mediasoup that has as many, and WHIP
// POST → active. Prints one JSON line.
//   npm run bench:signalling -- [rounds]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ApiClient } from '../../test/system/harness/api-client.js';
import { Viewer } from '../fanout/viewer.js';
import { percentile } from '../percentile.js';
import { runningService } from '../running-service.js';
import { OpusPublisher } from './opus-publisher.js';

const openCounts = [1, 10, 50];
const rounds = Number(process.argv[2] ?? 40);

const service = await runningService();
const bare = fork(fileURLToPath(new URL('../fanout/bare-mediasoup.ts', import.meta.url)), { detached: true });
const api = new ApiClient(service.gateway, `${service.apiUserName}:${service.apiKey}`);
const open: OpusPublisher[] = [];
try {
  const [bareUrl] = (await once(bare, 'message')) as [string];
  const watched = await watchable(bareUrl);
  const results: Record<string, unknown> = {};
  for (const count of openCounts) {
    for (; open.length < 2 * count;) open.push((await publish()).publisher, (await publishBare(bareUrl)).publisher);
    results[`open${count}`] = await measure(bareUrl, watched);
  }
  console.log(JSON.stringify({ bench: 'signalling', rounds, load: loadavg()[0], ...results }));
} finally {
  await Promise.all(open.map(publisher => publisher.close()));
  bare.disconnect();
  await service.close();
}
process.exit(); // the peers' native threads would keep the process

interface Watched {
  service: { url: string; token: string };
  bare: { url: string; token: string };
}

/** A live source of both, and its playback. */
async function watchable(bareUrl: string): Promise<Watched> {
  const { publisher, meetingID, sessionID } = await publish();
  open.push(publisher, (await publishBare(bareUrl)).publisher);
  const { endpoint, token } = await api.openPlayback(meetingID, sessionID, ['audio']);
  // A viewer that stays: the playback ends with its last one.
  await watch({ url: endpoint, token });
  return { service: { url: endpoint, token }, bare: { url: `${bareUrl}/whep`, token: 'none' } };
}

async function measure(bareUrl: string, watched: Watched): Promise<object> {
  const whip = { service: [] as number[], bare: [] as number[] };
  const whep = { service: [] as number[], bare: [] as number[] };
  const active: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const session = await openSession();
    // First the other one, so that the service has done the work of the new session.
    const reference = await publishBare(bareUrl);
    await reference.publisher.close();
    const { publisher, answeredMs, activeMs } = await publish(session);
    await publisher.close();
    whip.service.push(answeredMs);
    whip.bare.push(reference.answeredMs);
    active.push(activeMs);
    for (const name of ['service', 'bare'] as const) {
      const viewer = await watch(watched[name]);
      whep[name].push(viewer.answeredMs);
      await viewer.close();
    }
  }
  return {
    whip: compare(whip),
    whep: compare(whep),
    activeP50: percentile(active, 0.5),
    activeP99: percentile(active, 0.99),
  };
}

function compare({ service: own, bare: reference }: { service: number[]; bare: number[] }): object {
  const summary = (values: number[]) => ({ p50: percentile(values, 0.5), p99: percentile(values, 0.99) });
  const ratio = Math.round((percentile(own, 0.5) / percentile(reference, 0.5)) * 100) / 100;
  return { service: summary(own), bare: summary(reference), ratio };
}

async function openSession() {
  const meetingID = await api.createRoom();
  return { meetingID, ...(await api.openSession(meetingID, ['audio'])) };
}

async function publish(session?: Awaited<ReturnType<typeof openSession>>) {
  const { meetingID, sessionID, ingest } = session ?? (await openSession());
  const publisher = new OpusPublisher(ingest.url, ingest.token);
  const answeredMs = await publisher.connect();
  const started = performance.now();
  await api.sessionBecomes(meetingID, sessionID, 'active');
  return { publisher, meetingID, sessionID, answeredMs, activeMs: answeredMs + performance.now() - started };
}

async function publishBare(url: string): Promise<{ publisher: OpusPublisher; answeredMs: number }> {
  const publisher = new OpusPublisher(`${url}/whip`, 'none');
  return { publisher, answeredMs: await publisher.connect() };
}

async function watch({ url, token }: { url: string; token: string }): Promise<Viewer> {
  const viewer = new Viewer(url, token, 'viewer', { kinds: ['audio'] });
  await viewer.connect();
  return viewer;
}
