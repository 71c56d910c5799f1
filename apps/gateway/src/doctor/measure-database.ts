import type { Clock } from '@rtms/clock';
import type { DataSource } from 'typeorm';
import { allMigrations } from '../database/migrations/all-migrations.js';
import { sealedColumns, type SealedColumn } from '../secrets/sealed-columns.js';
import { readExcessRights } from '../database/serving-role.js';
import type { SecretVault } from '../secrets/secret-vault.js';
import type { Finding } from './finding.js';
import { judgeClock, judgeDatabase, judgeDatabaseRole, judgeMigrations, judgeSecrets } from './judge-platform.js';
import { measure } from './measured.js';

/** Of each column. */
const mostSecrets = 50;

/** What there is to say about the database; the same for the gateway and for a doctor without one. */
export async function lookAtDatabase(database: DataSource, vault: SecretVault, clock: Clock): Promise<Finding[]> {
  const version = await measure(() => versionOf(database));
  const findings: Finding[] = [{ check: 'database', ...judgeDatabase(version) }];
  if ('failure' in version) return findings;
  const compared = await measure(() => compareClocks(database, clock));
  if ('value' in compared)
    findings.push({
      check: 'database-clock',
      ...judgeClock(compared.value.differenceMs, compared.value.uncertaintyMs),
    });
  findings.push({ check: 'database-role', ...judgeDatabaseRole(await measure(() => readExcessRights(database))) });
  const migrations: Finding = {
    check: 'migrations',
    ...judgeMigrations(await measure(() => missingMigrations(database))),
  };
  findings.push(migrations);
  if (migrations.level === 'fail') return findings;
  findings.push({ check: 'secrets', ...judgeSecrets(await measure(() => openSecrets(database, vault))) });
  return findings;
}

async function versionOf(database: DataSource): Promise<string> {
  const [{ server_version: version }] = await database.query<[{ server_version: string }]>('SHOW server_version');
  return version;
}

async function compareClocks(
  database: DataSource,
  clock: Clock,
): Promise<{ differenceMs: number; uncertaintyMs: number }> {
  const begun = clock.now();
  const [{ now }] = await database.query<[{ now: Date }]>('SELECT clock_timestamp() AS now');
  const uncertaintyMs = clock.now() - begun;
  return { differenceMs: now.getTime() - begun - uncertaintyMs / 2, uncertaintyMs };
}

async function missingMigrations(database: DataSource): Promise<string[]> {
  const [found] = await database.query<[{ id: string | null }]>("SELECT to_regclass('migrations')::text AS id");
  const applied = found.id ? await database.query<{ name: string }[]>('SELECT name FROM migrations') : [];
  const names = new Set(applied.map(({ name }) => name));
  return allMigrations.map(({ name }) => name).filter(name => !names.has(name));
}

async function openSecrets(database: DataSource, vault: SecretVault): Promise<{ tried: number; unreadable: number }> {
  const counts = { tried: 0, unreadable: 0 };
  for (const column of Object.values(sealedColumns)) {
    for (const { id, sealed } of await newestSecrets(database, column)) {
      counts.tried += 1;
      if (!opens(vault, column, id, sealed)) counts.unreadable += 1;
    }
  }
  return counts;
}

function newestSecrets(
  database: DataSource,
  { table, idColumn, column }: SealedColumn,
): Promise<{ id: string; sealed: Buffer }[]> {
  return database.query(
    `SELECT ${idColumn} AS id, ${column} AS sealed FROM ${table} WHERE ${column} IS NOT NULL
     ORDER BY ${idColumn} DESC LIMIT ${mostSecrets}`,
  );
}

function opens(vault: SecretVault, column: SealedColumn, id: string, sealed: Buffer): boolean {
  try {
    vault.open(column, id, sealed);
    return true;
  } catch {
    return false;
  }
}
