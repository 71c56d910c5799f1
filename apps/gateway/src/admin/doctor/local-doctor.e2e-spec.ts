import { asServingRole, freePort, startNats, startPostgres } from '@rtms/testing';
import { DataSource } from 'typeorm';
import { databaseOptions } from '../../platform/database/data-source.js';
import { runMigrations } from '../../platform/database/run-migrations.js';
import { loadGatewayConfig } from '../../gateway.config.js';
import type { Finding } from './finding.js';
import { lookLocally } from './local-doctor.js';

const secretKey = Buffer.alloc(32, 9).toString('base64');
const adminToken = 'an-administrator-token-that-is-long';

let postgres: Awaited<ReturnType<typeof startPostgres>>;
let nats: Awaited<ReturnType<typeof startNats>>;
let databaseUrl: string;

function look(changes: Record<string, string> = {}): Promise<Finding[]> {
  const env = {
    DATABASE_URL: asServingRole(databaseUrl),
    ...nats.environment('gateway'),
    RTMS_SECRET_KEY: secretKey,
    RTMS_ADMIN_TOKEN: adminToken,
    ...changes,
  };
  return lookLocally(() => loadGatewayConfig(env));
}

const levels = (findings: Finding[]) => Object.fromEntries(findings.map(({ check, level }) => [check, level]));
const messageOf = (findings: Finding[], check: string) => findings.find(each => each.check === check)?.message;

/** Readers may pass the lines on. */
function expectNoSecret(findings: Finding[]): void {
  const passwords = [
    nats.environment('gateway').NATS_PASSWORD,
    new URL(asServingRole(databaseUrl)).password,
    secretKey,
    adminToken,
  ];
  for (const secret of passwords.filter(each => each !== '')) expect(JSON.stringify(findings)).not.toContain(secret);
}

describe('a doctor without a gateway', () => {
  beforeAll(async () => {
    [postgres, nats] = await Promise.all([startPostgres(), startNats()]);
    databaseUrl = await postgres.createDatabase();
    await runMigrations({
      url: databaseUrl,
      servingUrl: asServingRole(databaseUrl),
      waitMs: 10_000,
      log: { warn: () => undefined },
    });
  });

  afterAll(async () => {
    await nats?.stop();
    await postgres?.stop();
  });

  it('finds no problem with settings, database and NATS', async () => {
    const findings = await look();
    expect(levels(findings)).toEqual({
      settings: 'ok',
      database: 'ok',
      'database-clock': 'ok',
      'database-role': 'ok',
      migrations: 'ok',
      secrets: 'ok',
      bus: 'ok',
      jetstream: 'ok',
      'admin-token': 'ok',
    });
    expectNoSecret(findings);
  });

  it('warns of a role with more rights than reading and writing rows', async () => {
    const findings = await look({ DATABASE_URL: databaseUrl });
    expect(levels(findings)).toMatchObject({ 'database-role': 'warn' });
    expect(messageOf(findings, 'database-role')).toContain('is a superuser');
  });

  it('names a migration that was not applied', async () => {
    const database = await new DataSource(databaseOptions(databaseUrl, { warn: () => undefined })).initialize();
    const newest = '(SELECT max(id) FROM migrations)';
    const [[removed]] = await database.query<[{ timestamp: string; name: string }[]]>(
      `DELETE FROM migrations WHERE id = ${newest} RETURNING timestamp, name`,
    );
    const findings = await look();
    await database.query('INSERT INTO migrations (timestamp, name) VALUES ($1, $2)', [
      removed!.timestamp,
      removed!.name,
    ]);
    await database.destroy();
    expect(levels(findings)).toMatchObject({ database: 'ok', migrations: 'fail' });
    expect(messageOf(findings, 'migrations')).toBe(`1 not applied, the first is ${removed!.name}`);
  });

  it('finds that an empty database has no schema', async () => {
    const findings = await look({ DATABASE_URL: await postgres.createDatabase() });
    expect(levels(findings)).toMatchObject({ database: 'ok', migrations: 'fail' });
    expect(messageOf(findings, 'migrations')).toMatch(/^[1-9]\d* not applied, the first is Initial/);
  });

  it('reports that PostgreSQL does not answer', async () => {
    const away = new URL(databaseUrl);
    away.port = String(await freePort());
    const findings = await look({ DATABASE_URL: away.href });
    expect(levels(findings)).toMatchObject({ database: 'fail', bus: 'ok' });
    expect(messageOf(findings, 'database')).toMatch(/does not answer: .*ECONNREFUSED/);
    expectNoSecret(findings);
  });

  it('reports within seconds that NATS does not answer', async () => {
    const findings = await look({ NATS_URL: `nats://somebody:hidden-password@127.0.0.1:${await freePort()}` });
    expect(levels(findings)).toMatchObject({ database: 'ok', bus: 'fail' });
    expect(JSON.stringify(findings)).not.toContain('hidden-password');
    expectNoSecret(findings);
  });

  it('reports that NATS refuses the password', async () => {
    const findings = await look({ NATS_PASSWORD: 'p-another' });
    expect(levels(findings)).toMatchObject({ bus: 'fail' });
    expect(messageOf(findings, 'bus')).toContain('set NATS_USER and NATS_PASSWORD');
    expect(JSON.stringify(findings)).not.toContain('p-another');
  });

  it('reports missing settings and skips the other checks', async () => {
    const findings = await look({ RTMS_SECRET_KEY: '', RTMS_ADMIN_TOKEN: 'short' });
    expect(levels(findings)).toEqual({ settings: 'fail' });
    expect(messageOf(findings, 'settings')).toMatch(/RTMS_SECRET_KEY[^]*RTMS_ADMIN_TOKEN/);
  });
});
