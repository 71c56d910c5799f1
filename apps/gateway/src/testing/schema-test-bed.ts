import { startPostgres, type TestPostgres } from '@rtms/testing';
import { DataSource, type DataSourceOptions, type MigrationInterface, type QueryRunner } from 'typeorm';
import { buildIndexes, dropIndexes } from '../platform/database/migrations/concurrent-indexes.js';
import { databaseOptions } from '../platform/database/data-source.js';
import { allMigrations } from '../platform/database/migrations/all-migrations.js';
import { runMigrations, type MigrationOptions } from '../platform/database/run-migrations.js';

export const silentLog = { warn: () => undefined };

const down = () => Promise.reject(new Error('no test undoes a migration'));

/** A reference to `accounts` needs a lock that waits for all writers of accounts. */
class NextTables1999999999998 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE notes (id text PRIMARY KEY, account_id text NOT NULL REFERENCES accounts (id))`,
    );
    await queryRunner.query(`ALTER TABLE rooms ADD COLUMN note text NOT NULL DEFAULT ''`);
  }

  down = down;
}

class NextIndexes1999999999999 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await buildIndexes(queryRunner, { notes_by_account: 'ON notes (account_id, id)' }, 'UNIQUE');
    await buildIndexes(queryRunner, { rooms_ended: `ON rooms (account_id, ended_at) WHERE state = 'ended'` });
    await dropIndexes(queryRunner, { rooms_by_end: 'ON rooms (ended_at)' });
  }

  down = down;
}

/** The migrations of this version and invented migrations of the next version. */
export const nextMigrations = [...allMigrations, NextTables1999999999998, NextIndexes1999999999999];

/** Databases for tests of the schema. */
export class SchemaTestBed {
  private readonly opened: DataSource[] = [];

  private constructor(private readonly postgres: TestPostgres) {}

  static async start(): Promise<SchemaTestBed> {
    return new SchemaTestBed(await startPostgres());
  }

  /** Creates an empty database. Returns its URL. */
  createDatabase(): Promise<string> {
    return this.postgres.createDatabase();
  }

  migrate(url: string, further: Pick<MigrationOptions, 'migrations' | 'tableWaitMs'> = {}): Promise<string[]> {
    return runMigrations({ url, waitMs: 5_000, log: silentLog, ...further });
  }

  /** Opens a database until the end of the test. */
  async open(url: string, further: Pick<DataSourceOptions, 'entities'> = {}): Promise<DataSource> {
    const database = await new DataSource({ ...databaseOptions(url, silentLog), ...further }).initialize();
    this.opened.push(database);
    return database;
  }

  async closeOpened(): Promise<void> {
    for (const database of this.opened.splice(0)) await database.destroy();
  }

  async close(): Promise<void> {
    await this.closeOpened();
    await this.postgres.stop();
  }
}
