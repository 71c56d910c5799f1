/** @weight 0.1 for 17 s */
import { once } from 'node:events';
import { connect as connectTcp, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { jetstreamManager, RetentionPolicy, type JetStreamManager } from '@nats-io/jetstream';
import { connect, nanos, type NatsConnection } from '@nats-io/transport-node';
import { systemClock } from '@rtms/clock';
import { EventLog, freePort, startNats, waitFor, type TestNats } from '@rtms/testing';
import { describeBus } from '../port/bus.contract.js';
import { NatsBus, NoResponderError, type Bus, type KeyValueEntry, type StreamStorage } from '../index.js';

/** A TCP connection to the server that can stop to carry bytes and stays open, as when a host is lost. */
class Cable {
  private constructor(
    readonly url: string,
    private readonly server: Server,
    private readonly ends: Set<Socket>,
  ) {}

  static async lay(to: string): Promise<Cable> {
    const ends = new Set<Socket>();
    const { hostname, port } = new URL(to);
    const server = createServer(near => {
      const far = connectTcp(Number(port), hostname);
      for (const [from, into] of [[near, far] as const, [far, near] as const]) {
        ends.add(from);
        from.on('error', () => undefined).pipe(into);
      }
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new Cable(`nats://127.0.0.1:${(server.address() as AddressInfo).port}`, server, ends);
  }

  /** Later connections open, and carry nothing either. */
  stall(): void {
    for (const end of this.ends) end.unpipe().pause();
    this.server
      .removeAllListeners('connection')
      .on('connection', near => this.ends.add(near.on('error', () => undefined)));
  }

  cut(): void {
    for (const end of this.ends) end.destroy();
    this.server.close();
  }
}

describeBus('NatsBus', async () => {
  const nats = await startNats({ open: true });
  const made: Bus[] = [];
  return {
    time: { clock: systemClock, pass: () => Promise.resolve() },
    connect: async () => {
      const bus = await NatsBus.connect({ url: nats.url, name: 'spec' });
      made.push(bus);
      return bus;
    },
    close: async () => {
      await Promise.all(made.map(bus => bus.close()));
      await nats.stop();
    },
  };
});

describe('NatsBus after a restart of the server', () => {
  let nats: TestNats;
  let bus: NatsBus;
  let connected: EventLog<boolean>;
  beforeEach(async () => {
    nats = await startNats({ open: true });
    bus = await NatsBus.connect({ url: nats.url, name: 'spec' });
    connected = new EventLog();
    bus.onConnectionChange(connected.add);
  });
  afterEach(async () => {
    await bus.close();
    await nats.stop();
  });

  it('reports the outage and fails requests at once', async () => {
    await nats.kill();
    await connected.find(isConnected => !isConnected);
    expect(bus.isConnected()).toBe(false);
    await expect(bus.request({ subject: 'spec.any' }, null)).rejects.toThrow(NoResponderError);
    await expect(bus.publish('spec.any', {}, 'id')).rejects.toThrow(NoResponderError);
    await nats.restart();
    await connected.find(isConnected => isConnected);
    expect(bus.isConnected()).toBe(true);
    expect(connected.all).toEqual([false, true]);
  });

  it('responds again at its addresses', async () => {
    const address = { subject: 'spec.again' };
    await bus.respond(address, () => Promise.resolve('here'));
    await nats.restart();
    await connected.find(isConnected => isConnected);
    expect(await bus.request(address, null)).toBe('here');
  });

  it.each([
    ['with its store', false],
    ['without its store', true],
  ])('continues consuming and watching after a restart %s', async (_case, fresh) => {
    await bus.ensureStream({ name: 'SPEC', subjects: ['spec.fact.>'] });
    const seen = new EventLog<unknown>();
    await bus.consume({ stream: 'SPEC', durable: 'reader' }, async ({ payload }) => seen.add(payload));
    const store = await bus.keyValue<number>('spec');
    const values = new EventLog<KeyValueEntry<number>>();
    await store.watch(values.add);
    await bus.publish('spec.fact.a', 'before', 'id-1');
    await seen.find(payload => payload === 'before');

    await nats.kill();
    await connected.find(isConnected => !isConnected);
    await nats.restart({ fresh });
    await connected.find(isConnected => isConnected);
    await bus.publish('spec.fact.a', 'after', 'id-2');
    await store.put('key', 7);

    await seen.find(payload => payload === 'after');
    await values.find(({ key, value }) => key === 'key' && value === 7);
    // A killed server may have lost the acknowledgement, so a message may arrive twice.
    expect([...new Set(seen.all)]).toEqual(['before', 'after']);
  });

  it('waits for a server that starts after it', async () => {
    await nats.kill();
    const connecting = NatsBus.connect({ url: nats.url, name: 'late' });
    await nats.restart();
    const late = await connecting;
    expect(late.isConnected()).toBe(true);
    await late.close();
  });
});

describe('NatsBus beside a former start of the same node, whose host is unreachable', () => {
  const address = { subject: 'rtms.sfu.sfu-1.session.open' };
  let nats: TestNats;
  let monitor: string;
  let cable: Cable;
  let former: NatsBus;
  let gateway: NatsBus;
  beforeEach(async () => {
    const port = await freePort();
    monitor = `http://127.0.0.1:${port}`;
    nats = await startNats({ args: ['--http_port', String(port)] });
    cable = await Cable.lay(nats.url);
    gateway = await NatsBus.connect({ ...nats.as('gateway'), name: 'gateway' });
    former = await NatsBus.connect({ ...nats.as('sfu'), url: cable.url, name: 'sfu-1' });
    await former.respond(address, () => Promise.resolve('former'));
  });
  afterEach(async () => {
    cable.cut();
    await Promise.all([former, gateway].map(bus => bus.close()));
    await nats.stop();
  });

  it('sends every command to the new start', async () => {
    cable.stall();
    const current = await NatsBus.connect({ ...nats.as('sfu'), name: 'sfu-1' });
    await current.respond(address, () => Promise.resolve('current'));
    for (let asked = 0; asked < 10; asked++) expect(await gateway.request(address, null)).toBe('current');
    await current.close();
  });

  it('is rid of the former start after about 9 s of silence', async () => {
    const namesOfClients = async (): Promise<string[]> => {
      const { connections } = (await (await fetch(`${monitor}/connz`)).json()) as { connections: { name?: string }[] };
      return connections.map(({ name = '' }) => name);
    };
    expect(await namesOfClients()).toContain('sfu-1');
    cable.stall();
    const isGone = async () => !(await namesOfClients()).includes('sfu-1');
    await waitFor(isGone, { timeoutMs: 30_000, everyMs: 500, what: 'the server to close the silent connection' });
    await expect(gateway.request(address, null)).rejects.toThrow(NoResponderError);
  });
});

describe('NatsBus, storage of streams', () => {
  const definition = { name: 'SPEC', subjects: ['spec.fact.>'] };
  let nats: TestNats;
  let bus: NatsBus | undefined;
  let connection: NatsConnection;
  let manager: JetStreamManager;

  beforeEach(async () => {
    nats = await startNats({ open: true });
    connection = await connect({ servers: nats.url });
    manager = await jetstreamManager(connection);
  });
  afterEach(async () => {
    await bus?.close();
    await connection?.close();
    await nats?.stop();
  });

  const ensure = async (storage?: StreamStorage) => {
    bus = await NatsBus.connect({ url: nats.url, name: 'spec', storage });
    await bus.ensureStream(definition);
    return (await manager.streams.info('SPEC')).config;
  };

  it('limits its size and the age of its messages, to a gigabyte and a week by default', async () => {
    const week = nanos(7 * 24 * 3_600_000);
    expect(await ensure()).toMatchObject({ max_bytes: 1024 ** 3, max_age: week, discard: 'old', num_replicas: 1 });
    await bus?.close();
    const changed = await ensure({ maxBytes: 2_000_000, maxAgeMs: 3_600_000, replicas: 1 });
    expect(changed).toMatchObject({ max_bytes: 2_000_000, max_age: nanos(3_600_000), num_replicas: 1 });
  });

  it('deletes acknowledged messages and keeps the others', async () => {
    await ensure();
    for (const id of ['one', 'two', 'three']) await bus?.publish(`spec.fact.${id}`, id, id);
    const seen = new EventLog<unknown>();
    await bus?.consume({ stream: 'SPEC', durable: 'reader' }, ({ payload }) => {
      seen.add(payload);
      return payload === 'three' ? Promise.reject(new Error('not yet')) : Promise.resolve();
    });
    await seen.find(payload => payload === 'three');
    const stored = async () => (await manager.streams.info('SPEC')).state;
    await waitFor(async () => (await stored()).messages === 1, { what: 'the acknowledged messages to go' });
    expect(await stored()).toMatchObject({ messages: 1, first_seq: 3, last_seq: 3 });
  });

  it('keeps the messages of a stream from an earlier version', async () => {
    await manager.streams.add({ ...definition, retention: RetentionPolicy.Limits, max_age: nanos(3_600_000) });
    await manager.jetstream().publish('spec.fact.former', JSON.stringify('former'));
    expect(await ensure()).toMatchObject({ retention: 'limits', max_bytes: 1024 ** 3 });
    const seen = new EventLog<unknown>();
    await bus?.consume({ stream: 'SPEC', durable: 'reader' }, async ({ payload }) => seen.add(payload));
    await seen.find(payload => payload === 'former');
  });

  it.each([
    ['this version by a few questions', RetentionPolicy.Workqueue, 5],
    ['a former version, which keeps what was acknowledged', RetentionPolicy.Limits, 1000],
  ])('returns the waiting ones of many messages in a stream of %s', async (_case, retention, questionsAtMost) => {
    await manager.streams.add({ ...definition, retention, duplicate_window: nanos(120_000) });
    await ensure();
    const names = Array.from({ length: 300 }, (_, index) => `name-${index}`);
    for (const name of names) await bus?.publish(`spec.fact.kind.${name}`, name, name);
    const reader = { stream: 'SPEC', durable: 'reader' };
    const waits = ({ payload }: { payload: unknown }) => payload === 'name-298' || payload === 'name-299';
    await bus?.consume({ ...reader, keyOf: subject => subject, atOnce: 10 }, message =>
      waits(message) ? Promise.reject(new Error('not yet')) : Promise.resolve(),
    );
    await waitFor(async () => ((await bus?.backlog(reader))?.count ?? names.length) <= 2, {
      what: 'the acknowledgements',
    });
    // A work queue deletes a message a moment after its acknowledgement.
    const left = retention === RetentionPolicy.Workqueue ? 2 : names.length;
    await waitFor(async () => (await manager.streams.info('SPEC')).state.messages === left, { what: 'the deletions' });
    let questions = 0;
    connection.subscribe('$JS.API.STREAM.>', { callback: () => void (questions += 1) });
    await connection.flush();
    const asked = [...names, 'name-300'].map(name => `spec.fact.*.${name}`);
    expect(await bus?.waitingUnder(reader, asked)).toEqual(new Set(['spec.fact.*.name-298', 'spec.fact.*.name-299']));
    await connection.flush();
    expect(questions).toBeLessThanOrEqual(questionsAtMost);
  });

  it('creates streams with the configured replicas', async () => {
    // A single server refuses replicas. The refusal proves that the client sent the setting.
    await expect(ensure({ replicas: 3 })).rejects.toThrow(/replicas > 1 not supported in non-clustered mode/);
    await expect(bus?.keyValue('spec')).rejects.toThrow(/replicas > 1 not supported in non-clustered mode/);
  });

  it('updates the replicas of an existing bucket', async () => {
    await ensure();
    await bus?.keyValue('spec');
    await bus?.close();
    bus = await NatsBus.connect({ url: nats.url, name: 'spec', storage: { replicas: 3 } });
    // A single server accepts the setting for an existing bucket, but not for a new one.
    await bus.keyValue('spec');
    expect((await manager.streams.info('KV_spec')).config.num_replicas).toBe(3);
  });
});

describe('NatsBus.connect', () => {
  it('rejects without a server before the timeout', async () => {
    await expect(NatsBus.connect({ url: 'nats://127.0.0.1:1', name: 'spec', connectTimeoutMs: 50 })).rejects.toThrow();
  });
});
