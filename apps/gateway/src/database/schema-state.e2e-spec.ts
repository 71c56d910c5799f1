import { waitFor } from '@rtms/testing';
import type { DataSource } from 'typeorm';
import { SchemaTestBed, silentLog as log } from '../testing/schema-test-bed.js';
import { startTestGateway } from '../testing/start-test-gateway.js';
import { allMigrations } from './migrations/all-migrations.js';
import { requireSchema } from './require-schema.js';
import { requireGateways } from './schema-state.js';

describe('a gateway and the schema that it finds', () => {
  let bed: SchemaTestBed;

  beforeAll(async () => {
    bed = await SchemaTestBed.start();
  });
  afterEach(() => bed.closeOpened());
  afterAll(() => bed?.close());

  /** Whether somebody stands in a queue for a lock on accounts. */
  const someoneWaits = async (database: DataSource): Promise<boolean> => {
    const rows = await database.query<unknown[]>(
      `SELECT 1 FROM pg_locks WHERE relation = 'accounts'::regclass AND NOT granted`,
    );
    return rows.length > 0;
  };

  it('do not start on an empty one, nor on one that is not up to date', async () => {
    const url = await bed.createDatabase();
    await expect(requireSchema(url, log)).rejects.toThrow(/older than this gateway/);
    await bed.migrate(url);
    await expect(requireSchema(url, log)).resolves.toBeUndefined();
    const database = await bed.open(url);
    await database.query('DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations)');
    await expect(requireSchema(url, log)).rejects.toThrow(/older than this gateway: \w+ must be run/);
  });

  it('go on beside newer migrations until one of them says that they can not', async () => {
    const url = await bed.createDatabase();
    const gateway = await startTestGateway({ databaseUrl: url });
    try {
      const database = await bed.open(url);
      await database.query(`INSERT INTO migrations (timestamp, name) VALUES (1999999999999, 'Later1999999999999')`);
      await requireSchema(url, log);
      await gateway.http.get('/readyz').expect(200);
      const runner = database.createQueryRunner();
      await requireGateways(runner, 'Later1999999999999');
      await runner.release();
      await expect(requireSchema(url, log)).rejects.toThrow(/newer than this gateway.*Later1999999999999/);
      const { text } = await gateway.http.get('/readyz').expect(503);
      expect(text).toMatch(/schema/);
    } finally {
      await gateway.close();
    }
  });

  it('is brought up to date beside long transactions without holding up anybody for long', async () => {
    const url = await bed.createDatabase();
    await bed.migrate(url);
    const database = await bed.open(url);
    // The first of these refers to accounts: it needs a lock that whoever writes there stands in the way of.
    const first = 1763760000000;
    const undone = database.createQueryRunner();
    const later = allMigrations.filter(each => timeOf(each) >= first).sort((one, other) => timeOf(other) - timeOf(one));
    for (const Migration of later) await new Migration().down(undone);
    await undone.release();
    await database.query('DELETE FROM migrations WHERE timestamp >= $1', [first]);
    const long = database.createQueryRunner();
    await long.startTransaction();
    await long.query(`INSERT INTO accounts (id, name, api_user_name) VALUES ('acc_1', 'One', 'one')`);
    let isDone = false;
    const migrating = bed.migrate(url, 100).then(() => (isDone = true));
    const waits: number[] = [];
    for (let turn = 2; turn < 5; turn += 1) {
      await waitFor(() => someoneWaits(database), { what: 'the migration to wait for the table' });
      const begun = Date.now();
      await database.query(`INSERT INTO accounts (id, name, api_user_name) VALUES ($1, 'Other', $1)`, [`acc_${turn}`]);
      waits.push(Date.now() - begun);
      await waitFor(async () => !(await someoneWaits(database)), { what: 'it to let others through' });
    }
    // The median: a busy machine may hold one of them up.
    expect(waits.sort((one, other) => one - other)[1]).toBeLessThan(1_000);
    expect(isDone).toBe(false);
    await long.commitTransaction();
    await long.release();
    await migrating;
    await requireSchema(url, log);
    const invalid = await database.query('SELECT indexrelid::regclass FROM pg_index WHERE NOT indisvalid');
    expect(invalid).toEqual([]);
  });
});

/** The time in the name of a migration. */
function timeOf({ name }: { name: string }): number {
  return Number(/\d+$/.exec(name)?.[0]);
}
