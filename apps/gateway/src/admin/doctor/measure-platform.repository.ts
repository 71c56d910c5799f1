import type { Bus } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { factStream, leaseBucket, type NodeLease } from '@rtms/contracts';
import type { DataSource } from 'typeorm';
import { allMigrations } from '../../platform/database/migrations/all-migrations.js';
import { readMigrations } from '../../platform/database/schema-state.js';
import { readLastSealed } from '../../platform/secrets/secrets.repository.js';
import { sealedColumns, type SealedColumn } from '../../platform/secrets/sealed-columns.js';
import { readExcessRights } from '../../platform/database/serving-role.js';
import type { SecretVault } from '../../platform/secrets/secret-vault.js';
import { measure, type Finding } from './finding.js';
import {
  judgeBus,
  judgeClock,
  judgeCopies,
  judgeDatabase,
  judgeDatabaseRole,
  judgeJetStream,
  judgeMigrations,
  judgeSecrets,
} from './judge-platform.js';

/** The most values of each column that the check decrypts. */
const mostSecrets = 50;

/** Checks the database, for the gateway and for a doctor without a gateway. */
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
  const names = new Set(await readMigrations(database));
  return allMigrations.map(({ name }) => name).filter(name => !names.has(name));
}

async function openSecrets(database: DataSource, vault: SecretVault): Promise<{ tried: number; unreadable: number }> {
  const counts = { tried: 0, unreadable: 0 };
  for (const column of Object.values(sealedColumns)) {
    for (const { id, sealed } of await readLastSealed(database, column, mostSecrets)) {
      counts.tried += 1;
      if (!opens(vault, column, id, sealed)) counts.unreadable += 1;
    }
  }
  return counts;
}

function opens(vault: SecretVault, column: SealedColumn, id: string, sealed: Buffer): boolean {
  try {
    vault.open(column, id, sealed);
    return true;
  } catch {
    return false;
  }
}

/** Checks NATS, for the gateway and for a doctor without a gateway. */
export async function lookAtBus(bus: Bus, replicas: number | undefined): Promise<Finding[]> {
  const isConnected = bus.isConnected();
  const findings: Finding[] = [
    { check: 'bus', ...judgeBus(isConnected ? { value: bus } : { failure: 'the connection was lost' }) },
  ];
  if (!isConnected) return findings;
  const opened = await measure(() => openAll(bus));
  const copies = await measure(() => bus.copies());
  const short = 'value' in opened && 'value' in copies ? judgeCopies(copies.value, replicas) : undefined;
  return [...findings, { check: 'jetstream', ...(short ?? judgeJetStream('failure' in copies ? copies : opened)) }];
}

async function openAll(bus: Bus): Promise<string> {
  await bus.ensureStream(factStream);
  const leases = await bus.keyValue<NodeLease>(leaseBucket);
  await leases.get('doctor');
  return `stream ${factStream.name} and bucket ${leaseBucket}`;
}
