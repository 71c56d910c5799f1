#!/usr/bin/env node
// The command `rtms` for developers. Beside `npm start` it finds addresses and credentials in ready.json.
import { reportFailure, StartFailure } from '../setup/start-failure.mjs';

/** Loads the commands, whose packages `npm start` installs. */
async function program() {
  try {
    const { rtmsProgram } = await import('./rtms-program.mjs');
    return rtmsProgram();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
    throw new StartFailure(`A package is missing: run \`npm start\` or \`npm ci\` first (${error.message}).`);
  }
}

try {
  await (await program()).parseAsync();
  process.exit();
} catch (error) {
  reportFailure(error);
  process.exit(1);
}
