import type { RequestListener, Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Closeable } from '@rtms/bus';
import { systemClock, type Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import {
  createServer,
  guardServer,
  requestID,
  takeUpgrades,
  toListenError,
  trustsProxies,
  type ServerGuards,
  type TlsFiles,
  type Upgrades,
  type UpgradeTaker,
} from '@rtms/http';
import type { Request, Response } from 'express';

const closeTimeoutMs = 5_000;

export interface FrontDoorOptions extends Omit<ServerGuards, 'defersContinue'> {
  tls?: TlsFiles | undefined;
  /** Addresses and networks; their connections count for the whole server only. */
  trustedProxies?: readonly string[] | undefined;
  clock?: Clock;
}

/**
 * Listens from the first moment. Until the servers that the gateway needs are there, every request is told to come
 * again soon; then the application takes over, on the same socket.
 */
export class FrontDoor implements Closeable {
  private listener: RequestListener = answerNotYet;
  private upgrades: Upgrades | undefined;
  private closed: Promise<unknown> | undefined;
  private closing: Promise<void> | undefined;

  private constructor(
    private readonly server: Server,
    private readonly clock: Clock,
  ) {
    server.on('request', this.answer);
  }

  static async open(
    host: string,
    port: number,
    { tls, trustedProxies = [], clock = systemClock, ...guards }: FrontDoorOptions = {},
  ): Promise<FrontDoor> {
    const server = createServer(tls);
    guardServer(server, trustsProxies(trustedProxies), { ...guards, defersContinue: true });
    const door = new FrontDoor(server, clock);
    server.listen(port, host);
    await once(server, 'listening').catch((error: unknown) => {
      throw toListenError(error, host, port);
    });
    return door;
  }

  /** The port that it listens at. */
  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  handOver(listener: RequestListener, sockets?: UpgradeTaker): void {
    this.listener = listener;
    if (sockets) this.upgrades = takeUpgrades(this.server, sockets);
  }

  /** Lets nobody in any more; who is connected stays so. */
  refuse(): void {
    if (this.closed) return;
    this.closed = once(this.server, 'close');
    this.server.close();
  }
  /** As whoever it was handed over to answers, or that it is too early. */
  answer: RequestListener = (request, response) => this.listener(request, response);

  /** Lets requests that are under way finish, for 5 s at most. */
  close(): Promise<void> {
    this.closing ??= this.closeServer();
    return this.closing;
  }

  private async closeServer(): Promise<void> {
    this.refuse();
    this.server.closeIdleConnections();
    this.upgrades?.closeIdleConnections();
    const timer = this.clock.after(closeTimeoutMs, () => this.closeAllConnections());
    await this.closed;
    timer.cancel();
  }

  private closeAllConnections(): void {
    this.server.closeAllConnections();
    this.upgrades?.closeAllConnections();
  }
}

const answerNotYet: RequestListener = (request, response) => {
  requestID()(request as Request, response as Response, () => undefined);
  if (request.url === '/healthz') {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"status":"ok"}');
    return;
  }
  const failure = new ServiceError('dependency_unavailable', 'The service is starting. Try again in a moment.');
  response
    .writeHead(failure.status, {
      'Content-Type': 'application/json',
      'Retry-After': String(failure.retryAfterSeconds),
      'Cache-Control': 'private, no-store',
      Vary: 'Origin',
    })
    .end(JSON.stringify(failure.toBody()));
};
