import pg from 'pg';
import { startPostgres, type TestPostgres } from './start-postgres.js';

async function answerOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
    return rows[0]?.name ?? '';
  } finally {
    await client.end();
  }
}

describe('startPostgres', () => {
  const started: TestPostgres[] = [];
  afterEach(async () => {
    await Promise.all(started.splice(0).map(postgres => postgres.stop()));
  });

  it('gives each test a database of its own', async () => {
    const [one, other] = await Promise.all([startPostgres(), startPostgres()]);
    started.push(one, other);
    expect(await answerOf(one.url)).not.toBe(await answerOf(other.url));
  });

  it('restarts a dedicated server at the same address', async () => {
    const postgres = await startPostgres({ dedicated: true });
    started.push(postgres);
    const before = await answerOf(postgres.url);
    await postgres.restart();
    expect(await answerOf(postgres.url)).toBe(before);
  });
});
