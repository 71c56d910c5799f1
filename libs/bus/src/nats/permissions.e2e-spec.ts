import {
  factStream,
  jwksKey,
  keyBucket,
  leaseBucket,
  leaseTtlSeconds,
  nodeLoadSubject,
  nodeRoles,
  relayEventSubject,
  roomMediaEventSubject,
  roomSignalling,
} from '@rtms/contracts';
import { EventLog, startNats, waitFor, type BusService, type TestNats } from '@rtms/testing';
import { BusPermissionError, BusRefusedError, NatsBus, type Address, type KeyValueEntry } from '../index.js';
import { RawClient } from '../testing/raw-client.js';
import { allCommands, asked, factSubjects } from '../testing/service-subjects.js';
import { failureOf } from '../testing/two-buses.js';

const services = ['gateway', 'sfu', 'transcoder', 'ingest'] as const;

describe('the permissions on the bus', () => {
  let nats: TestNats;
  let bus: Record<BusService, NatsBus>;
  let raw: Record<BusService, RawClient>;
  const problems = new EventLog<string>();

  const connect = (service: BusService): Promise<NatsBus> =>
    NatsBus.connect({ ...nats.as(service), name: service, onProblem: ({ message }) => problems.add(message) });

  beforeAll(async () => {
    nats = await startNats();
    const [gateway, sfu, transcoder, ingest] = await Promise.all(services.map(connect));
    bus = { gateway, sfu, transcoder, ingest } as Record<BusService, NatsBus>;
    await bus.gateway.ensureStream(factStream);
    await bus.gateway.keyValue(leaseBucket, { ttlSeconds: leaseTtlSeconds });
    await bus.gateway.keyValue(keyBucket);
    const clients = await Promise.all(services.map(service => RawClient.as(nats, service)));
    raw = Object.fromEntries(services.map((service, index) => [service, clients[index]])) as typeof raw;
  });
  afterAll(async () => {
    await Promise.all([...Object.values(bus), ...Object.values(raw)].map(each => each.close()));
    await nats.stop();
  });

  /** Asserts that a request of `from` at `subject` reaches `to`, and returns the reply. */
  async function answerTo(from: NatsBus, to: NatsBus, subject: string): Promise<string> {
    const address = { subject } as Address<string, string>;
    const responder = await to.respond(address, question => Promise.resolve(`${question} answered`));
    const answer = await from.request(address, subject);
    await responder.close();
    return answer;
  }

  describe('allow', () => {
    it.each(allCommands)('the gateway to send $subject', async ({ role, subject }) => {
      expect(await answerTo(bus.gateway, bus[role], subject)).toBe(`${subject} answered`);
    });

    it.each(asked)('a $from to send requests to a $to at $subject', async ({ from, to, subject }) => {
      const asker = await connect(from);
      expect(await answerTo(asker, bus[to], subject)).toBe(`${subject} answered`);
      await asker.close();
    });

    it('media nodes to publish facts, and the gateway to consume them', async () => {
      const taken = new EventLog<string>();
      const options = { stream: factStream.name, durable: 'gateway_facts', subject: 'rtms.fact.>' };
      // The second reader replaces the first.
      await (await bus.gateway.consume(options, () => Promise.resolve())).close();
      const consumer = await bus.gateway.consume({ ...options, replaces: 'gateway' }, async message => {
        taken.add(message.subject);
      });
      expect(await bus.gateway.backlog(options)).toEqual({ count: 0, oldestAt: undefined });
      for (const { role, subject } of factSubjects) await bus[role].publish(subject, {}, subject);
      await taken.atLeast(factSubjects.length);
      await consumer.close();
      expect(taken.all).toEqual(factSubjects.map(({ subject }) => subject));
      // NATS counts an acknowledgement some time after it has arrived. Its answer also shows that it knows of the reader's end: before, it
      // would send the next fact to the reader, and count it twice.
      await waitFor(async () => (await bus.gateway.backlog(options)).count < 1, { what: 'the acknowledgements' });
      await bus.sfu.publish('rtms.fact.playback.idle.waiting', {}, 'waiting');
      expect(await bus.gateway.waitingUnder(options, ['rtms.fact.*.*.waiting', 'rtms.fact.*.*.a'])).toEqual(
        new Set(['rtms.fact.*.*.waiting']),
      );
      expect(await bus.gateway.backlog(options)).toEqual({ count: 1, oldestAt: expect.any(Date) });
    });

    it.each(nodeRoles)('a %s to write its lease, and the gateway to watch it', async role => {
      const told = new EventLog<unknown>();
      const leases = await bus.gateway.keyValue<string>(leaseBucket, { ttlSeconds: leaseTtlSeconds });
      const watch = await leases.watch(({ key, value }) => void (key === `${role}.a` && told.add(value)));
      const own = await bus[role].keyValue<string>(leaseBucket, { ttlSeconds: leaseTtlSeconds });
      await own.put(`${role}.a`, 'here');
      // A bucket keeps only the last value: without this wait, the watcher may miss the first one.
      await told.atLeast(1);
      await own.delete(`${role}.a`);
      await told.atLeast(2);
      await watch.close();
      expect(told.all).toEqual(['here', undefined]);
    });

    it.each(nodeRoles)('a %s to watch the keys that the gateway writes', async role => {
      const keys = await bus.gateway.keyValue<string>(keyBucket);
      await keys.put(jwksKey, 'first');
      const told = new EventLog<KeyValueEntry<string>>();
      const watch = await (await bus[role].keyValue<string>(keyBucket)).watch(told.add);
      await keys.put(jwksKey, 'second');
      await told.find(({ value }) => value === 'second');
      await watch.close();
      expect(told.all.every(({ key }) => key === jwksKey)).toBe(true);
    });

    it('only gateways to hear of changes from each other', async () => {
      const heard = new EventLog<unknown>();
      const listening = await bus.gateway.listen('rtms.gateway.changes', heard.add);
      const other = await connect('gateway');
      other.announce('rtms.gateway.changes', 'news');
      await heard.atLeast(1);
      await Promise.all([listening.close(), other.close()]);
      for (const service of nodeRoles) {
        expect(await raw[service].maySend('rtms.gateway.changes')).toBe(false);
        expect(await raw[service].mayHear('rtms.gateway.changes')).toBe(false);
      }
    });

    it('the gateway to receive the events of rooms', async () => {
      const heard = new EventLog<unknown>();
      const listening = await bus.gateway.listen(`${roomMediaEventSubject}.*`, heard.add);
      bus.sfu.announce(`${roomMediaEventSubject}.room_1`, 'news');
      expect(await heard.find(() => true)).toEqual({ subject: `${roomMediaEventSubject}.room_1`, payload: 'news' });
      await listening.close();
    });
  });

  describe.each([relayEventSubject('sfu-1'), nodeLoadSubject('sfu-1')])(
    'let SFUs hear of each other at %s',
    subject => {
      it('and no other service to send or receive them', async () => {
        const heard = new EventLog<unknown>();
        const listening = await bus.sfu.listen(subject, heard.add);
        const other = await connect('sfu');
        other.announce(subject, 'news');
        await heard.atLeast(1);
        await Promise.all([listening.close(), other.close()]);
        for (const service of ['gateway', 'transcoder', 'ingest'] as const) {
          expect(await raw[service].maySend(subject)).toBe(false);
          expect(await raw[service].mayHear(subject)).toBe(false);
        }
      });
    },
  );

  describe('do not allow', () => {
    const forbiddenRequests = nodeRoles.flatMap(from =>
      allCommands
        .filter(({ subject }) => !asked.some(each => each.from === from && each.subject === subject))
        .map(({ subject }) => ({ from, subject })),
    );

    it.each(forbiddenRequests)('a $from to send the gateway’s command $subject', async ({ from, subject }) => {
      const failure = await failureOf(bus[from].request({ subject }, {}, { deadlineMs: 60_000 }));
      expect(failure).toBeInstanceOf(BusPermissionError);
    });

    it.each(factSubjects)('any service but a $role to report $subject', async ({ role, subject }) => {
      for (const other of services.filter(service => service !== role)) {
        await expect(bus[other].publish(subject, {}, 'forged')).rejects.toThrow(BusPermissionError);
      }
    });

    it('a media node to write keys or the lease of another role', async () => {
      for (const [node, other] of [
        ['sfu', 'transcoder'],
        ['transcoder', 'sfu'],
        ['ingest', 'sfu'],
      ] as const) {
        const keys = await bus[node].keyValue<string>(keyBucket);
        const leases = await bus[node].keyValue<string>(leaseBucket);
        await expect(keys.put(jwksKey, 'forged')).rejects.toThrow(BusPermissionError);
        await expect(leases.put(`${other}.a`, 'forged')).rejects.toThrow(BusPermissionError);
        await expect(leases.delete(`${other}.a`)).rejects.toThrow(BusPermissionError);
      }
    });

    it.each(services)('a %s to read the replies to others', async service => {
      for (const other of services.filter(each => each !== service)) {
        expect(await raw[service].mayHear(`_INBOX_${other}.>`)).toBe(false);
      }
      for (const subject of ['>', '*.>', '_INBOX.>', '$JS.>', 'rtms.>', 'rtms.fact.>', '$KV.>']) {
        expect(await raw[service].mayHear(subject)).toBe(false);
      }
    });

    it.each([
      [
        'gateway',
        ['rtms.sfu.>', 'rtms.transcoder.>', 'rtms.ingest.>', 'rtms.room.*.signal', 'rtms.broadcast.*.origin'],
      ],
      ['sfu', ['rtms.gateway.>', 'rtms.transcoder.>', 'rtms.broadcast.*.origin', 'rtms.room-event.*']],
      ['transcoder', ['rtms.gateway.>', 'rtms.sfu.>', 'rtms.room.*.signal', 'rtms.room-event.*']],
      ['ingest', ['rtms.gateway.>', 'rtms.sfu.>', 'rtms.transcoder.>', 'rtms.room.*.signal', 'rtms.room-event.*']],
    ] as const)('a %s to answer for others', async (service, subjects) => {
      for (const subject of subjects) {
        expect(await raw[service].mayHear(subject)).toBe(false);
        await expect(bus[service].respond({ subject }, () => Promise.resolve({}))).rejects.toThrow(BusPermissionError);
      }
    });

    it.each(services)('a %s to delete or purge a stream, or anything in it', async service => {
      for (const stream of ['RTMS_FACTS', 'KV_rtms_keys', 'KV_rtms_leases']) {
        for (const action of ['STREAM.DELETE', 'STREAM.PURGE', 'STREAM.MSG.DELETE', 'STREAM.RESTORE']) {
          expect(await raw[service].maySend(`$JS.API.${action}.${stream}`)).toBe(false);
        }
        expect(await raw[service].maySend('$JS.API.STREAM.CREATE.OTHER')).toBe(false);
      }
    });

    it.each(nodeRoles)('a %s to create or change a stream, or take facts and leases', async node => {
      for (const stream of ['RTMS_FACTS', 'KV_rtms_keys', 'KV_rtms_leases']) {
        expect(await raw[node].maySend(`$JS.API.STREAM.CREATE.${stream}`)).toBe(false);
        expect(await raw[node].maySend(`$JS.API.STREAM.UPDATE.${stream}`)).toBe(false);
        // DIRECT.GET sends the node's own value to a subject of its choice.
        expect(await raw[node].maySend(`$JS.API.DIRECT.GET.${stream}.$KV.rtms_leases.${node}.a`)).toBe(false);
        expect(await raw[node].maySend(`$JS.API.STREAM.MSG.GET.${stream}`)).toBe(false);
      }
      for (const stream of ['RTMS_FACTS', 'KV_rtms_leases']) {
        expect(await raw[node].maySend(`$JS.API.CONSUMER.CREATE.${stream}.spy`)).toBe(false);
        expect(await raw[node].maySend(`$JS.API.CONSUMER.DURABLE.CREATE.${stream}.spy`)).toBe(false);
        expect(await raw[node].maySend(`$JS.API.CONSUMER.MSG.NEXT.${stream}.gateway`)).toBe(false);
        expect(await raw[node].maySend(`$JS.API.CONSUMER.DELETE.${stream}.gateway`)).toBe(false);
        expect(await raw[node].maySend(`$JS.ACK.${stream}.gateway.1.1.1.1.0`)).toBe(false);
      }
    });

    it('a node to make the server publish its message at another subject', async () => {
      const keys = await bus.gateway.keyValue<string>(keyBucket);
      await keys.put(jwksKey, 'genuine');
      const subject = roomSignalling.forResource('room_9').subject;
      await raw.sfu.answer(subject, '"forged"');
      for (const reply of [`$KV.${keyBucket}.${jwksKey}`, 'rtms.sfu.sfu-2.session.close']) {
        await raw.sfu.maySend(subject, reply);
        await raw.sfu.violations.find(refused => refused === reply);
      }
      expect(await keys.get(jwksKey)).toBe('genuine');
    });

    it('a connection without a password, or with a wrong one', async () => {
      const attempts = [{}, { user: 'sfu', password: 'guess' }, { user: 'admin', password: 'admin' }];
      for (const credentials of attempts) {
        const failure = await failureOf(NatsBus.connect({ url: nats.url, name: 'stranger', ...credentials }));
        expect(failure).toBeInstanceOf(BusRefusedError);
        expect((failure as Error).message).not.toContain('guess');
      }
    });
  });

  it('are reported to the service that violates them', async () => {
    bus.sfu.announce('rtms.sfu.sfu-2.session.close', {});
    const problem = await problems.find(each => each.includes('rtms.sfu.sfu-2.session.close'));
    expect(problem).toMatch(/permissions violation/i);
  });
});
