import type { DataSource } from 'typeorm';
import { FoundKeysRepository } from '../../accounts/authentication/found-keys.repository.js';
import { seedDemo, seededEntities } from '../../accounts/seed-demo-account.js';
import { DashboardUser } from '../../accounts/users/dashboard-user.entities.js';
import { isPassword } from '../../accounts/users/credentials.js';
import { KeyedHasher } from '../secrets/keyed-hasher.js';
import { SchemaTestBed, silentLog as log } from '../../testing/schema-test-bed.js';
import { allMigrations } from './migrations/all-migrations.js';
import { runMigrations } from './run-migrations.js';

const byTime = (one: string, other: string) => Number(one.slice(-13)) - Number(other.slice(-13));
const config = { secretKey: Buffer.alloc(32, 1) };

const keysOf = (database: DataSource, secretKey: Buffer) =>
  new FoundKeysRepository(database, new KeyedHasher(database, { secretKey }));

describe('a database at its first start', () => {
  let bed: SchemaTestBed;

  beforeAll(async () => {
    bed = await SchemaTestBed.start();
  });
  afterEach(() => bed.closeOpened());
  afterAll(() => bed?.close());

  it('is migrated once when many gateways start together', async () => {
    const url = await bed.createDatabase();
    const runs = await Promise.all(Array.from({ length: 5 }, () => bed.migrate(url)));
    expect(runs.filter(run => run.length > 0)).toEqual([allMigrations.map(({ name }) => name).sort(byTime)]);
    expect(await bed.migrate(url)).toEqual([]);
  });

  it('fails after the longest wait', async () => {
    await expect(runMigrations({ url: 'postgres://x@127.0.0.1:1/x', waitMs: 0, log })).rejects.toThrow(/ECONNREFUSED/);
  });

  it('gets one demo account, whose key authenticates', async () => {
    const url = await bed.createDatabase();
    await bed.migrate(url);
    const database = await bed.open(url, { entities: seededEntities });
    const seeds = await Promise.all([seedDemo(database, config), seedDemo(database, config)]);
    const [first] = seeds.filter(seed => seed.created);
    expect(seeds.filter(seed => !seed.created)).toEqual([{ created: false, apiUserName: first?.apiUserName }]);
    const found = await keysOf(database, config.secretKey).find(first?.apiKey ?? '');
    expect(found).toMatchObject({ apiUserName: first?.apiUserName, keyType: 'sandbox' });
    const { email, passwordHash } = await database.getRepository(DashboardUser).findOneByOrFail({ role: 'owner' });
    expect(email).toBe(first?.signIn?.email);
    expect(await isPassword(passwordHash, first?.signIn?.password ?? '')).toBe(true);
  });

  it('finds no key under another secret', async () => {
    const url = await bed.createDatabase();
    await bed.migrate(url);
    const database = await bed.open(url, { entities: seededEntities });
    const { apiKey = '' } = await seedDemo(database, config);
    await expect(keysOf(database, Buffer.alloc(32, 2)).find(apiKey)).rejects.toThrow(/opens under none/);
  });
});
