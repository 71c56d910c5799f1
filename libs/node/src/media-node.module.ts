import type { IncomingMessage } from 'node:http';
import type { DynamicModule, ModuleMetadata, Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import type { NodeRole } from '@rtms/contracts';
import { type HealthChecks, HealthModule, HttpMetrics } from '@rtms/health';
import { TokenVerifier } from '@rtms/tokens';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Clock } from '@rtms/clock';
import {
  AddressCounts,
  type AddressLimits,
  answerBeforeExpress,
  clientAddress,
  type ClientOf,
  ErrorEnvelopeFilter,
  makeRequestID,
  mediaHeaders,
  type ReadyAnswer,
  requestID,
  trustsProxies,
} from '@rtms/http';
import { httpLogging, type Logger } from '@rtms/logging';
import { httpTracing } from '@rtms/tracing';
import type { Request, RequestHandler } from 'express';
import { DrainState } from './work/drain.js';
import { FactOutbox } from './work/fact-outbox.js';
import { MediaNode } from './media-node.js';
import { BUS, CLOCK, EPOCH, LOGGER, type NodeParts, NodeWork, RUNNING_NODE, type RunningNode } from './node-parts.js';

export interface MediaNodeOptions extends Pick<ModuleMetadata, 'imports' | 'controllers' | 'providers'> {
  role: NodeRole;
  parts: NodeParts;
  work: Type<NodeWork>;
  /** Default: a new one. */
  verifier?: TokenVerifier;
  /** Conditions of readiness, beside `signingKeys` and `draining`. */
  checks: HealthChecks;
  /** Parts that `/readyz` names but does not need, beside the bus. */
  reports?: HealthChecks;
  /** Paths without routes, see `HttpMetrics`. */
  mounts: readonly string[];
}

/**
 * The Nest module of a media node: the providers of its service and the common ones, which are `BUS`, `CLOCK`, `LOGGER`,
 * `EPOCH`, `DrainState`, `FactOutbox`, `TokenVerifier`, `MediaNode` and `NodeWork`.
 */
export function mediaNodeModule(module: Type, options: MediaNodeOptions): DynamicModule {
  const { role, parts, work, checks, reports, mounts, imports = [], controllers = [], providers = [] } = options;
  const { config, logger, bus, clock } = parts;
  const { verifier = new TokenVerifier(clock) } = options;
  const epoch = clock.now();
  const node: RunningNode = { ...parts, role, epoch };
  const health = {
    checks,
    reports: { bus: () => bus.isConnected(), ...reports },
    hidesMetrics: config.managementPort !== undefined,
    mounts,
  };
  return {
    module,
    imports: [DiscoveryModule, HealthModule.forRoot(health), ...imports],
    controllers,
    providers: [
      { provide: RUNNING_NODE, useValue: node },
      { provide: BUS, useValue: bus },
      { provide: CLOCK, useValue: clock },
      { provide: LOGGER, useValue: logger },
      { provide: EPOCH, useValue: epoch },
      { provide: FactOutbox, useValue: new FactOutbox(bus, { nodeID: config.nodeID, epoch }, logger, clock) },
      { provide: TokenVerifier, useValue: verifier },
      DrainState,
      { provide: NodeWork, useClass: work },
      MediaNode,
      ...providers,
    ],
  };
}

export interface MediaHttp {
  logger: Logger;
  clock: Clock;
  limits: AddressLimits & { trustedProxies: string[] };
  /** Paths for signalling or downloading media. They have rate limits and accept pages of any origin. */
  paths: string[];
  /** Runs before the limits, so that pages can read a refusal. */
  crossOrigin: RequestHandler[];
  /** Whether to log a request. Default: log all. */
  isLogged?: (request: Request) => boolean;
  /** Returns the answer of a request that needs no Express: below `paths`, neither logged nor traced. */
  findReady?: (request: IncomingMessage, client: ClientOf) => ReadyAnswer | undefined;
}

/** Installs the middleware of all media nodes. Create the application with `bodyParser: false`. */
export function configureMediaHttp(app: NestExpressApplication, options: MediaHttp): void {
  const { logger, clock, limits, paths, crossOrigin, isLogged = () => true } = options;
  const logRequest = httpLogging(logger);
  const counts = new AddressCounts(limits, clock);
  const metrics = app.get(HttpMetrics, { strict: false });
  if (options.findReady) answerReady(app, options.findReady, { counts, metrics, limits });
  app.set('etag', false);
  app.set('trust proxy', limits.trustedProxies);
  app.disable('x-powered-by');
  app.use(metrics.middleware());
  app.use(requestID());
  app.use(mediaHeaders());
  app.use(httpTracing());
  app.use(((request, response, next) => {
    if (isLogged(request)) logRequest(request, response, next);
    else next();
  }) satisfies RequestHandler);
  app.use(paths, ...crossOrigin, counts.middleware());
  app.useGlobalFilters(new ErrorEnvelopeFilter(logger));
}

interface ReadyParts extends Pick<MediaHttp, 'limits'> {
  counts: AddressCounts;
  metrics: HttpMetrics;
}

function answerReady(
  app: NestExpressApplication,
  findReady: NonNullable<MediaHttp['findReady']>,
  { counts, metrics, limits }: ReadyParts,
): void {
  const isTrusted = trustsProxies(limits.trustedProxies);
  answerBeforeExpress(app.getHttpServer(), (request, response) => {
    const client: ClientOf = () => clientAddress(request, isTrusted);
    const ready = findReady(request, client);
    // Express answers a refusal.
    if (!ready || !counts.take('GET', client())) return false;
    metrics.follow(request, response, request.url ?? '');
    response.writeHead(200, [...ready.headers, 'X-Request-Id', makeRequestID(request)]);
    response.end(ready.body);
    return true;
  });
}
