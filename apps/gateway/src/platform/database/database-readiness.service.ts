import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { Readiness } from '@rtms/health';
import { DataSource } from 'typeorm';
import { CLOCK } from '../runtime/runtime.module.js';
import { readSchemaProblem } from './schema-state.js';

/** Orchestrators wait three seconds for `/readyz`. */
const answersWithinMs = 1_000;

/**
 * Readiness: this gateway can work with the schema. The database itself is only reported, because all gateways lose it together.
 * While it is away they keep their sockets and answer 503 with `Retry-After`.
 */
@Injectable()
export class DatabaseReadinessService implements OnModuleInit {
  private reading: Promise<boolean> | undefined;
  /** The last known state, which counts while the database is away. A gateway starts only with a schema that fits. */
  private schemaFits = true;

  constructor(
    private readonly database: DataSource,
    private readonly readiness: Readiness,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.readiness.reports('database', () => this.readSchemaSoon());
    this.readiness.needs('schema', async () => {
      await this.readSchemaSoon();
      return this.schemaFits;
    });
  }

  /** Returns whether PostgreSQL answers now. */
  answers(): Promise<boolean> {
    return this.database.query('SELECT 1').then(
      () => true,
      () => false,
    );
  }

  /** Returns whether the database answered within a second. Requests during a slow read share it. */
  private async readSchemaSoon(): Promise<boolean> {
    this.reading ??= this.readSchema().finally(() => (this.reading = undefined));
    const answered = new AbortController();
    const tooLate = this.clock.pause(answersWithinMs, answered.signal).then(() => false);
    return Promise.race([this.reading, tooLate]).finally(() => answered.abort());
  }

  private async readSchema(): Promise<boolean> {
    try {
      this.schemaFits = (await readSchemaProblem(this.database)) === undefined;
      return true;
    } catch {
      return false;
    }
  }
}
