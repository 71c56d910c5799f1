/** @weight 0.2 for 72 s */
import { NatsBus } from '@rtms/bus';
import { startNats, startPostgres, waitFor, type TestNats, type TestPostgres } from '@rtms/testing';
import { CuttableProxy } from './testing/cuttable-proxy.js';
import { graceMs, MediaTestBed, sweepMs } from './testing/media-test-bed.js';
import { migratedSchema } from './testing/start-test-gateway.js';

/** After so long whatever can happen by itself has happened. */
const longEnoughMs = graceMs + 10 * sweepMs;

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
    bed = await MediaTestBed.start({ bus, nodeBuses, databaseUrl: databaseProxy.url });
  });
  afterEach(async () => {
    databaseProxy.mend();
    await bed?.close();
    await Promise.all([bus, ...Object.values(nodeBuses)].map(each => each.close()));
    await Promise.all([natsProxy.close(), databaseProxy.close()]);
    await Promise.all([nats.stop(), postgres.stop()]);
  });

  it('of the bus: no node is taken for dead and no publisher given up, and nothing that was reported is lost', async () => {
    const sessionID = await bed.openActiveSession();
    const other = await bed.openActiveSession();
    await bed.sfu.loseSource(other);
    await bed.expectState('external-sessions', other, 'pending');
    natsProxy.cut();
    await waitFor(() => !bus.isConnected(), { what: 'the outage to be noticed' });
    const declined = await bed.post('external-sessions', {
      displayName: 'Camera',
      ingest: { protocol: 'whip', tracks: ['video'] },
    });
    expect(declined).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    const back = bed.sfu.activate(other);
    const silent = bed.sfu.report(sessionID, { type: 'external_session.health', health: ['silence'] });
    await bed.advance(longEnoughMs);
    await bed.expectState('external-sessions', sessionID, 'active');
    await bed.expectState('external-sessions', other, 'pending');
    natsProxy.mend();
    await Promise.all([back, silent]);
    await bed.expectState('external-sessions', other, 'active');
    expect(await bed.get('external-sessions', sessionID)).toMatchObject({ state: 'active', health: ['silence'] });
    expect((await bed.remove('external-sessions', sessionID)).status).toBe(200);
  });

  it('of a bus that falls silent without closing its connections: no node is taken for dead', async () => {
    const sessionID = await bed.openActiveSession();
    const broadcastID = await bed.openActiveBroadcast(sessionID);
    const all = [bus, ...Object.values(nodeBuses)];
    bed.waitsForLeases = false;
    process.kill(nats.pid, 'SIGSTOP');
    try {
      // The gateway must notice the silence within the lifetime of a lease, by the clock of the machine.
      let passed = Date.now();
      const isNoticed = async (): Promise<boolean> => {
        const now = Date.now();
        // A busy machine stops this process for longer than a node's lease has left.
        await bed.advance(Math.min(now - passed, 250));
        passed = now;
        return !bus.isConnected();
      };
      await waitFor(isNoticed, { what: 'the silence to be noticed' });
      await bed.advance(longEnoughMs);
    } finally {
      process.kill(nats.pid, 'SIGCONT');
    }
    await bed.expectState('external-sessions', sessionID, 'active');
    await waitFor(() => all.every(each => each.isConnected()), { what: 'the bus to be back' });
    bed.waitsForLeases = true;
    await bed.sfu.report(sessionID, { type: 'external_session.health', health: ['silence'] });
    expect(await bed.get('external-sessions', sessionID)).toMatchObject({ state: 'active', health: ['silence'] });
    await bed.advance(longEnoughMs);
    await bed.expectState('external-sessions', sessionID, 'active');
    await bed.expectState('broadcasts', broadcastID, 'active');
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
    const reports = [bed.transcoder.activate(broadcastID), bed.sfu.loseSource(sessionID), bed.sfu.activate(sessionID)];
    await bed.advance(longEnoughMs);
    databaseProxy.mend();
    // The gateway looks every second whether it may take the facts again.
    await bed.advance(sweepMs);
    await Promise.all(reports);
    await bed.expectState('external-sessions', sessionID, 'active');
    expect(await bed.get('broadcasts', broadcastID)).toMatchObject({ activatedAt: expect.any(String) });
  });

  it('of the database while a node comes back: the node is asked again before its publishers are given up', async () => {
    const sessionID = await bed.openActiveSession();
    await bed.lose(bed.sfu);
    await bed.expectState('external-sessions', sessionID, 'pending');
    databaseProxy.cut();
    await bed.sfu.start();
    await bed.advance(longEnoughMs);
    databaseProxy.mend();
    // The first look after the outage is the reconciler's; the sweeper gives nobody up for the lifetime of a lease.
    await bed.advance(sweepMs);
    // The clock does not wait for questions over the bus.
    await waitFor(() => bed.sfu.received('session.open').length >= 2, { what: 'the session to be opened again' });
    expect(bed.sfu.received('session.open')).toHaveLength(2);
    await bed.sfu.activate(sessionID);
    await bed.advance(10 * sweepMs);
    await bed.expectState('external-sessions', sessionID, 'active');
  });

  it('of the gateway: another one goes on where it stopped', async () => {
    const sessionID = await bed.openActiveSession();
    const playbackID = await bed.openPlayback(sessionID);
    const reports: Promise<void>[] = [];
    await bed.replaceGateway(async () => {
      reports.push(bed.sfu.report(playbackID, { type: 'playback.active', viewerCount: 4 }));
      reports.push(bed.sfu.report(sessionID, { type: 'external_session.health', health: ['b_frames'] }));
      await bed.advance(longEnoughMs);
    });
    await Promise.all(reports);
    await bed.expectState('playbacks', playbackID, 'active');
    expect(await bed.get('external-sessions', sessionID)).toMatchObject({ state: 'active', health: ['b_frames'] });
  });
});
