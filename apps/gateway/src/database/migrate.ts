import { databaseUrl, databaseVariables, loadConfig, z } from '@rtms/config';
import { createLogger } from '@rtms/logging';
import { runMigrations } from './run-migrations.js';

/** `node dist/database/migrate.js`: brings the schema up to date and ends; 1 when it could not. */
const logger = createLogger({ service: 'migrate', level: 'info' });
try {
  const url = loadConfig(z.object(databaseVariables).transform(databaseUrl));
  const run = await runMigrations({ url, waitMs: 30_000, log: logger });
  logger.info({ run }, run.length === 0 ? 'the schema is up to date' : 'the schema was brought up to date');
} catch (error) {
  logger.fatal({ err: error }, 'the schema could not be brought up to date');
  process.exitCode = 1;
}
