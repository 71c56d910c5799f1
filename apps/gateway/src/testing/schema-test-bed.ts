import { startPostgres, type TestPostgres } from '@rtms/testing';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { databaseOptions } from '../database/data-source.js';
import { runMigrations } from '../database/run-migrations.js';

export const silentLog = { warn: () => undefined };

/** Databases of tests that are about the schema itself. */
export class SchemaTestBed {
  private readonly opened: DataSource[] = [];

  private constructor(private readonly postgres: TestPostgres) {}

  static async start(): Promise<SchemaTestBed> {
    return new SchemaTestBed(await startPostgres());
  }

  /** An empty one; answers its URL. */
  createDatabase(): Promise<string> {
    return this.postgres.createDatabase();
  }

  migrate(url: string, tableWaitMs?: number): Promise<string[]> {
    return runMigrations({ url, waitMs: 5_000, log: silentLog, ...(tableWaitMs !== undefined && { tableWaitMs }) });
  }

  /** Until the end of the test. */
  async open(url: string, further: Pick<DataSourceOptions, 'entities' | 'migrations'> = {}): Promise<DataSource> {
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
