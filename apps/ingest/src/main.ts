import { configureMediaHttp, runMediaNode } from '@rtms/node';
import { ingestConfigSchema } from './ingest.config.js';
import { connectParts, IngestModule } from './ingest.module.js';

runMediaNode({
  role: 'ingest',
  schema: ingestConfigSchema,
  connect: connectParts,
  module: parts => IngestModule.forRoot(parts),
  // HTTP serves health and metrics only. Encoders use the ports of their protocols.
  configureHttp: (app, { logger, clock, config: { limits } }) =>
    configureMediaHttp(app, { logger, clock, limits, paths: [], crossOrigin: [] }),
});
