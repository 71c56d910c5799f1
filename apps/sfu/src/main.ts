import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { loadConfig, loadTracesConfig } from '@rtms/config';
import { HttpMetrics, ManagementPort, stopOnSignals } from '@rtms/health';
import { closeApp, listen, tlsServerOptions } from '@rtms/http';
import { createLogger, messageOf, NestLogger } from '@rtms/logging';
import { startTracing } from '@rtms/tracing';
import { Drain } from './commands/drain.js';
import { configureHttp } from './http/configure-http.js';
import { sfuConfigSchema } from './sfu.config.js';
import { connectParts, SfuModule } from './sfu.module.js';

async function main(): Promise<void> {
  const config = loadConfig(sfuConfigSchema);
  const logger = createLogger({ service: 'sfu', level: config.logLevel });
  const { nodeID } = config;
  const tracing = await startTracing({ config: loadTracesConfig(), service: 'sfu', nodeID, logger });
  const parts = { ...(await connectParts(config, logger)), tracing };
  const { clock } = parts;
  const app = await NestFactory.create<NestExpressApplication>(SfuModule.forRoot(parts), {
    bodyParser: false,
    ...(config.tls && { httpsOptions: tlsServerOptions(config.tls) }),
    logger: new NestLogger(logger),
  });
  configureHttp(app, logger);
  const drain = app.get(Drain);
  stopOnSignals({ drain: () => drain.untilEmpty(), close: () => closeApp(app, clock) }, logger, clock);
  const metrics = app.get(HttpMetrics, { strict: false });
  const { tls, limits } = config;
  const { url } = await listen(app, config.host, config.port, {
    ...{ tls, limits, logger, defersContinue: true },
    onRefusal: limit => metrics.noteRefusedConnection(limit),
  });
  const management = await ManagementPort.open(config.host, config.managementPort, app.getHttpAdapter().getInstance());
  logger.info({ url, managementPort: management?.port, nodeID, workers: parts.engine.workerPids() }, 'sfu is ready');
}

main().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
});
