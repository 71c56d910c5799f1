import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { factStream, jwksKey, keyBucket, leaseBucket, leaseTtlSeconds } from '@rtms/contracts';
import { EventLog, startNats, type TestNats } from '@rtms/testing';
import { NatsBus, type KeyValueEntry } from '../index.js';

describe('a media node on the bus', () => {
  let nats: TestNats;
  beforeEach(async () => {
    nats = await startNats();
  });
  afterEach(() => nats.stop());

  it('reports that it waits until a gateway creates stream and buckets', async () => {
    const told = new EventLog<string>();
    const node = await NatsBus.connect({
      ...nats.as('sfu'),
      name: 'sfu',
      onWaiting: told.add,
    });
    const stream = node.ensureStream(factStream);
    const leases = node.keyValue<string>(leaseBucket);
    await told.atLeast(2);
    const gateway = await NatsBus.connect({ ...nats.as('gateway'), name: 'gateway' });
    await gateway.ensureStream(factStream);
    await gateway.keyValue(leaseBucket, { ttlSeconds: leaseTtlSeconds });
    await stream;
    await (await leases).put('sfu.a', 'here');
    await Promise.all([node.close(), gateway.close()]);
    expect(told.all.sort()).toEqual(['KV_rtms_leases', 'RTMS_FACTS']);
  });

  it('connects again when it was too busy to send its password in time', async () => {
    let connections = 0;
    const proxy = createServer(near => {
      const far = connect(Number(new URL(nats.url).port), '127.0.0.1');
      for (const socket of [near, far]) socket.on('error', () => undefined);
      connections += 1;
      if (connections > 1) return void near.pipe(far).pipe(near);
      // The server waits two seconds.
      far.once('data', greeting => {
        near.end(`${String(greeting)}-ERR 'Authentication Timeout'\r\n`);
        far.destroy();
      });
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const url = `nats://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const connecting = NatsBus.connect({ ...nats.as('sfu'), url, name: 'sfu' });
    const node = await connecting.finally(() => proxy.close());
    expect([node.isConnected(), connections]).toEqual([true, 2]);
    await node.close();
  });

  it('recovers when the server has lost its store', async () => {
    const gateway = await NatsBus.connect({ ...nats.as('gateway'), name: 'gateway' });
    await gateway.ensureStream(factStream);
    const keys = await gateway.keyValue<string>(keyBucket);
    const node = await NatsBus.connect({ ...nats.as('sfu'), name: 'sfu' });
    const told = new EventLog<KeyValueEntry<string>>();
    const ownKeys = await node.keyValue<string>(keyBucket);
    await ownKeys.watch(told.add);
    const changes = [gateway, node].map(bus => {
      const log = new EventLog<boolean>();
      bus.onConnectionChange(log.add);
      return log;
    });
    await nats.kill();
    await Promise.all(changes.map(log => log.find(isConnected => !isConnected)));
    await nats.restart({ fresh: true });
    await Promise.all(changes.map(log => log.find(isConnected => isConnected)));
    await keys.put(jwksKey, 'again');
    await told.find(({ value }) => value === 'again');
    await expect(node.publish('rtms.fact.playback.idle.play_1', {}, 'id-1')).resolves.toBeUndefined();
    await Promise.all([node.close(), gateway.close()]);
  });
});
