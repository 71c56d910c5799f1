import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';

/** A TCP proxy with which a test cuts the connection to a server and restores it. */
export class CuttableProxy {
  private readonly sockets = new Set<Socket>();
  private isCut = false;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {
    server.on('connection', socket => this.forward(socket));
  }

  static async to(target: string): Promise<CuttableProxy> {
    const server = createServer();
    const proxy = new CuttableProxy(server, new URL(target));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    const { port } = this.server.address() as AddressInfo;
    return Object.assign(new URL(this.target), { hostname: '127.0.0.1', port: String(port) }).href;
  }

  /** Breaks all connections and refuses new ones. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  mend(): void {
    this.isCut = false;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise(resolve => this.server.close(resolve));
  }

  private forward(socket: Socket): void {
    if (this.isCut) {
      socket.destroy();
      return;
    }
    const upstream = connect(Number(this.target.port), this.target.hostname);
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      this.sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => this.sockets.delete(one) && other.destroy());
      one.pipe(other);
    }
  }
}
