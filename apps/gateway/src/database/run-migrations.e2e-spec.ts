import { startPostgres, type TestPostgres } from '@rtms/testing';
import { DataSource } from 'typeorm';
import { KeyLookUp } from '../auth/key-look-up.service.js';
import { seedDemo, seededEntities } from '../cli/seed-demo-account.js';
import { DashboardUser } from '../dashboard-users/dashboard-user.entity.js';
import { isPassword } from '../dashboard-users/passwords.js';
import { KeyedHasher } from '../secrets/keyed-hasher.js';
import { databaseOptions } from './data-source.js';
import { allMigrations } from './migrations/all-migrations.js';
import { runMigrations } from './run-migrations.js';

const log = { warn: () => undefined };
const byTime = (one: string, other: string) => Number(one.slice(-13)) - Number(other.slice(-13));
const config = { secretKey: Buffer.alloc(32, 1) };

const keysOf = (database: DataSource, secretKey: Buffer) =>
  new KeyLookUp(database, new KeyedHasher(database, { secretKey }));

describe('a database at its first start', () => {
  let postgres: TestPostgres;

  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());

  const migrate = (url: string) => runMigrations({ url, waitMs: 5_000, log });
  const open = (url: string) => new DataSource({ ...databaseOptions(url, log), entities: seededEntities }).initialize();

  it('is brought up to date once by many that start together', async () => {
    const url = await postgres.createDatabase();
    const runs = await Promise.all(Array.from({ length: 5 }, () => migrate(url)));
    expect(runs.filter(run => run.length > 0)).toEqual([allMigrations.map(({ name }) => name).sort(byTime)]);
    expect(await migrate(url)).toEqual([]);
  });

  it('is not waited for longer than allowed', async () => {
    await expect(runMigrations({ url: 'postgres://x@127.0.0.1:1/x', waitMs: 0, log })).rejects.toThrow(/ECONNREFUSED/);
  });

  it('gets one demo account with a key that is found again', async () => {
    const url = await postgres.createDatabase();
    await migrate(url);
    const database = await open(url);
    try {
      const seeds = await Promise.all([seedDemo(database, config), seedDemo(database, config)]);
      const [first] = seeds.filter(seed => seed.created);
      expect(seeds.filter(seed => !seed.created)).toEqual([{ created: false, apiUserName: first?.apiUserName }]);
      const found = await keysOf(database, config.secretKey).find(first?.apiKey ?? '');
      expect(found).toMatchObject({ apiUserName: first?.apiUserName, keyType: 'sandbox' });
      const { email, passwordHash } = await database.getRepository(DashboardUser).findOneByOrFail({ role: 'owner' });
      expect(email).toBe(first?.signIn?.email);
      expect(await isPassword(passwordHash, first?.signIn?.password ?? '')).toBe(true);
    } finally {
      await database.destroy();
    }
  });

  it('finds no key under another secret', async () => {
    const url = await postgres.createDatabase();
    await migrate(url);
    const database = await open(url);
    try {
      const { apiKey = '' } = await seedDemo(database, config);
      await expect(keysOf(database, Buffer.alloc(32, 2)).find(apiKey)).rejects.toThrow(/opens under none/);
    } finally {
      await database.destroy();
    }
  });
});
