import { databaseUrls, databaseVariables, loadConfig, ownerVariables, z } from '@rtms/config';
import { createLogger } from '@rtms/logging';
import { runMigrations } from './run-migrations.js';

/**
 * `node dist/platform/database/migrate.js`: brings the schema up to date with the role of `DATABASE_OWNER_URL` and gives the role of
 * `DATABASE_URL` its rights. Exits with 1 after a failure.
 */
const logger = createLogger({ service: 'migrate', level: 'info' });
try {
  const urls = loadConfig(z.object({ ...databaseVariables, ...ownerVariables }).transform(databaseUrls));
  const run = await runMigrations({ ...urls, waitMs: 30_000, log: logger });
  logger.info({ run }, run.length === 0 ? 'the schema is up to date' : 'the schema was brought up to date');
} catch (error) {
  logger.fatal({ err: error }, 'the schema could not be brought up to date');
  process.exitCode = 1;
}
