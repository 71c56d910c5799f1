import { runMediaNode } from '@rtms/node';
import { configureHttp } from './configure-http.js';
import { transcoderConfigSchema } from './transcoder.config.js';
import { connectParts, TranscoderModule } from './transcoder.module.js';

runMediaNode({
  role: 'transcoder',
  schema: transcoderConfigSchema,
  connect: connectParts,
  module: parts => TranscoderModule.forRoot(parts),
  configureHttp: (app, { logger, config, clock }) => configureHttp(app, logger, { limits: config.limits, clock }),
});
