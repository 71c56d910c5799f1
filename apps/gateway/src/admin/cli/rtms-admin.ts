#!/usr/bin/env node
import { describeAnswer, messageOf } from '@rtms/logging';
import { AdminClient } from './admin-client.js';
import type { Finding } from '../doctor/finding.js';
import { adminProgram } from './admin-program.js';
import { addDoctor } from './doctor-command.js';
import { findGateway } from './find-gateway.js';

/** Imports the modules of the gateway only here, because no other command needs them. */
async function lookLocally(): Promise<Finding[]> {
  const doctor = await import('../doctor/local-doctor.js');
  return doctor.lookLocally();
}

const client = (): AdminClient => new AdminClient(findGateway());
const write = (text: string): void => void process.stdout.write(text);
const print = (answer: object): void => {
  const { json } = program.opts<{ json?: boolean }>();
  write(json ? `${JSON.stringify(answer, null, 2)}\n` : describeAnswer(answer));
};
const program = adminProgram({ client, print });
addDoctor(program, { client, lookLocally, write, exitWith: code => (process.exitCode = code) });
await program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
});
