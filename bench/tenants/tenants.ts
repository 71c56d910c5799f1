// Measures one tenant while another one attacks: times of the API, time to active, lost packets, beside a quiet run.
//   npm run bench:tenants -- [seconds of each part] [parts, as chat,viewers]
// Starts its own PostgreSQL, NATS, gateway, SFU and transcoder; after `npm run build`. Prints one JSON line.
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { makeAccount } from '../../test/system/harness/account.js';
import { startStack } from '../../test/system/harness/stack.js';
import { within } from '../within.js';
import { failNode, reportViewers, startProcess, type AttackCounts, type RunningAttack } from './attack.js';
import { publish, Tenant, type Experience } from './tenant.js';

const [secondsText = '12', partsText] = process.argv.slice(2);
const seconds = Number(secondsText);
/** The next attack begins once the last one's resources have ended. */
const restMs = 6_000;
/** A step that exceeds its time by this much fails the bench. */
const patienceMs = 120_000;
const aim = { apiP95Ratio: 2 };
const [viewerEvents, failedSessions, chatMembers, slowSockets] = [5_000, 1_000, 60, 2_000];

const loadBefore = Math.round((loadavg()[0] ?? 0) * 10) / 10;
const step = <Result>(what: string, waiting: Promise<Result>) => within(patienceMs, what, waiting);
const stack = await startStack({ env: { LOG_LEVEL: 'warn' }, dedicatedPostgres: true });
try {
  const attacker = await step('the attacker’s account', makeAccount(stack.admin, 'attacker'));
  const { api } = attacker;
  const meetingID = await step('the attacker’s room', api.createRoom());
  const { publisher, sessionID } = await publish(api, meetingID);
  const newPlayback = () => api.openPlayback(meetingID, sessionID, ['audio']);
  const attacks: Record<string, () => Promise<RunningAttack>> = {
    offers: async () => startProcess({ kind: 'offers', ...(await newPlayback()) }),
    viewers: async () => startProcess({ kind: 'viewers', ...(await newPlayback()) }),
    events: async () => reportViewers(stack, (await newPlayback()).playbackID, viewerEvents),
    chat: async () => {
      const room = await api.createRoom();
      const tickets = await Promise.all(Array.from({ length: chatMembers }, (_, n) => api.join(room, `member ${n}`)));
      const origin = new URL(tickets[0]?.url ?? '').origin;
      return startProcess({ kind: 'chat', origin, tokens: tickets.map(({ token }) => token) });
    },
    sockets: async () =>
      startProcess({ kind: 'sockets', urls: [stack.gateway.url, stack.sfu.url], sockets: slowSockets }),
    failover: () => failNode(stack, attacker, failedSessions),
  };
  const tenant = await step('the tenant’s publisher and viewer', Tenant.open(stack.api));
  const measure = (forSeconds: number, what: string) =>
    within(forSeconds * 1_000 + patienceMs, `the measures ${what}`, tenant.measure(forSeconds));
  await measure(3, 'of the warm-up');
  const quiet = await measure(seconds, 'without an attack');
  const results: Record<string, Experience & { apiP95Ratio: number; attack: AttackCounts }> = {};
  for (const name of partsText?.split(',') ?? Object.keys(attacks)) {
    process.stderr.write(`bench: ${name}\n`);
    const begin = attacks[name];
    if (!begin) throw new Error(`there is no attack ${name}; there are ${Object.keys(attacks).join(', ')}`);
    const attack = await step(`the attack ${name} to begin`, begin());
    const seen = await measure(seconds, `during the attack ${name}`);
    const apiP95Ratio = Math.round((seen.api.p95 / quiet.api.p95) * 10) / 10;
    results[name] = { apiP95Ratio, ...seen, attack: await step(`the attack ${name} to stop`, attack.stop()) };
    await pause(restMs);
  }
  const met = Object.values(results).every(({ apiP95Ratio }) => apiP95Ratio <= aim.apiP95Ratio);
  console.log(JSON.stringify({ bench: 'tenants', seconds, loadBefore, quiet, ...results, aim, met }));
  await step('the tenant to leave', tenant.close());
  await publisher.close();
} finally {
  await step('the services to stop', stack.close());
}
process.exit(0);
