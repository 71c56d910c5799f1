#!/usr/bin/env node
import { loadConfig, z } from '@rtms/config';
import { messageOf } from '@rtms/logging';
import { AdminClient } from './admin-client.js';
import type { Finding } from '../doctor/finding.js';
import { adminProgram } from './admin-program.js';
import { addDoctor } from './doctor-command.js';

const environment = z.object({
  RTMS_ADMIN_URL: z.string().min(1).default('http://127.0.0.1:4000'),
  RTMS_ADMIN_TOKEN: z.string().min(1),
});

function client(): AdminClient {
  const { RTMS_ADMIN_URL: url, RTMS_ADMIN_TOKEN: token } = loadConfig(environment);
  return new AdminClient({ url, token });
}

/** Imports the modules of the gateway only here, because no other command needs them. */
async function lookLocally(): Promise<Finding[]> {
  const doctor = await import('../doctor/local-doctor.js');
  return doctor.lookLocally();
}

const write = (text: string): void => void process.stdout.write(text);
const program = adminProgram({ client, print: answer => write(`${JSON.stringify(answer, null, 2)}\n`) });
addDoctor(program, { client, lookLocally, write, exitWith: code => (process.exitCode = code) });
await program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
});
