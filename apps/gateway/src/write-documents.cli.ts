import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { MemoryBus } from '@rtms/bus';
import { createLogger } from '@rtms/logging';
import { loadGatewayConfig } from './gateway.config.js';
import { GatewayModule } from './gateway.module.js';
import { collectRoutes } from './platform/http/route-table.js';
import { audiences, buildDocument, type OpenApiDocument } from './platform/openapi/document.js';

/** Nothing is opened, so that none of this is ever used. */
const config = loadGatewayConfig({
  DATABASE_URL: 'postgres://127.0.0.1/none',
  NATS_URL: 'none',
  RTMS_SECRET_KEY: randomBytes(32).toString('base64'),
  RTMS_ADMIN_TOKEN: randomBytes(16).toString('hex'),
});

/**
 * Writes the document of each audience into a directory, `public.json` for one, without a database or a bus. In `reference.json` the
 * public API has an operation for each action.
 */
async function writeDocuments(directory: string): Promise<void> {
  const logger = createLogger({ service: 'openapi', level: 'silent' });
  const runtime = { config, bus: new MemoryBus(), logger };
  // A preview knows the modules and their controllers and makes no provider of theirs.
  const app = await NestFactory.create(GatewayModule.forRoot(runtime), { preview: true, logger: false });
  const routes = collectRoutes(app);
  await mkdir(directory, { recursive: true });
  const write = (name: string, document: OpenApiDocument) =>
    writeFile(join(directory, `${name}.json`), `${JSON.stringify(document, null, 2)}\n`);
  const { publicUrl: url } = config;
  for (const audience of audiences) await write(audience, buildDocument(routes, { audience, url }));
  await write('reference', buildDocument(routes, { audience: 'public', url, isReference: true }));
}

const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error('Usage: write-documents.cli.js <directory>');
await writeDocuments(directory);
