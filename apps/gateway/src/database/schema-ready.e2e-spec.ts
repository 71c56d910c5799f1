import { startPostgres, waitFor, type TestPostgres } from '@rtms/testing';
import { DataSource } from 'typeorm';
import { databaseOptions } from './data-source.js';
import { allMigrations } from './migrations/all-migrations.js';
import { runMigrations } from './run-migrations.js';
import { missingMigrations, schemaReady } from './schema-ready.js';

const silent = { warn: () => undefined, info: () => undefined };

describe('a gateway that waits for its schema', () => {
  let postgres: TestPostgres;

  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());

  const migrate = (url: string) => runMigrations({ url, waitMs: 5_000, log: silent });

  it('goes on once all migrations have run', async () => {
    const url = await postgres.createDatabase();
    const told: object[] = [];
    const log = { ...silent, info: (details: object) => void told.push(details) };
    const ready = schemaReady({ url, retryMs: 20, log });
    await waitFor(() => told.length > 0, { what: 'the missing migrations' });
    expect(told[0]).toEqual({ missing: allMigrations.map(({ name }) => name) });
    await migrate(url);
    await expect(ready).resolves.toBeUndefined();
  });

  it('finds a schema that is one release behind', async () => {
    const url = await postgres.createDatabase();
    await migrate(url);
    expect(await missingMigrations(url, silent)).toEqual([]);
    const last = allMigrations.at(-1)!.name;
    const database = await new DataSource(databaseOptions(url, silent)).initialize();
    await database.query('DELETE FROM migrations WHERE name = $1', [last]);
    await database.destroy();
    expect(await missingMigrations(url, silent)).toEqual([last]);
  });

  it('does not mind a schema that is newer than it', async () => {
    const url = await postgres.createDatabase();
    await migrate(url);
    const database = await new DataSource(databaseOptions(url, silent)).initialize();
    await database.query(`INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'Later9999999999999')`);
    await database.destroy();
    expect(await missingMigrations(url, silent)).toEqual([]);
  });

  it('waits for a database that is not there', async () => {
    const dedicated = await startPostgres({ dedicated: true });
    try {
      const url = await dedicated.createDatabase();
      await migrate(url);
      await dedicated.halt();
      const told: unknown[] = [];
      const ready = schemaReady({ url, retryMs: 20, log: { ...silent, warn: details => void told.push(details) } });
      await waitFor(() => told.length > 0, { what: 'a failed look' });
      await dedicated.restart();
      await expect(ready).resolves.toBeUndefined();
    } finally {
      await dedicated.stop();
    }
  });
});
