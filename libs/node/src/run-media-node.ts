import 'reflect-metadata';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { NatsBus } from '@rtms/bus';
import { loadConfig, loadTracesConfig, type MediaNodeConfig, type z } from '@rtms/config';
import type { NodeRole } from '@rtms/contracts';
import { HttpMetrics, ManagementPort } from '@rtms/health';
import { closeApp, listen, tlsServerOptions } from '@rtms/http';
import { createLogger, messageOf, NestLogger, type Logger } from '@rtms/logging';
import { startTracing } from '@rtms/tracing';
import { LeaseThread } from './lease/lease-thread.js';
import { MediaNode } from './media-node.js';
import type { NodeParts } from './node-parts.js';
import { stopOnSignals } from './stop-on-signals.js';

export interface MediaNodeProgram<Config extends MediaNodeConfig, Parts extends NodeParts> {
  role: NodeRole;
  schema: z.ZodType<Config>;
  /** Need not close opened parts when it fails: the process exits then, which ends its connections and media workers. */
  connect(config: Config, logger: Logger): Promise<Parts>;
  module(parts: Parts): DynamicModule;
  configureHttp(app: NestExpressApplication, parts: Parts): void;
  /** Fields for the log line `… is ready`. */
  describe?(parts: Parts): object;
}

/** Connects to NATS. Waits until a gateway has created the streams. */
export function connectBus({ bus, nodeID }: MediaNodeConfig, role: NodeRole, logger: Logger): Promise<NatsBus> {
  return NatsBus.connect({
    ...bus,
    name: nodeID,
    service: role,
    provision: 'await',
    onProblem: err => logger.warn({ err }, 'the bus reports a problem'),
    onWaiting: stream => logger.info({ stream }, 'waiting for a gateway to create a stream'),
  });
}

/** Runs a media node until a signal stops it. Exits with code 1 if the node cannot start. */
export function runMediaNode<Config extends MediaNodeConfig, Parts extends NodeParts>(
  program: MediaNodeProgram<Config, Parts>,
): void {
  start(program).catch((error: unknown) => {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exit(1);
  });
}

async function start<Config extends MediaNodeConfig, Parts extends NodeParts>(
  program: MediaNodeProgram<Config, Parts>,
): Promise<void> {
  const { role } = program;
  const config = loadConfig(program.schema);
  const { nodeID, host, port, tls, limits } = config;
  const logger = createLogger({ service: role, level: config.logLevel });
  const tracing = await startTracing({ config: loadTracesConfig(), service: role, nodeID, logger });
  const connected = await program.connect(config, logger);
  const { clock } = connected;
  const keepLease: NodeParts['keepLease'] = currentLease =>
    new LeaseThread({ nodeID, service: role, clock, logger, currentLease });
  const parts = { ...connected, tracing, keepLease };
  const app = await NestFactory.create<NestExpressApplication>(program.module(parts), {
    bodyParser: false,
    ...(tls && { httpsOptions: tlsServerOptions(tls) }),
    logger: new NestLogger(logger),
  });
  program.configureHttp(app, parts);
  const { drain } = app.get(MediaNode);
  stopOnSignals({ drain: () => drain.untilEmpty(), close: () => closeApp(app, clock) }, logger, clock);
  const metrics = app.get(HttpMetrics, { strict: false });
  const { url } = await listen(app, host, port, {
    ...{ tls, limits, logger, defersContinue: true },
    onRefusal: limit => metrics.noteRefusedConnection(limit),
  });
  const management = await ManagementPort.open(host, config.managementPort, app.getHttpAdapter().getInstance());
  const described = program.describe?.(parts) ?? {};
  logger.info({ url, managementPort: management?.port, nodeID, ...described }, `${role} is ready`);
}
