import { waitFor } from '@rtms/testing';
import type { DataSource } from 'typeorm';
import { nextMigrations, SchemaTestBed, silentLog as log } from '../../testing/schema-test-bed.js';
import { startTestGateway } from '../../testing/start-test-gateway.js';
import { requireSchema, requireGateways, SchemaMismatchError } from './schema-state.js';

describe('a gateway and the schema of its database', () => {
  let bed: SchemaTestBed;

  beforeAll(async () => {
    bed = await SchemaTestBed.start();
  });
  afterEach(() => bed.closeOpened());
  afterAll(() => bed?.close());

  /** Returns whether a statement waits for a lock on accounts. */
  const someoneWaits = async (database: DataSource): Promise<boolean> => {
    const rows = await database.query<unknown[]>(
      `SELECT 1 FROM pg_locks WHERE relation = 'accounts'::regclass AND NOT granted`,
    );
    return rows.length > 0;
  };

  it('does not start with an empty or an outdated schema', async () => {
    const url = await bed.createDatabase();
    await expect(requireSchema(url, log)).rejects.toThrow(/older than this gateway/);
    await bed.migrate(url);
    await expect(requireSchema(url, log)).resolves.toBeUndefined();
    const database = await bed.open(url);
    await database.query('DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations)');
    await expect(requireSchema(url, log)).rejects.toThrow(/older than this gateway: \w+ must be run/);
  });

  it('accepts newer migrations until one of them requires a newer gateway', async () => {
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

  it('refuses a schema from before the first release and changes nothing', async () => {
    const url = await bed.createDatabase();
    const database = await bed.open(url);
    await database.query(
      'CREATE TABLE migrations (id serial PRIMARY KEY, timestamp bigint NOT NULL, name text NOT NULL)',
    );
    await database.query(`INSERT INTO migrations (timestamp, name) VALUES (1763700000000, 'Initial1763700000000')`);
    const relations = () =>
      database.query('SELECT relname FROM pg_class WHERE relnamespace = $1::regnamespace', ['public']);
    const before = await relations();
    for (const refused of [() => requireSchema(url, log), () => bed.migrate(url)]) {
      const error: unknown = await refused().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(SchemaMismatchError);
      expect(String(error)).toMatch(/Initial1763700000000.*Delete the directory \.rtms.*docs\/operations\/upgrade\.md/);
    }
    expect(await relations()).toEqual(before);
    expect(await database.query('SELECT name FROM migrations')).toEqual([{ name: 'Initial1763700000000' }]);
  });

  it('migrates during long transactions without blocking others for long', async () => {
    const url = await bed.createDatabase();
    await bed.migrate(url);
    const database = await bed.open(url);
    const long = database.createQueryRunner();
    await long.startTransaction();
    await long.query(`INSERT INTO accounts (id, name, api_user_name) VALUES ('acc_1', 'One', 'one')`);
    let isDone = false;
    const migrating = bed.migrate(url, { migrations: nextMigrations, tableWaitMs: 100 }).then(() => (isDone = true));
    const waits: number[] = [];
    for (let turn = 2; turn < 5; turn += 1) {
      await waitFor(() => someoneWaits(database), { what: 'the migration to wait for the table' });
      const begun = Date.now();
      await database.query(`INSERT INTO accounts (id, name, api_user_name) VALUES ($1, 'Other', $1)`, [`acc_${turn}`]);
      waits.push(Date.now() - begun);
      await waitFor(async () => !(await someoneWaits(database)), { what: 'it to let others through' });
    }
    // Otherwise they would wait for the long transaction, which ends later. The median, because a busy machine may delay one.
    expect(waits.sort((one, other) => one - other)[1]).toBeLessThan(10_000);
    expect(isDone).toBe(false);
    await long.commitTransaction();
    await long.release();
    await migrating;
    await requireSchema(url, log);
    const invalid = await database.query('SELECT indexrelid::regclass FROM pg_index WHERE NOT indisvalid');
    expect(invalid).toEqual([]);
  });
});
