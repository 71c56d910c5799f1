import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Connects each client to the first of its targets that can be reached, as a load balancer in front of gateways does. */
export class LoadBalancer {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  /** `targets`: http URLs, the preferred one first; a test may change their order for later connections. */
  constructor(public targets: readonly string[]) {
    this.server = createServer(client => this.forward(client, [...this.targets]));
  }

  async listen(): Promise<void> {
    await new Promise<void>(resolve => this.server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise(resolve => this.server.close(resolve));
  }

  private forward(client: Socket, [target, ...others]: string[]): void {
    if (target === undefined) return void client.destroy();
    const { hostname, port } = new URL(target);
    const upstream = connect(Number(port), hostname);
    const tryNext = (): void => this.forward(client, others);
    upstream.once('error', tryNext);
    upstream.once('connect', () => {
      upstream.off('error', tryNext);
      client.pipe(upstream).pipe(client);
      this.tie(client, upstream);
      this.tie(upstream, client);
    });
  }

  /** The end of one side closes the other. */
  private tie(socket: Socket, other: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.sockets.delete(socket);
      other.destroy();
    });
  }
}
