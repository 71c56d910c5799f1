import pg from 'pg';
import { startPostgres, type TestPostgres } from './start-postgres.js';

function answerOf(url: string): Promise<string> {
  return ask(url, 'SELECT current_database() AS answer');
}

async function ask(url: string, statement: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ answer: string }>(statement);
    return rows[0]?.answer ?? '';
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

  it('fills a template once and copies it', async () => {
    const filled: string[] = [];
    const template = {
      name: `of_${process.pid}`,
      fill: async (url: string) => {
        filled.push(url);
        await ask(url, "CREATE TABLE notes AS SELECT 'from the template' AS answer");
      },
    };
    const [one, other] = await Promise.all([startPostgres({ template }), startPostgres({ template })]);
    started.push(one, other);
    await ask(one.url, 'DELETE FROM notes');
    const read = 'SELECT answer FROM notes';
    expect([await ask(other.url, read), await ask(await other.createDatabase(), read)]).toEqual([
      'from the template',
      'from the template',
    ]);
    expect(await ask(one.url, read)).toBe('');
    expect(filled).toHaveLength(1);
  });

  it('retries after the filling of a template failed', async () => {
    const name = `again_${process.pid}`;
    const failing = { name, fill: () => Promise.reject(new Error('no schema')) };
    await expect(startPostgres({ template: failing })).rejects.toThrow('no schema');
    const working = { name, fill: (url: string) => ask(url, "CREATE TABLE notes AS SELECT 'filled' AS answer") };
    const postgres = await startPostgres({ template: working });
    started.push(postgres);
    expect(await ask(postgres.url, 'SELECT answer FROM notes')).toBe('filled');
  });

  it('restarts a dedicated server at the same address', async () => {
    const postgres = await startPostgres({ dedicated: true });
    started.push(postgres);
    const before = await answerOf(postgres.url);
    await postgres.restart();
    expect(await answerOf(postgres.url)).toBe(before);
  });
});
