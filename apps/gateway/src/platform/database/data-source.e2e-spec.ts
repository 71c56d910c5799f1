import { startPostgres, type TestPostgres } from '@rtms/testing';
import { DataSource } from 'typeorm';
import { databaseOptions } from './data-source.js';
import { isDatabaseUnavailable } from './database-errors.js';

/** Far longer than a statement without a wait. */
const queryTimeoutMs = 1_000;
const log = { warn: () => undefined };

describe('a database connection', () => {
  let postgres: TestPostgres;
  let database: DataSource;
  let other: DataSource;

  beforeAll(async () => {
    postgres = await startPostgres();
    const options = Object.assign(databaseOptions(postgres.url, log, { queryTimeoutMs }), { poolSize: 1 });
    database = await new DataSource(options).initialize();
    other = await new DataSource(databaseOptions(postgres.url, log, { queryTimeoutMs: 0 })).initialize();
    await other.query('CREATE TABLE rooms (id int PRIMARY KEY, state text)');
    await other.query(`INSERT INTO rooms VALUES (1, 'created')`);
  });

  afterAll(async () => {
    await database?.destroy();
    await other?.destroy();
    await postgres?.stop();
  });

  const prepared = (): Promise<{ statement: string }[]> =>
    database.query('SELECT statement FROM pg_prepared_statements ORDER BY prepare_time');

  it('prepares a statement with parameters once, unless its text is long', async () => {
    const text = 'SELECT state FROM rooms WHERE id = $1';
    for (const id of [1, 1, 2]) await database.query(text, [id]);
    await database.query(`SELECT $1::int AS one${' '.repeat(8_000)}`, [1]);
    const rows = await prepared();
    expect(rows.filter(({ statement }) => statement.includes(' AS one'))).toEqual([]);
    expect(rows.filter(({ statement }) => statement === text)).toHaveLength(1);
  });

  it('prepares several statements that are sent at once', async () => {
    const text = 'SELECT $1::int + 1 AS sum';
    const sums = await database.transaction(manager => Promise.all([1, 2].map(id => manager.query(text, [id]))));
    expect(sums).toEqual([[{ sum: 2 }], [{ sum: 3 }]]);
    expect(await database.query(text, [3])).toEqual([{ sum: 4 }]);
  });

  it('is replaced when a migration has changed a type of a prepared statement', async () => {
    const read = () => database.query('SELECT state FROM rooms WHERE id = $1', [1]);
    await read();
    await other.query('ALTER TABLE rooms ALTER state TYPE varchar(20)');
    const error: unknown = await read().catch((problem: unknown) => problem);
    expect(error).toMatchObject({ message: 'cached plan must not change result type' });
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(await read()).toEqual([{ state: 'created' }]);
  });

  it('leaves no transaction when a statement exceeds its time limit', async () => {
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

  it('keeps 300 statements prepared at most', async () => {
    const sum = (count: number) =>
      `SELECT ${Array.from({ length: count }, (_, n) => `$${n + 1}::int`).join(' + ')} AS sum`;
    for (let count = 1; count <= 400; count += 1) await database.query(sum(count), new Array(count).fill(1));
    expect(await prepared()).toHaveLength(300);
  });
});
