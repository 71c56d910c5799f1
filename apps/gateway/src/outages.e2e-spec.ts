/** @weight 0.3 */
import { NatsBus } from '@rtms/bus';
import { leaseTtlSeconds } from '@rtms/contracts';
import { startNats, startPostgres, waitFor, type TestNats, type TestPostgres } from '@rtms/testing';
import { CuttableProxy } from './testing/cuttable-proxy.js';
import { MediaTestBed, shortTimes } from './testing/media-test-bed.js';
import { migratedSchema, startTestGateway } from './testing/start-test-gateway.js';

/** What goes over a real NATS takes its time, and what a test cuts must be cut before a grace time ends. */
const times = { ...shortTimes, graceSeconds: 2, commandSeconds: 2 };

/** That nothing happens shows only when all the times are over after which it would have. */
function outlasts(seconds: number): () => boolean {
  const end = Date.now() + 2 * seconds * 1000;
  return () => Date.now() > end;
}

/** Everything real but the media nodes; between gateway and servers stands what a test can cut. */
describe('outages', () => {
  let nats: TestNats;
  let postgres: TestPostgres;
  let natsProxy: CuttableProxy;
  let databaseProxy: CuttableProxy;
  let bus: NatsBus;
  let nodeBuses: { sfu: NatsBus; transcoder: NatsBus };
  let bed: MediaTestBed;

  beforeEach(async () => {
    [nats, postgres] = await Promise.all([startNats(), startPostgres({ template: migratedSchema })]);
    natsProxy = await CuttableProxy.to(nats.url);
    databaseProxy = await CuttableProxy.to(postgres.url);
    const connect = (service: 'sfu' | 'transcoder') => NatsBus.connect({ ...nats.as(service), name: service });
    bus = await NatsBus.connect({ ...nats.as('gateway'), url: natsProxy.url, name: 'gateway' });
    nodeBuses = { sfu: await connect('sfu'), transcoder: await connect('transcoder') };
    bed = await MediaTestBed.start({ bus, nodeBuses, databaseUrl: databaseProxy.url, config: times });
  });
  afterEach(async () => {
    databaseProxy.mend();
    await bed.close();
    await Promise.all([bus, ...Object.values(nodeBuses)].map(each => each.close()));
    await Promise.all([natsProxy.close(), databaseProxy.close()]);
    await Promise.all([nats.stop(), postgres.stop()]);
  });

  it('of the bus: no node is taken for dead and no publisher given up, and nothing that was reported is lost', async () => {
    const sessionID = await bed.openActiveSession();
    const other = await bed.openActiveSession();
    await bed.sfu.loseSource(other);
    await bed.waitForState('external-sessions', other, 'pending');
    natsProxy.cut();
    await waitFor(() => !bus.isConnected());
    const declined = await bed.post('external-sessions', {
      displayName: 'Camera',
      ingest: { protocol: 'whip', tracks: ['video'] },
    });
    expect(declined).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    await bed.sfu.activate(other);
    await bed.sfu.report(sessionID, { type: 'external_session.health', health: ['silence'] });
    await waitFor(outlasts(times.leaseTtlSeconds + times.graceSeconds));
    expect(await bed.get('external-sessions', sessionID)).toMatchObject({ state: 'active' });
    expect(await bed.get('external-sessions', other)).toMatchObject({ state: 'pending' });
    natsProxy.mend();
    await bed.waitForState('external-sessions', other, 'active');
    await waitFor(async () => String((await bed.get('external-sessions', sessionID))['health']) === 'silence');
    expect(await bed.get('external-sessions', sessionID)).toMatchObject({ state: 'active' });
    expect((await bed.remove('external-sessions', sessionID)).status).toBe(200);
  });

  it('of a bus that falls silent without closing its connections: no node is taken for dead', async () => {
    const patient = await startTestGateway({
      bus,
      databaseUrl: databaseProxy.url,
      config: { ...times, leaseTtlSeconds },
    });
    await bed.gateway.close();
    Object.assign(bed, { gateway: patient });
    await bed.waitForNodes(2);
    const sessionID = await bed.openActiveSession();
    const broadcastID = await bed.openActiveBroadcast(sessionID);
    process.kill(nats.pid, 'SIGSTOP');
    try {
      await waitFor(() => !bus.isConnected());
      await waitFor(outlasts(leaseTtlSeconds));
    } finally {
      process.kill(nats.pid, 'SIGCONT');
    }
    expect(await bed.get('external-sessions', sessionID)).toMatchObject({ state: 'active' });
    const all = [bus, ...Object.values(nodeBuses)];
    await waitFor(() => all.every(each => each.isConnected()));
    await bed.sfu.report(sessionID, { type: 'external_session.health', health: ['silence'] });
    await waitFor(async () => String((await bed.get('external-sessions', sessionID))['health']) === 'silence');
    expect(await bed.get('external-sessions', sessionID)).toMatchObject({ state: 'active' });
    expect(await bed.get('broadcasts', broadcastID)).toMatchObject({ state: 'active' });
  });

  it('of the database: requests say so, and what was reported meanwhile is applied afterwards', async () => {
    const sessionID = await bed.openActiveSession();
    const broadcastID = await bed.openBroadcast(sessionID);
    databaseProxy.cut();
    expect(await bed.request('get', bed.path('external-sessions'))).toMatchObject({
      status: 503,
      body: { code: 'SERVICE_UNAVAILABLE', reason: 'dependency_unavailable' },
      headers: { 'retry-after': expect.any(String) },
    });
    await bed.transcoder.activate(broadcastID);
    await bed.sfu.loseSource(sessionID);
    await bed.sfu.activate(sessionID);
    await bed.sfu.report(sessionID, { type: 'external_session.health', health: ['high_loss'] });
    await waitFor(outlasts(times.leaseTtlSeconds + times.graceSeconds));
    databaseProxy.mend();
    await waitFor(async () => String((await bed.get('external-sessions', sessionID))['health']) === 'high_loss');
    expect(await bed.get('external-sessions', sessionID)).toMatchObject({ state: 'active' });
    expect(await bed.get('broadcasts', broadcastID)).toMatchObject({ activatedAt: expect.any(String) });
  });

  it('of the database while a node comes back: the node is asked again before its publishers are given up', async () => {
    const config = { ...times, leaseTtlSeconds: 3, reconcileSeconds: 300 };
    const gateway = await startTestGateway({ bus, databaseUrl: databaseProxy.url, config });
    await bed.gateway.close();
    Object.assign(bed, { gateway });
    await bed.waitForNodes(2);
    const sessionID = await bed.openActiveSession();
    await bed.sfu.die();
    await bed.waitForState('external-sessions', sessionID, 'pending');
    databaseProxy.cut();
    await bed.sfu.start();
    await waitFor(outlasts(config.leaseTtlSeconds));
    databaseProxy.mend();
    await waitFor(() => bed.sfu.received('session.open').length === 2);
    await bed.sfu.activate(sessionID);
    await bed.waitForState('external-sessions', sessionID, 'active');
  });

  it('of the gateway: another one goes on where it stopped', async () => {
    const sessionID = await bed.openActiveSession();
    const playbackID = await bed.openPlayback(sessionID);
    await bed.gateway.close();
    await bed.sfu.report(playbackID, { type: 'playback.active', viewerCount: 4 });
    await bed.sfu.report(sessionID, { type: 'external_session.health', health: ['b_frames'] });
    const successor = await startTestGateway({ bus, databaseUrl: databaseProxy.url, config: times });
    Object.assign(bed, { gateway: successor });
    await bed.waitForState('playbacks', playbackID, 'active');
    await waitFor(async () => String((await bed.get('external-sessions', sessionID))['health']) === 'b_frames');
    expect(await bed.get('external-sessions', sessionID)).toMatchObject({ state: 'active' });
  });
});
