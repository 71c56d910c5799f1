import { loadConfig, z } from '@rtms/config';
import { createLogger } from '@rtms/logging';
import { schemaReady } from './schema-ready.js';

/**
 * `node dist/database/wait-for-schema.js`: ends when every migration of this release has run, so that a gateway that
 * starts after it never meets an older schema. It changes nothing, and waits as long as it takes.
 */
const { DATABASE_URL: url } = loadConfig(z.object({ DATABASE_URL: z.string().min(1) }));
await schemaReady({ url, retryMs: 1000, log: createLogger({ service: 'wait-for-schema', level: 'info' }) });
