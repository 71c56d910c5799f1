import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Closeable } from '@rtms/bus';
import { toListenError } from '@rtms/http';

const paths = ['/healthz', '/readyz', '/metrics'];
const requests = new WeakSet<IncomingMessage>();

/** Whether a request arrived at a management port. */
export function isManagementRequest(request: IncomingMessage): boolean {
  return requests.has(request);
}

/**
 * A second port for operators that serves only health and metrics. It uses the application's own routes, so that the public
 * port can hide `/metrics`.
 */
export class ManagementPort implements Closeable {
  private closing: Promise<void> | undefined;

  private constructor(private readonly server: Server) {}

  /** `listener` answers the allowed paths. Opens nothing if `port` is undefined; 0 takes a free port. */
  static async open(
    host: string,
    port: number | undefined,
    listener: RequestListener,
  ): Promise<ManagementPort | undefined> {
    if (port === undefined) return undefined;
    const server = createServer((request, response) => {
      requests.add(request);
      if (paths.includes(pathOf(request))) listener(request, response);
      else response.writeHead(404, { 'Content-Type': 'text/plain' }).end(`Here are ${paths.join(', ')}.\n`);
    });
    server.listen(port, host);
    await once(server, 'listening').catch((error: unknown) => {
      throw toListenError(error, host, port, 'MANAGEMENT_PORT');
    });
    return new ManagementPort(server);
  }

  /** The port that the server listens on. */
  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  close(): Promise<void> {
    return (this.closing ??= this.closeServer());
  }

  private async closeServer(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}
