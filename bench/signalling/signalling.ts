// WHIP POST → 201 and → active, with 1, 10 and 50 sessions open. Prints one JSON line.
import { ApiClient } from '../../test/system/harness/api-client.js';
import { percentile } from '../percentile.js';
import { runningService } from '../running-service.js';
import { OpusPublisher } from './opus-publisher.js';

const openCounts = [1, 10, 50];
const rounds = Number(process.argv[2] ?? 40);

const service = await runningService();
const api = new ApiClient(service.gateway, `${service.apiUserName}:${service.apiKey}`);
const open: OpusPublisher[] = [];
try {
  const results: Record<string, unknown> = {};
  for (const count of openCounts) {
    while (open.length < count - 1) open.push((await publish()).publisher);
    results[`open${count}`] = await measure();
  }
  console.log(JSON.stringify({ bench: 'signalling', rounds, ...results }));
} finally {
  await Promise.all(open.map(publisher => publisher.close()));
  await service.close();
}
process.exit(); // the peers' native threads would keep the process

async function measure(): Promise<Record<string, number>> {
  const answered: number[] = [];
  const active: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const { publisher, answeredMs, activeMs } = await publish();
    answered.push(answeredMs);
    active.push(activeMs);
    await publisher.close();
  }
  return {
    answeredP50: percentile(answered, 0.5),
    answeredP99: percentile(answered, 0.99),
    activeP50: percentile(active, 0.5),
    activeP99: percentile(active, 0.99),
  };
}

async function publish(): Promise<{ publisher: OpusPublisher; answeredMs: number; activeMs: number }> {
  const meetingID = await api.createRoom();
  const session = await api.openSession(meetingID, ['audio']);
  const publisher = new OpusPublisher(session.ingest.url, session.ingest.token);
  const answeredMs = await publisher.connect();
  const started = performance.now();
  await api.sessionBecomes(meetingID, session.sessionID, 'active');
  return { publisher, answeredMs, activeMs: answeredMs + performance.now() - started };
}
