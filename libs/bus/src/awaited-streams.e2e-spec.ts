import { factStream, jwksKey, keyBucket, leaseBucket, leaseTtlSeconds } from '@rtms/contracts';
import { startNats, waitFor, type TestNats } from '@rtms/testing';
import { NatsBus, type KeyValueStore } from './index.js';

describe('a media node on the bus', () => {
  let nats: TestNats;
  beforeEach(async () => {
    nats = await startNats();
  });
  afterEach(() => nats.stop());

  it('waits for a gateway that makes stream and buckets, and says so', async () => {
    const told: string[] = [];
    const node = await NatsBus.connect({
      ...nats.as('sfu'),
      name: 'sfu',
      onWaiting: stream => told.push(stream),
    });
    const stream = node.ensureStream(factStream);
    const leases = node.keyValue<string>(leaseBucket);
    await waitFor(() => told.length === 2);
    const gateway = await NatsBus.connect({ ...nats.as('gateway'), name: 'gateway' });
    await gateway.ensureStream(factStream);
    await gateway.keyValue(leaseBucket, { ttlSeconds: leaseTtlSeconds });
    await stream;
    await (await leases).put('sfu.a', 'here');
    await Promise.all([node.close(), gateway.close()]);
    expect(told.join()).toMatch(/RTMS_FACTS.*KV_rtms_leases/);
  });

  it('goes on when the server has lost all that it stored', async () => {
    const gateway = await NatsBus.connect({ ...nats.as('gateway'), name: 'gateway' });
    await gateway.ensureStream(factStream);
    const keys = await gateway.keyValue<string>(keyBucket);
    const node = await NatsBus.connect({ ...nats.as('sfu'), name: 'sfu' });
    const told = new Set<string | undefined>();
    const ownKeys: KeyValueStore<string> = await node.keyValue(keyBucket);
    await ownKeys.watch(({ value }) => told.add(value));
    await nats.kill();
    await waitFor(() => !gateway.isConnected() && !node.isConnected());
    await nats.restart({ fresh: true });
    await waitFor(() => gateway.isConnected() && node.isConnected());
    await keys.put(jwksKey, 'again');
    await waitFor(() => told.has('again'));
    await node.publish('rtms.fact.playback.idle.play_1', {}, 'id-1');
    await Promise.all([node.close(), gateway.close()]);
  });
});
