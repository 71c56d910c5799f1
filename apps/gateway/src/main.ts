import 'reflect-metadata';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { BusRefusedError, NatsBus } from '@rtms/bus';
import { systemClock } from '@rtms/clock';
import { loadTracesConfig } from '@rtms/config';
import { HttpMetrics, ManagementPort, Readiness } from '@rtms/health';
import { DrainState, stopOnSignals } from '@rtms/node';
import { createLogger, type Logger } from '@rtms/logging';
import { startTracing } from '@rtms/tracing';
import { createGateway } from './create-gateway.js';
import { AccountWatchService } from './dashboard/events/account-watch.service.js';
import { EventWaitersService } from './events/log/event-waiters.service.js';
import { isDatabaseUnavailable } from './platform/database/database-errors.js';
import { requireSchema, SchemaMismatchError } from './platform/database/schema-state.js';
import { FrontDoor } from './front-door.js';
import { loadGatewayConfig, type GatewayConfig } from './gateway.config.js';
import { RoomSocketServer } from './rooms/socket/room-socket-server.js';
import type { GatewayRuntime } from './platform/runtime/runtime.module.js';

const retryMs = 500;

/** Tries for as long as the process runs: an orchestrator sees from `/readyz` that it waits. */
async function untilDone<T>(attempt: () => Promise<T>, isWorthWaiting: (error: unknown) => boolean): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isWorthWaiting(error)) throw error;
      await systemClock.pause(retryMs);
    }
  }
}

function connectBus(config: GatewayConfig, logger: Logger): Promise<NatsBus> {
  const onProblem = (err: Error): void => logger.warn({ err }, 'the bus reports a problem');
  const options = { ...config.bus, name: config.nodeID, service: 'gateway', connectTimeoutMs: 10_000, onProblem };
  return untilDone(
    () => NatsBus.connect(options),
    error => {
      if (error instanceof BusRefusedError) return false;
      logger.warn({ err: error }, 'waiting for NATS');
      return true;
    },
  );
}

function startApplication(runtime: GatewayRuntime): Promise<NestExpressApplication> {
  const { config, logger } = runtime;
  return untilDone(
    async () => {
      await requireSchema(config.databaseUrl, logger);
      return createGateway(runtime);
    },
    error => {
      if (error instanceof SchemaMismatchError) logger.warn({}, `waiting for the schema: ${error.message}`);
      else if (isDatabaseUnavailable(error)) logger.warn({ err: error }, 'waiting for PostgreSQL');
      else return false;
      return true;
    },
  );
}

/** Load balancers look every few seconds: until then requests come in, and are served. */
async function sayNotReady(drain: DrainState, { drainSeconds = 0 }: GatewayConfig): Promise<void> {
  drain.isDraining = true;
  await systemClock.pause(drainSeconds * 1000);
}

async function start(config: GatewayConfig, logger: Logger): Promise<void> {
  const known: { metrics?: HttpMetrics } = {};
  const door = await FrontDoor.open(config.host, config.port, {
    ...{ tls: config.tls, limits: config.connections, trustedProxies: config.trustedProxies, logger },
    onRefusal: limit => known.metrics?.noteRefusedConnection(limit),
  });
  const { nodeID } = config;
  const tracing = await startTracing({ config: loadTracesConfig(), service: 'gateway', nodeID, logger });
  const management = await ManagementPort.open(config.host, config.managementPort, door.answer);
  const opened: (() => Promise<void>)[] = [() => door.close(), async () => management?.close(), () => tracing.close()];
  const drain = new DrainState();
  const close = async (): Promise<void> => {
    for (const closeNext of opened) await closeNext();
  };
  stopOnSignals({ drain: () => sayNotReady(drain, config), close }, logger, systemClock);
  const bus = await connectBus(config, logger);
  // Spans of everything else are sent before the last one closes.
  opened.splice(-1, 0, () => bus.close());
  const app = await startApplication({ config, bus, logger });
  known.metrics = app.get(HttpMetrics, { strict: false });
  app.get(Readiness).unlessDraining(() => drain.isDraining);
  opened.splice(1, 0, () => app.close());
  const sockets = app.get(RoomSocketServer, { strict: false });
  // Whoever loses a connection comes again at once, and must not come in here. The port is closed once nobody is
  // connected to it any more.
  opened.unshift(
    async () => door.refuse(),
    () => sockets.close(),
    () => app.get(AccountWatchService, { strict: false }).close(),
    async () => app.get(EventWaitersService, { strict: false }).close(),
  );
  door.handOver(app.getHttpAdapter().getInstance(), sockets);
  logger.info({ host: config.host, port: door.port, managementPort: management?.port }, 'the gateway answers');
}

async function main(): Promise<void> {
  const config = loadGatewayConfig();
  await start(config, createLogger({ service: 'gateway', level: config.logLevel }));
}

await main().catch((error: unknown) => {
  createLogger({ service: 'gateway', level: 'info' }).fatal({ err: error }, 'the gateway could not start');
  process.exit(1);
});
