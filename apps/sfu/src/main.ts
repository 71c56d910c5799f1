import { runMediaNode } from '@rtms/node';
import { configureHttp } from './signalling/signalling-http.js';
import { sfuConfigSchema } from './sfu.config.js';
import { connectParts, SfuModule } from './sfu.module.js';

runMediaNode({
  role: 'sfu',
  schema: sfuConfigSchema,
  connect: connectParts,
  module: parts => SfuModule.forRoot(parts),
  configureHttp: (app, { logger }) => configureHttp(app, logger),
  describe: ({ engine }) => ({ workers: engine.workerPids() }),
});
