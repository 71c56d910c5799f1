import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INestApplication } from '@nestjs/common';
import type { Logger } from '@rtms/logging';
import type { Express } from 'express';
import { answerBrokenRequests } from './answer-broken-requests.js';
import type { IsTrustedProxy } from './client-address.js';
import { boundConnections, boundReceiving, type ConnectionLimit, type ConnectionLimits } from './connection-bounds.js';
import { toListenError } from './port-in-use.js';
import { deferContinue } from './read-body.js';
import { followTlsFiles, type TlsFiles } from './tls-server.js';

export interface ListenOptions {
  /** The files that the app's `httpsOptions` come from. */
  tls?: TlsFiles | undefined;
  /** Default: no limits. Proxies are trusted by the app's `trust proxy`. */
  limits?: ConnectionLimits;
  logger?: Logger;
  /** Called with each connection above the limits. */
  onRefusal?: (limit: ConnectionLimit) => void;
  /** Bodies are read by `bodyReader` only: see `deferContinue`. */
  defersContinue?: boolean;
}

/**
 * Listens and answers where: `{ url: 'http://127.0.0.1:4000', port: 4000 }`. Port 0 takes any free one.
 */
export async function listen(
  app: INestApplication,
  host: string,
  port: number,
  { tls, limits, logger, onRefusal, defersContinue = false }: ListenOptions = {},
): Promise<{ url: string; port: number }> {
  const server = app.getHttpServer() as Server;
  answerBrokenRequests(server);
  boundReceiving(server);
  if (defersContinue) deferContinue(server);
  const logRefusal = logger && logRefusals(logger);
  if (limits)
    boundConnections(server, limits, trustOf(app), (limit, address) => {
      onRefusal?.(limit);
      logRefusal?.(limit, address);
    });
  if (tls) followTlsFiles(server, tls);
  await app.listen(port, host).catch((error: unknown) => {
    throw toListenError(error, host, port);
  });
  const { port: bound } = server.address() as AddressInfo;
  return { url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${bound}`, port: bound };
}

function trustOf(app: INestApplication): (address: string) => boolean {
  const isTrusted = (app.getHttpAdapter().getInstance() as Express).get('trust proxy fn') as IsTrustedProxy;
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
