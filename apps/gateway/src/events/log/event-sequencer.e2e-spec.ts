import { systemClock } from '@rtms/clock';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainEvents } from '../../platform/runtime/domain-events.js';
import { startTestGateway, type TestAccount, type TestGateway } from '../../testing/start-test-gateway.js';
import type { AccountEvent } from './account-event.js';
import { AppendedEventsService } from './appended-events.service.js';
import { EventSequencerService } from './event-sequencer.service.js';
import { SequencerRepository } from './sequencer.repository.js';

/** Tells the events of each portion. */
class HeardRepository extends SequencerRepository {
  constructor(private readonly hear: (events: readonly AccountEvent[]) => void) {
    super();
  }

  override append(manager: EntityManager, events: readonly AccountEvent[]): Promise<void> {
    this.hear(events);
    return super.append(manager, events);
  }
}

/** The connection of the sequencer dies before the given call of the repository. */
class BreakingRepository extends HeardRepository {
  calls = 0;

  constructor(breaksAt: number, hear: (events: readonly AccountEvent[]) => void) {
    super(hear);
    for (const name of Object.getOwnPropertyNames(SequencerRepository.prototype) as (keyof SequencerRepository)[]) {
      if ((name as string) === 'constructor') continue;
      const method = this[name].bind(this) as (...given: unknown[]) => Promise<unknown>;
      const broken = async (manager: EntityManager, ...more: unknown[]): Promise<unknown> => {
        this.calls += 1;
        if (this.calls === breaksAt) await manager.query('SELECT pg_terminate_backend(pg_backend_pid())');
        return method(manager, ...more);
      };
      Object.assign(this, { [name]: broken });
    }
  }
}

interface StoredEvent {
  id: string;
  sequence: number;
  type: string;
  resource_id: string;
  capacity: number | null;
}

describe('the sequencer', () => {
  let gateway: TestGateway;
  let database: DataSource;
  let account: TestAccount;

  beforeAll(async () => {
    gateway = await startTestGateway();
    // Only the sequencers of the tests run.
    await gateway.app.get(EventSequencerService, { strict: false }).onApplicationShutdown();
    database = gateway.app.get(DataSource, { strict: false });
  });
  beforeEach(async () => {
    account = await gateway.makeAccount();
  });
  afterAll(() => gateway?.close());

  function makeSequencer(repository = new SequencerRepository()) {
    const events = new DomainEvents();
    const announcements = new AppendedEventsService(events, gateway.bus, systemClock);
    return new EventSequencerService(database, repository, events, announcements, systemClock);
  }

  const post = async (body: object) => {
    const answer = await gateway.http.post('/v1/rooms').set('Authorization', account.authorization).send(body);
    return (answer.body as { room: { meetingID: string } }).room;
  };
  const eventsOf = ({ accountID }: TestAccount) =>
    database.query<StoredEvent[]>(
      `SELECT id, sequence::int, type, resource_id, (data->>'capacity')::int AS capacity FROM account_events
       WHERE account_id = $1 ORDER BY sequence`,
      [accountID],
    );
  const waiting = async (): Promise<number> => {
    const [row] = await database.query<{ count: number }[]>('SELECT count(*)::int FROM event_outbox');
    return row!.count;
  };
  /** Changes of one room, noted directly. */
  const note = (accountID: string, count: number) =>
    database.query(
      `INSERT INTO event_outbox (account_id, kind, resource_id, before, after)
       SELECT $1, 'domain', 'dom_1', NULL, jsonb_build_object('domainID', 'dom_1', 'n', n) FROM generate_series(1, $2::int) AS n`,
      [accountID, count],
    );

  it('loses, repeats and reorders nothing when its connection dies between any two statements', async () => {
    const given = new Map<number, string>();
    const hear = (events: readonly AccountEvent[]) => {
      for (const { sequence, eventID } of events) given.set(sequence, eventID);
    };
    const { meetingID } = await post({ action: 'create', userName: 'Ada', capacity: 100 });
    let capacity = 100;
    for (let breaksAt = 1; ; breaksAt += 1) {
      for (let times = 0; times < 3; times += 1) {
        capacity += 1;
        await post({ action: 'update', meetingID, capacity });
      }
      const breaking = new BreakingRepository(breaksAt, hear);
      const outcome = await makeSequencer(breaking)
        .run()
        .then(
          () => 'done',
          () => 'broken',
        );
      if (breaking.calls < breaksAt) break;
      expect(outcome).toBe('broken');
    }
    await makeSequencer(new HeardRepository(hear)).run();
    const events = await eventsOf(account);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    expect(events.map(({ id }) => id)).toEqual(events.map(({ sequence }) => given.get(sequence)));
    const capacities = events.filter(({ resource_id: id }) => id === meetingID).map(each => each.capacity);
    expect(capacities).toEqual(Array.from({ length: capacity - 99 }, (_, index) => 100 + index));
    expect(capacities.length).toBeGreaterThan(18);
    expect(await waiting()).toBe(0);
  });

  it('numbers without gaps when two gateways sequence at once', async () => {
    await note(account.accountID, 3_500);
    await Promise.all([makeSequencer().run(), makeSequencer().run()]);
    await makeSequencer().run();
    const events = await eventsOf(account);
    expect(events.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 3_501 }, (_, index) => index + 1));
  });

  it('takes a bounded portion, in which the changes of one account leave room for those of others', async () => {
    const other = await gateway.makeAccount();
    await note(account.accountID, 5_000);
    await note(other.accountID, 1);
    const portions: (readonly AccountEvent[])[] = [];
    await makeSequencer(new HeardRepository(events => void portions.push(events))).run();
    expect(Math.max(...portions.map(({ length }) => length))).toBeLessThanOrEqual(1_000);
    expect(portions[0]!.filter(({ accountID }) => accountID === other.accountID)).toHaveLength(2);
    expect(portions.flat().filter(({ accountID }) => accountID === account.accountID)).toHaveLength(5_001);
  });

  it('drops the changes of a removed account', async () => {
    await note('acct_removed', 3);
    await makeSequencer().run();
    expect(await waiting()).toBe(0);
    expect(await database.query(`SELECT FROM account_events WHERE account_id = 'acct_removed'`)).toEqual([]);
  });

  it('leaves changes of kinds of a newer version to the newer gateway', async () => {
    await database.query(`INSERT INTO event_outbox (account_id, kind, resource_id) VALUES ($1, 'hologram', 'x')`, [
      account.accountID,
    ]);
    await makeSequencer().run();
    expect(await waiting()).toBe(1);
    await database.query('DELETE FROM event_outbox');
  });
});
