import { DataSource } from 'typeorm';
import { Domain } from '../../accounts/domains/domain.entity.js';
import { startTestGateway, type TestGateway } from '../../testing/start-test-gateway.js';
import { DomainEvents } from '../runtime/domain-events.js';
import { announcedTables } from './announced-tables.js';
import { noteChange } from './announcing-query-runner.js';
import type { ResourceChange } from './change-set.js';

/** Tables of accounts whose changes no page shows. */
const unannouncedTables = [
  'account_entitlements',
  'account_events',
  'account_features',
  'account_limits',
  'audit_entries',
  'dashboard_invitations',
  'dashboard_users',
  'deleted_recordings',
  'deleted_records',
  'event_counters',
  'event_outbox',
  'idempotent_requests',
  'room_messages',
  'sip_calls',
  'unsettled_usage',
  'usage_intervals',
  'webhook_deliveries',
];

describe('the announcement of a write', () => {
  let gateway: TestGateway;
  let database: DataSource;
  let accountID: string;
  let heard: ResourceChange[];

  beforeAll(async () => {
    gateway = await startTestGateway();
    database = gateway.app.get(DataSource, { strict: false });
    ({ accountID } = await gateway.makeAccount());
    gateway.app.get(DomainEvents, { strict: false }).on('resources.changed', changes => {
      heard.push(...changes.filter(change => change.accountID === accountID && change.kind === 'domain'));
    });
  });
  beforeEach(() => {
    heard = [];
  });
  afterAll(() => gateway?.close());

  const row = (id: string): Domain => ({
    id,
    accountID,
    domain: `${id}.example.com`,
    enabled: true,
    createdAt: new Date(0),
  });
  const changed = (...ids: string[]) => ids.map(id => ({ kind: 'domain', id, accountID }));

  it('comes for each way to write, and only for rows that changed', async () => {
    const { manager } = database;
    await manager.insert(Domain, [row('a1'), row('a2')]);
    expect(heard.splice(0)).toEqual(changed('a1', 'a2'));
    expect(await manager.update(Domain, { accountID, id: 'a1' }, { enabled: false })).toMatchObject({ affected: 1 });
    expect(heard.splice(0)).toEqual(changed('a1'));
    expect(await manager.update(Domain, { accountID, id: 'none' }, { enabled: false })).toMatchObject({ affected: 0 });
    expect(await manager.createQueryBuilder().delete().from(Domain).where({ id: 'a2' }).execute()).toMatchObject({
      affected: 1,
    });
    expect(heard.splice(0)).toEqual(changed('a2'));
    expect(await database.query('UPDATE domains d SET enabled = true WHERE id = $1 RETURNING enabled', ['a1'])).toEqual(
      [[expect.objectContaining({ enabled: true })], 1],
    );
    expect(heard.splice(0)).toEqual(changed('a1'));
    await manager.upsert(Domain, { ...row('a1'), enabled: false }, ['id']);
    await manager.createQueryBuilder().insert().into(Domain).values(row('a1')).orIgnore().execute();
    expect(heard).toEqual(changed('a1'));
  });

  it('comes once, after the commit', async () => {
    await database.transaction(async manager => {
      await manager.insert(Domain, row('b1'));
      await manager.update(Domain, 'b1', { enabled: false });
      await manager.transaction(inner => inner.insert(Domain, row('b2')));
      noteChange(manager, { kind: 'domain', id: 'noted', accountID });
      expect(heard).toEqual([]);
    });
    expect(heard).toEqual(changed('b1', 'b2', 'noted'));
  });

  it('does not come after a rollback', async () => {
    const work = database.transaction(async manager => {
      await manager.insert(Domain, row('c1'));
      throw new Error('undo');
    });
    await expect(work).rejects.toThrow('undo');
    await expect(database.manager.insert(Domain, { ...row('c2'), accountID: 'none' })).rejects.toThrow();
    expect(heard).toEqual([]);
  });

  it('covers every table of accounts but those that no page shows', async () => {
    const tables = await database.query<{ name: string }[]>(
      `SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
       WHERE c.table_schema = 'public' AND c.column_name = 'account_id' AND t.table_type = 'BASE TABLE' ORDER BY 1`,
    );
    const withAccount = [...announcedTables].flatMap(([name, { account }]) => (account === undefined ? [] : name));
    expect(tables.map(({ name }) => name)).toEqual([...withAccount, ...unannouncedTables].sort());
  });
});
