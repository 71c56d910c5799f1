import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { systemClock } from '@rtms/clock';
import { loadConfig, loadTracesConfig } from '@rtms/config';
import { HttpMetrics, ManagementPort, stopOnSignals } from '@rtms/health';
import { closeApp, listen, tlsServerOptions } from '@rtms/http';
import { createLogger, messageOf, NestLogger } from '@rtms/logging';
import { startTracing } from '@rtms/tracing';
import { Drain } from './commands/drain.js';
import { configureHttp } from './configure-http.js';
import { transcoderConfigSchema } from './transcoder.config.js';
import { connectParts, TranscoderModule } from './transcoder.module.js';

async function main(): Promise<void> {
  const config = loadConfig(transcoderConfigSchema);
  const logger = createLogger({ service: 'transcoder', level: config.logLevel });
  const { nodeID } = config;
  const tracing = await startTracing({ config: loadTracesConfig(), service: 'transcoder', nodeID, logger });
  const parts = { ...(await connectParts(config, logger)), tracing };
  const app = await NestFactory.create<NestExpressApplication>(TranscoderModule.forRoot(parts), {
    bodyParser: false,
    ...(config.tls && { httpsOptions: tlsServerOptions(config.tls) }),
    logger: new NestLogger(logger),
  });
  configureHttp(app, logger, { limits: config.limits, clock: systemClock });
  const drain = app.get(Drain);
  stopOnSignals({ drain: () => drain.untilEmpty(), close: () => closeApp(app, systemClock) }, logger, systemClock);
  const metrics = app.get(HttpMetrics, { strict: false });
  const { tls, limits } = config;
  const { url } = await listen(app, config.host, config.port, {
    ...{ tls, limits, logger, defersContinue: true },
    onRefusal: limit => metrics.noteRefusedConnection(limit),
  });
  const management = await ManagementPort.open(config.host, config.managementPort, app.getHttpAdapter().getInstance());
  logger.info({ url, managementPort: management?.port, nodeID }, 'transcoder is ready');
}

main().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
});
