#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import { importCommand } from './import-command.js';

process.exitCode = await importCommand(process.argv.slice(2), {
  read: file => readFile(file),
  print: text => process.stdout.write(`${text}\n`),
  complain: text => process.stderr.write(`${text}\n`),
});
