#!/usr/bin/env node
import { createReadStream } from 'node:fs';
import { importCommand } from './import-command.js';

process.exitCode = await importCommand(process.argv.slice(2), {
  read: (file, max) => firstBytes(file === '-' ? process.stdin : createReadStream(file), max),
  print: text => process.stdout.write(`${text}\n`),
  complain: text => process.stderr.write(`${text}\n`),
});

/** Leaving the loop closes the stream. */
async function firstBytes(stream: AsyncIterable<Uint8Array>, max: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= max) break;
  }
  return Buffer.concat(chunks).subarray(0, max);
}
