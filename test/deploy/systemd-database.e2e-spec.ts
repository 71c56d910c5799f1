import { spawnSync } from 'node:child_process';
import { startPostgres, type TestPostgres } from '@rtms/testing';
import pg from 'pg';
import { repository } from './render.js';

describe('deploy/systemd/database.sql', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres({ dedicated: true });
  });
  afterAll(() => postgres?.stop());

  function run(owner: string, serving: string): void {
    const words = ['-q', '-v', 'ON_ERROR_STOP=1', '-d', postgres.serverUrl, '-f', 'deploy/systemd/database.sql'];
    const env = { PATH: process.env['PATH'], OWNER_PASSWORD: owner, SERVING_PASSWORD: serving };
    const { status, stderr } = spawnSync('psql', words, { cwd: repository, env, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  }

  async function asRole<Result>(user: string, password: string, work: (client: pg.Client) => Promise<Result>) {
    const url = Object.assign(new URL(postgres.serverUrl), { username: user, password, pathname: '/rtms' });
    const client = new pg.Client(url.href);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  it('makes the owner and the database, and gives the roles of an earlier installation the new passwords', async () => {
    run('old-owner', 'old-serving');
    // As the migrations do.
    await asRole('rtms', 'old-owner', client => client.query(`CREATE ROLE rtms_gateway LOGIN PASSWORD 'old-serving'`));
    run(`new-'owner`, `new-'serving`);
    const { rows } = await asRole('rtms', `new-'owner`, client =>
      client.query('SELECT pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = current_database()'),
    );
    expect(rows).toEqual([{ owner: 'rtms' }]);
    expect((await asRole('rtms_gateway', `new-'serving`, client => client.query('SELECT 1'))).rowCount).toBe(1);
    await expect(asRole('rtms_gateway', 'old-serving', client => client.query('SELECT 1'))).rejects.toThrow('password');
  });
});
