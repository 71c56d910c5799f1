/** @weight 0.1 for 16 s */
import { freePort, startNats, waitFor, type TestNats } from '@rtms/testing';
import { NatsBus, type StoredCopies } from '../index.js';

describe('three servers of NATS', () => {
  let servers: TestNats[];
  let bus: NatsBus | undefined;
  beforeAll(async () => {
    const ports = await Promise.all([freePort(), freePort(), freePort()]);
    const routes = ports.map(port => `nats://127.0.0.1:${port}`).join(',');
    const args = (index: number): string[] => [
      ...['--name', `server-${index}`, '--cluster_name', 'spec'],
      ...['--cluster', `nats://127.0.0.1:${ports[index]!}`, '--routes', routes],
    ];
    servers = await Promise.all(ports.map((_port, index) => startNats({ open: true, args: args(index) })));
  });
  afterEach(() => bus?.close());
  afterAll(() => Promise.all(servers.map(server => server.stop())));

  const connect = async (replicas?: number): Promise<NatsBus> => {
    bus = await NatsBus.connect({ url: servers[0]!.url, name: 'spec', storage: { replicas } });
    return bus;
  };
  /** Creates what a gateway creates, once the servers have elected their leader. */
  const create = async (replicas?: number): Promise<NatsBus> => {
    const made = await connect(replicas);
    await waitFor(async () => {
      await made.ensureStream({ name: 'SPEC', subjects: ['spec.>'] });
      await made.keyValue('spec');
      return true;
    });
    return made;
  };
  const copiesOf = async (made: NatsBus, current: number): Promise<StoredCopies[]> =>
    waitFor(async () => {
      const copies = await made.copies();
      return copies.every(each => each.current === current) ? copies : undefined;
    });

  it('keep as many copies of a former stream and bucket as the gateway is set to', async () => {
    await copiesOf(await create(), 1);
    await bus?.close();
    expect(await copiesOf(await create(3), 3)).toEqual([
      { name: 'SPEC', wanted: 3, current: 3 },
      { name: 'KV_spec', wanted: 3, current: 3 },
    ]);
  });

  it('count only copies of servers that are there', async () => {
    const made = await create(3);
    await copiesOf(made, 3);
    await servers[2]!.kill();
    expect((await copiesOf(made, 2)).map(({ wanted }) => wanted)).toEqual([3, 3]);
  });
});
