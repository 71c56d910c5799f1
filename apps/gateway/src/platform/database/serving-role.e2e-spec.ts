import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { SchemaTestBed, silentLog as log } from '../../testing/schema-test-bed.js';
import { startTestGateway, type TestGateway } from '../../testing/start-test-gateway.js';
import { runMigrations } from './run-migrations.js';
import { readExcessRights } from './serving-role.js';

const password = `it's "secret"`;
const refused = { driverError: { code: '42501' } };

describe('the role of the gateways', () => {
  let gateway: TestGateway;
  let database: DataSource;

  beforeAll(async () => {
    gateway = await startTestGateway();
    database = gateway.app.get(DataSource);
  });
  afterAll(() => gateway?.close());

  it.each([
    'CREATE TABLE extra (id int)',
    'ALTER TABLE rooms ADD COLUMN extra int',
    'DROP TABLE rooms',
    'TRUNCATE rooms',
    'CREATE INDEX extra ON rooms (id)',
    'CREATE SCHEMA extra',
    'CREATE ROLE extra',
    'CREATE DATABASE extra',
    'DELETE FROM migrations',
    `INSERT INTO schema_requirements (migration) VALUES ('Extra1')`,
  ])('cannot run %s', async statement => {
    await expect(database.query(statement)).rejects.toMatchObject(refused);
  });

  it('has no right beyond reading and writing rows', async () => {
    expect(await readExcessRights(database)).toEqual([]);
  });

  it('may use the tables of later migrations', async () => {
    await gateway.asOwner('CREATE TABLE later (id int)');
    await database.query('INSERT INTO later VALUES (1)');
    expect(await database.query('DELETE FROM later RETURNING id')).toEqual([[{ id: 1 }], 1]);
  });
});

describe('a database with one role', () => {
  let bed: SchemaTestBed;
  let url: string;
  let former: string;
  let other: string;

  const as = (name: string) =>
    Object.assign(new URL(url), { username: name, password: encodeURIComponent(password) }).href;
  const migrate = (owner: string, serving?: string) =>
    runMigrations({ url: as(owner), servingUrl: serving && as(serving), waitMs: 5_000, log });
  const makeRole = (administrator: DataSource, name: string) =>
    administrator.query(`CREATE ROLE ${name} LOGIN PASSWORD '${password.replaceAll("'", "''")}'`);
  const writeRow = (serving: DataSource) =>
    serving.query(`INSERT INTO accounts (id, name, api_user_name) VALUES ('acct_1', 'One', 'one')`);

  beforeAll(async () => {
    bed = await SchemaTestBed.start();
  });
  beforeEach(async () => {
    url = await bed.createDatabase();
    [former, other] = ['former', 'other'].map(name => `${name}_${randomBytes(6).toString('hex')}`) as [string, string];
    const administrator = await bed.open(url);
    await makeRole(administrator, former);
    await administrator.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} OWNER TO ${former}`);
  });
  afterEach(() => bed.closeOpened());
  afterAll(() => bed?.close());

  it('accepts a second role for gateways while the first role stays the owner', async () => {
    await migrate(former);
    await makeRole(await bed.open(url), other);
    expect(await migrate(former, other)).toEqual([]);
    const serving = await bed.open(as(other));
    await writeRow(serving);
    expect(await readExcessRights(serving)).toEqual([]);
    expect(await readExcessRights(await bed.open(as(former)))).toEqual(['may create tables', 'owns tables']);
  });

  it('keeps the first role for gateways after the tables get another owner', async () => {
    await migrate(former);
    const administrator = await bed.open(url);
    await makeRole(administrator, other);
    await administrator.query(`REASSIGN OWNED BY ${former} TO ${other}`);
    await migrate(other, former);
    const serving = await bed.open(as(former));
    await writeRow(serving);
    expect(await readExcessRights(serving)).toEqual([]);
    await expect(serving.query('DROP TABLE accounts')).rejects.toMatchObject(refused);
  });

  it('names the missing statement without a password when the owner may not create roles', async () => {
    const failure = await migrate(former, other).catch((error: unknown) => String(error));
    expect(failure).toContain(`CREATE ROLE "${other}" LOGIN`);
    expect(failure).not.toContain('secret');
  });

  it('creates the second role when the owner may create roles', async () => {
    await (await bed.open(url)).query(`ALTER ROLE ${former} CREATEROLE`);
    await migrate(former, other);
    const serving = await bed.open(as(other));
    await writeRow(serving);
    expect(await readExcessRights(serving)).toEqual([]);
  });
});
