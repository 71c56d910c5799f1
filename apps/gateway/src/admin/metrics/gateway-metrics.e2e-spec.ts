import { DataSource } from 'typeorm';
import { oddPaths, sharedLabels } from '../../../../../test/metrics/closed-labels.js';
import { exposedMetrics, readSamples, unexpectedValues } from '../../../../../test/metrics/exposition.js';
import { describedMetrics } from '../../../../../test/metrics/metrics-page.js';
import { inBackground, poolsOf } from '../../platform/database/connection-pools.js';
import { allMigrations } from '../../platform/database/migrations/all-migrations.js';
import { factResources } from '../../media/facts/fact-backlog.service.js';
import { FactRouter } from '../../media/facts/fact-router.js';
import { collectRoutes } from '../../platform/http/route-table.js';
import { MediaTestBed, reconcileMs } from '../../testing/media-test-bed.js';
import { countConnections } from './gateway-metrics.service.js';

const factTypes = ['external_session', 'playback', 'broadcast', 'recording', 'restream'].flatMap(kind =>
  ['active', 'interrupted', 'health', 'idle', 'stopped', 'ready', 'ended', 'failed'].map(what => `${kind}.${what}`),
);

let bed: MediaTestBed;

const keyWrites = 20;
const limits = { windowSeconds: 3600, keyReads: 0, addressReads: 0, addressWrites: 0 };

/** A session with a playback and a broadcast, and a member. */
async function work(): Promise<void> {
  const sessionID = await bed.openActiveSession();
  const playbackID = await bed.openPlayback(sessionID);
  await bed.sfu.report(playbackID, { type: 'playback.active', viewerCount: 1 });
  await bed.openActiveBroadcast(sessionID);
  await bed.expectState('playbacks', playbackID, 'active');
}

async function scrape(): Promise<string> {
  return (await bed.gateway.http.get('/metrics').expect(200)).text;
}

async function valueOf(name: string, labels: Record<string, string> = {}): Promise<number | undefined> {
  const samples = readSamples(await scrape()).filter(each => each.name === name);
  return samples.find(sample => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    ?.value;
}

describe('the metrics of a gateway', () => {
  beforeAll(async () => {
    bed = await MediaTestBed.start({ config: { rateLimits: { ...limits, keyWrites } } });
    await work();
    bed.meetingID = await bed.createRoom();
    await work();
    for (const path of oddPaths) {
      await bed.gateway.http.get(path);
      await bed.gateway.http.head(path);
    }
  });
  afterAll(() => bed.close());

  it('are exactly the metrics in docs/metrics.md', async () => {
    const described = describedMetrics('gateway');
    expect(exposedMetrics(await scrape(), described)).toEqual(described);
  });

  it('have no label with values that callers choose', async () => {
    const text = await scrape();
    const declared = collectRoutes(bed.gateway.app).map(({ path }) => path);
    const allowed = {
      ...sharedLabels,
      route: [...declared, '/v1', '/admin', '/dashboard', '/docs', 'other'],
      role: ['sfu', 'transcoder', 'ingest'],
      'rtms_gateway_nodes state': ['ready', 'draining'],
      'rtms_gateway_database_connections state': ['active', 'idle', 'waiting'],
      'rtms_gateway_database_connections pool': ['requests', 'background'],
      'rtms_gateway_database_connections_limit pool': ['requests', 'background'],
      'rtms_gateway_resources kind': ['room', 'external_session', 'playback', 'broadcast', 'recording', 'restream'],
      'rtms_gateway_resources state': [
        'pending',
        'ready',
        'starting',
        'active',
        'interrupted',
        'recording',
        'processing',
        'connecting',
        'retrying',
      ],
      type: factTypes,
      'rtms_gateway_facts_applied_total outcome': ['applied', 'postponed', 'dropped'],
      'rtms_gateway_facts_pending resource': factResources,
      'rtms_gateway_facts_oldest_age_seconds resource': factResources,
      'rtms_gateway_reconciler_runs_total outcome': ['done', 'skipped', 'failed'],
      'rtms_gateway_reconciler_repairs_total kind': [
        ...['orphan', 'session', 'playback', 'broadcast', 'recording', 'restream', 'out_of_step'],
      ],
      result: ['delivered', 'retried', 'failed'],
      limit: ['address-reads', 'address-writes', 'address-handshakes', 'key-reads', 'key-writes'],
    };
    expect(unexpectedValues(text, allowed)).toEqual([]);
    expect(text).not.toContain(bed.meetingID);
    expect(text).not.toContain(bed.account.accountID);
  });

  it('count the resources and nodes of the platform', async () => {
    const resources = (kind: string, state: string) => valueOf('rtms_gateway_resources', { kind, state });
    expect(await resources('room', 'active')).toBe(2);
    expect(await resources('external_session', 'active')).toBe(2);
    expect(await resources('external_session', 'pending')).toBe(0);
    expect(await resources('playback', 'active')).toBe(2);
    expect(await resources('broadcast', 'active')).toBe(2);
    expect(await valueOf('rtms_gateway_nodes', { role: 'sfu', state: 'ready' })).toBe(1);
    expect(await valueOf('rtms_gateway_database_connections_limit', { pool: 'requests' })).toBe(16);
    expect(await valueOf('rtms_gateway_database_connections_limit', { pool: 'background' })).toBe(2);
  });

  it('show waiting queries only when all connections are in use', async () => {
    const waiting = () => valueOf('rtms_gateway_database_connections', { pool: 'requests', state: 'waiting' });
    expect(await waiting()).toBe(0);
    const database = bed.gateway.app.get(DataSource);
    const taken = Array.from({ length: 16 }, () => database.createQueryRunner());
    await Promise.all(taken.map(runner => runner.connect()));
    expect(countConnections(poolsOf(database).requests).waiting).toBe(0);
    await inBackground(() => database.query('SELECT 1'));
    const another = database.query('SELECT 1');
    await new Promise(resolve => setImmediate(resolve));
    expect(countConnections(poolsOf(database).requests).waiting).toBe(1);
    await Promise.all(taken.map(runner => runner.release()));
    await another;
    expect(await waiting()).toBe(0);
  });

  it('count events with their delay', async () => {
    const applied = { type: 'external_session.active', outcome: 'applied' };
    expect(await valueOf('rtms_gateway_facts_applied_total', applied)).toBe(2);
    expect(await valueOf('rtms_gateway_fact_lag_seconds_count')).toBeGreaterThanOrEqual(6);
    expect(await valueOf('rtms_gateway_fact_lag_seconds_bucket', { le: '60' })).toBeGreaterThanOrEqual(6);
  });

  it('count waiting events with their age', async () => {
    const router = bed.gateway.app.get(FactRouter, { strict: false });
    const apply = router.apply.bind(router);
    router.apply = () => Promise.reject(new Error('Connection terminated'));
    const pending = () => valueOf('rtms_gateway_facts_pending', { resource: 'playback' });
    const age = () => valueOf('rtms_gateway_facts_oldest_age_seconds', { resource: 'playback' });
    expect([await pending(), await age()]).toEqual([0, 0]);
    const fact = await bed.sfu.publish('play_unknown', { type: 'playback.idle', reason: 'viewer_lost' });
    await bed.gateway.taken.find(each => each.outcome === 'postponed' && each.fact.resourceID === 'play_unknown');
    await bed.advance(20_000);
    expect([await pending(), await age()]).toEqual([1, 20]);
    router.apply = apply;
    await bed.advance(5_000);
    await bed.taken(fact);
    expect([await pending(), await age()]).toEqual([0, 0]);
  });

  it('count connected sockets', async () => {
    const { socket } = await bed.connectMember('Bea');
    expect(await valueOf('rtms_gateway_socket_connections')).toBe(1);
    await socket.must('leave', {});
    await socket.disconnected();
    expect(await valueOf('rtms_gateway_socket_connections')).toBe(0);
  });

  it('count the runs and repairs of the reconciler', async () => {
    const orphans = () => valueOf('rtms_gateway_reconciler_repairs_total', { kind: 'orphan' });
    const before = (await orphans()) ?? 0;
    const { meetingID } = bed;
    bed.sfu.sessions.set('ext_unknown', { sessionID: 'ext_unknown', meetingID, state: 'active' });
    await bed.advance(reconcileMs);
    expect(await orphans()).toBe(before + 1);
    expect(await valueOf('rtms_gateway_reconciler_runs_total', { outcome: 'done' })).toBeGreaterThan(0);
  });

  it('count requests over a limit and failed sign-ins', async () => {
    const end = { action: 'end', meetingID: 'x' };
    const statuses: number[] = [];
    for (let tries = 0; tries <= keyWrites; tries += 1)
      statuses.push((await bed.request('post', '/v1/rooms', end)).status);
    const refused = statuses.filter(status => status === 429).length;
    expect(refused).toBeGreaterThan(0);
    expect(await valueOf('rtms_gateway_rate_limited_total', { limit: 'key-writes' })).toBe(refused);
    const signIn = { email: 'nobody@example.com', password: 'wrong-and-long-enough' };
    await bed.gateway.http.post('/dashboard/api/session').set('Origin', bed.gateway.url).send(signIn);
    expect(await valueOf('rtms_gateway_sign_in_failures_total')).toBe(1);
  });

  it('lack only the metrics of the database while it does not answer', async () => {
    await bed.gateway.asOwner('ALTER TABLE playbacks RENAME TO playbacks_away');
    expect(await valueOf('rtms_gateway_resources')).toBeUndefined();
    expect(await valueOf('rtms_bus_connected')).toBe(1);
    await bed.gateway.asOwner('ALTER TABLE playbacks_away RENAME TO playbacks');
    expect(await valueOf('rtms_gateway_resources')).toBeDefined();
  });

  describe('the readiness of a gateway', () => {
    it('depends on every migration that it knows', async () => {
      const database = bed.gateway.app.get(DataSource);
      const { http } = bed.gateway;
      await http.get('/readyz').expect(200);
      const { name } = allMigrations.at(-1)!;
      const [row] = await database.query<[{ timestamp: string }]>('SELECT timestamp FROM migrations WHERE name = $1', [
        name,
      ]);
      await bed.gateway.asOwner('DELETE FROM migrations WHERE name = $1', [name]);
      expect((await http.get('/readyz').expect(503)).body).toMatchObject({ error: 'Not ready: schema.' });
      await bed.gateway.asOwner('INSERT INTO migrations (timestamp, name) VALUES ($1, $2)', [row.timestamp, name]);
      await http.get('/readyz').expect(200);
    });
  });
});
