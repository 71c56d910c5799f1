import { type Server, STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { INestApplication } from '@nestjs/common';
import type { Logger } from '@rtms/logging';
import express, { type Express } from 'express';
import { ServiceError, type ErrorReason } from '@rtms/contracts';
import type { Clock } from '@rtms/clock';
import type { IsTrustedProxy } from './addresses/client-address.js';
import { boundConnections, boundReceiving, type ConnectionLimit, type ConnectionLimits } from './connection-bounds.js';
import { deferContinue } from './input/read-body.js';
import { followTlsFiles, type TlsFiles } from './tls-server.js';

/** Limits of a server’s clients before the application sees their requests. */
export interface ServerGuards {
  /** Default: unlimited. */
  limits?: ConnectionLimits | undefined;
  logger?: Logger;
  /** Called for each connection above the limits. */
  onRefusal?: (limit: ConnectionLimit) => void;
  /** Set it when only `bodyReader` reads bodies; see `deferContinue`. */
  defersContinue?: boolean;
}

/**
 * Limits connections and the time for a request to arrive, and answers malformed HTTP. Call it before the server listens.
 * `isTrusted` tells trusted proxies, whose connections carry requests of many clients.
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
  /** The files of the app's `httpsOptions`. */
  tls?: TlsFiles | undefined;
}

/**
 * Listens and returns the address: `{ url: 'http://127.0.0.1:4000', port: 4000 }`. Port 0 selects a free port. The app's
 * `trust proxy` setting selects the trusted proxies. Throws `toListenError` when the port is in use.
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

/** Returns a test for trusted proxies. `proxies` are addresses and networks in the format of Express's `trust proxy`. */
export function trustsProxies(proxies: readonly string[]): (address: string) => boolean {
  return trustOf(express().set('trust proxy', [...proxies]));
}

function trustOf(app: Express): (address: string) => boolean {
  const isTrusted = app.get('trust proxy fn') as IsTrustedProxy;
  return address => isTrusted(address, 0);
}

const logEveryMs = 60_000;

/** Logs at most one line per minute and limit, so that a flood of connections does not flood the log. */
function logRefusals(logger: Logger): (limit: ConnectionLimit, address: string | undefined) => void {
  const loggedAt = new Map<ConnectionLimit, number>();
  return (limit, address) => {
    const now = performance.now();
    if (now - (loggedAt.get(limit) ?? Number.NEGATIVE_INFINITY) < logEveryMs) return;
    loggedAt.set(limit, now);
    logger.warn(
      { limit, address },
      'refusing connections above the limit: raise the limit, or add the proxy to TRUSTED_PROXIES',
    );
  };
}

/** By the error codes of Node's HTTP parser. */
const cases: Readonly<Record<string, [ErrorReason, string]>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The URL and the headers of the request are too long.'],
  HPE_INVALID_METHOD: ['invalid_request', 'Unknown HTTP method. Write the method in capital letters.'],
  ERR_HTTP_REQUEST_TIMEOUT: [
    'request_timeout',
    'The request did not arrive in time. Send it faster or in smaller parts.',
  ],
};

/**
 * Answers requests that Node's parser refuses with the failure body. The application never sees them, and Node would send no
 * body. Ignores an expectation other than `100-continue`, as RFC 9110 section 10.1.1 allows.
 */
export function answerBrokenRequests(server: Server): void {
  const latest = new WeakMap<Duplex, ServerResponse>();
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    latest.set(request.socket, response);
  });
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const response = latest.get(socket);
    const isAnswering = response?.headersSent === true && !response.writableFinished;
    if (!socket.writable || isAnswering || error.code === 'ECONNRESET') socket.destroy();
    else socket.end(formatResponse(toFailure(error)), () => socket.destroy());
  });
}

function toFailure({ code = '' }: NodeJS.ErrnoException): ServiceError {
  return new ServiceError(...(cases[code] ?? ['invalid_request', 'The request is not valid HTTP.']));
}

function formatResponse(failure: ServiceError): string {
  const body = JSON.stringify(failure.toBody());
  const head = [
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`,
    'Connection: close',
    'Cache-Control: private, no-store',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** Event streams and slow readers do not end by themselves. */
const patienceMs = 3_000;

/** Closes the application. Requests in progress have 3 s to finish. */
export async function closeApp(app: INestApplication, clock: Clock): Promise<void> {
  const timer = clock.after(patienceMs, () => (app.getHttpServer() as Server).closeAllConnections());
  await app.close();
  timer.cancel();
}

/**
 * Explains an error of `listen`: `Port 4000 on 127.0.0.1 is in use. Set PORT to a free port.` Returns any other error
 * unchanged. `variable` names the environment variable of the port.
 */
export function toListenError(error: unknown, host: string, port: number, variable = 'PORT'): unknown {
  return isInUse(error) ? new Error(`Port ${port} on ${host} is in use. Set ${variable} to a free port.`) : error;
}

/** `instanceof Error` is false for errors of another realm, which jest creates. */
function isInUse(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'EADDRINUSE';
}
