import { startPostgres, type TestPostgres } from '@rtms/testing';
import { DataSource } from 'typeorm';
import { databaseOptions } from './data-source.js';

/** Far longer than a statement without a wait. */
const queryTimeoutMs = 1_000;
const log = { warn: () => undefined };

describe('a statement that exceeds its time limit', () => {
  let postgres: TestPostgres;
  let database: DataSource;
  let other: DataSource;

  beforeAll(async () => {
    postgres = await startPostgres();
    database = await new DataSource(databaseOptions(postgres.url, log, { queryTimeoutMs })).initialize();
    other = await new DataSource(databaseOptions(postgres.url, log, { queryTimeoutMs: 0 })).initialize();
    await other.query('CREATE TABLE rooms (id int PRIMARY KEY, state text)');
    await other.query(`INSERT INTO rooms VALUES (1, 'created')`);
  });

  afterAll(async () => {
    await database?.destroy();
    await other?.destroy();
    await postgres?.stop();
  });

  it('leaves no transaction on a reused connection', async () => {
    await other.transaction(async manager => {
      await manager.query(`UPDATE rooms SET state = 'active' WHERE id = 1`);
      const change = database.transaction(each => each.query(`UPDATE rooms SET state = 'ended' WHERE id = 1`));
      await expect(change).rejects.toThrow('Query read timeout');
    });
    await database.query(`INSERT INTO rooms VALUES (2, 'created')`);
    expect(await other.query('SELECT id, state FROM rooms ORDER BY id')).toEqual([
      { id: 1, state: 'active' },
      { id: 2, state: 'created' },
    ]);
  });
});
