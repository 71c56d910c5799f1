import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Readiness } from '@rtms/health';
import { DataSource } from 'typeorm';
import { readSchemaProblem } from './schema-state.js';

/** Readiness checks: the database answers, and this gateway can work with its schema. */
@Injectable()
export class DatabaseReadinessService implements OnModuleInit {
  constructor(
    private readonly database: DataSource,
    private readonly readiness: Readiness,
  ) {}

  onModuleInit(): void {
    this.readiness.needs('database', () => this.answers());
    this.readiness.needs('schema', async () => (await readSchemaProblem(this.database)) === undefined);
  }

  /** Returns whether PostgreSQL answers now. */
  answers(): Promise<boolean> {
    return this.database.query('SELECT 1').then(
      () => true,
      () => false,
    );
  }
}
