import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INestApplication } from '@nestjs/common';
import type { Logger } from '@rtms/logging';
import express, { type Express } from 'express';
import { answerBrokenRequests } from './answer-broken-requests.js';
import type { IsTrustedProxy } from './client-address.js';
import { boundConnections, boundReceiving, type ConnectionLimit, type ConnectionLimits } from './connection-bounds.js';
import { toListenError } from './port-in-use.js';
import { deferContinue } from './read-body.js';
import { followTlsFiles, type TlsFiles } from './tls-server.js';

/** Limits of a server’s clients before the application sees their requests. */
export interface ServerGuards {
  /** Default: no limits. */
  limits?: ConnectionLimits | undefined;
  logger?: Logger;
  /** Called with each connection above the limits. */
  onRefusal?: (limit: ConnectionLimit) => void;
  /** Bodies are read by `bodyReader` only: see `deferContinue`. */
  defersContinue?: boolean;
}

/**
 * Bounds connections, and the time that a request may take to arrive; answers what is no HTTP. Call it before the server
 * listens. `isTrusted` names the proxies whose connections carry the requests of many clients.
 */
export function guardServer(
  server: Server,
  isTrusted: (address: string) => boolean,
  { limits, logger, onRefusal, defersContinue = false }: ServerGuards = {},
): void {
  answerBrokenRequests(server);
  boundReceiving(server);
  if (defersContinue) deferContinue(server);
  if (!limits) return;
  const logRefusal = logger && logRefusals(logger);
  boundConnections(server, limits, isTrusted, (limit, address) => {
    onRefusal?.(limit);
    logRefusal?.(limit, address);
  });
}

export interface ListenOptions extends ServerGuards {
  /** The files that the app's `httpsOptions` come from. */
  tls?: TlsFiles | undefined;
}

/**
 * Listens and answers where: `{ url: 'http://127.0.0.1:4000', port: 4000 }`. Port 0 takes any free one. Proxies are
 * trusted by the app's `trust proxy`.
 */
export async function listen(
  app: INestApplication,
  host: string,
  port: number,
  { tls, ...guards }: ListenOptions = {},
): Promise<{ url: string; port: number }> {
  const server = app.getHttpServer() as Server;
  guardServer(server, trustOf(app.getHttpAdapter().getInstance() as Express), guards);
  if (tls) followTlsFiles(server, tls);
  await app.listen(port, host).catch((error: unknown) => {
    throw toListenError(error, host, port);
  });
  const { port: bound } = server.address() as AddressInfo;
  return { url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${bound}`, port: bound };
}

/** Whether an address is that of a trusted proxy, by addresses and networks as Express's `trust proxy` takes them. */
export function trustsProxies(proxies: readonly string[]): (address: string) => boolean {
  return trustOf(express().set('trust proxy', [...proxies]));
}

function trustOf(app: Express): (address: string) => boolean {
  const isTrusted = app.get('trust proxy fn') as IsTrustedProxy;
  return address => isTrusted(address, 0);
}

const logEveryMs = 60_000;

/** One line a minute for each limit: a flood of connections must not become a flood of lines. */
function logRefusals(logger: Logger): (limit: ConnectionLimit, address: string | undefined) => void {
  const loggedAt = new Map<ConnectionLimit, number>();
  return (limit, address) => {
    const now = performance.now();
    if (now - (loggedAt.get(limit) ?? Number.NEGATIVE_INFINITY) < logEveryMs) return;
    loggedAt.set(limit, now);
    logger.warn({ limit, address }, 'connections are refused: raise the limit, or name the proxy in TRUSTED_PROXIES');
  };
}
