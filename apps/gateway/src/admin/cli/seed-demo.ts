import 'reflect-metadata';
import { databaseUrl, databaseVariables, loadConfig, z } from '@rtms/config';
import { DataSource } from 'typeorm';
import { databaseOptions } from '../../platform/database/data-source.js';
import { previousSecretKeysVariable, secretKeyVariable } from '../../gateway.config.js';
import { seedDemo, seededEntities } from '../../accounts/seed-demo-account.js';

/**
 * `node dist/admin/cli/seed-demo.js` creates an account with a sandbox key and a dashboard user, unless the database has an account.
 * Prints one line of JSON: `{ created, apiUserName, apiKey?, signIn? }`.
 */
const env = loadConfig(
  z.object({
    ...databaseVariables,
    RTMS_SECRET_KEY: secretKeyVariable,
    RTMS_PREVIOUS_SECRET_KEYS: previousSecretKeysVariable,
  }),
);
const secretKeys = { secretKey: env.RTMS_SECRET_KEY, previousSecretKeys: env.RTMS_PREVIOUS_SECRET_KEYS };
const silent = { warn: () => undefined };
const options = { ...databaseOptions(databaseUrl(env), silent), entities: seededEntities };
const database = await new DataSource(options).initialize();
try {
  process.stdout.write(`${JSON.stringify(await seedDemo(database, secretKeys))}\n`);
} finally {
  await database.destroy();
}
