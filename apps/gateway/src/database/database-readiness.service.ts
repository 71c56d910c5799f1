import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Readiness } from '@rtms/health';
import { DataSource } from 'typeorm';
import { allMigrations } from './migrations/all-migrations.js';

const migrationNames = allMigrations.map(({ name }) => name);

/** A database that answers but lacks tables or columns cannot serve either; a newer schema can. */
@Injectable()
export class DatabaseReadiness implements OnModuleInit {
  constructor(
    private readonly database: DataSource,
    private readonly readiness: Readiness,
  ) {}

  onModuleInit(): void {
    this.readiness.needs('database', () => this.answers());
    this.readiness.needs('schema', () => this.isMigrated());
  }

  private async answers(): Promise<boolean> {
    await this.database.query('SELECT 1');
    return true;
  }

  private async isMigrated(): Promise<boolean> {
    const sql = 'SELECT count(DISTINCT name)::int AS count FROM migrations WHERE name = ANY($1)';
    const [{ count }] = await this.database.query<[{ count: number }]>(sql, [migrationNames]);
    return count === migrationNames.length;
  }
}
