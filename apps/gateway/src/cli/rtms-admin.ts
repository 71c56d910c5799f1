#!/usr/bin/env node
import { loadConfig, z } from '@rtms/config';
import { AdminClient } from './admin-client.js';
import { adminProgram } from './admin-program.js';

const environment = z.object({
  RTMS_ADMIN_URL: z.string().min(1).default('http://127.0.0.1:4000'),
  RTMS_ADMIN_TOKEN: z.string().min(1),
});

function client(): AdminClient {
  const { RTMS_ADMIN_URL: url, RTMS_ADMIN_TOKEN: token } = loadConfig(environment);
  return new AdminClient({ url, token });
}

const program = adminProgram({ client, print: answer => process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`) });
await program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
