import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Consecutive failed probes after which Kubernetes removes an endpoint, as in deploy/base. */
const failuresToRemove = 2;

/** A target that does not answer within this time counts as failed. */
const answersWithinMs = 1_000;

/** Connects each client to the first of its targets that can be reached, as a load balancer in front of gateways does. */
export class LoadBalancer {
  /** Each client with its target. */
  private readonly sockets = new Map<Socket, string>();
  private probing: NodeJS.Timeout | undefined;
  private readonly server: Server;

  /** `targets`: http URLs, the preferred one first; a test may change their order for later connections. */
  constructor(public targets: readonly string[]) {
    this.server = createServer(client => this.forward(client, [...this.targets]));
  }

  async listen(host = '127.0.0.1'): Promise<void> {
    await new Promise<void>(resolve => this.server.listen(0, host, resolve));
  }

  /**
   * From now on only ready targets have clients. As Kubernetes does, probes `/readyz` of each target and removes it after two failures,
   * with its connections, until one success.
   */
  obeyReadiness(everyMs = 1_000): void {
    const failures = new Map(this.targets.map(target => [target, 0]));
    const probe = async (target: string): Promise<void> => {
      const isReady = await fetch(`${target}/readyz`, { signal: AbortSignal.timeout(answersWithinMs) }).then(
        ({ ok }) => ok,
        () => false,
      );
      failures.set(target, isReady ? 0 : (failures.get(target) ?? 0) + 1);
      this.targets = [...failures].flatMap(([each, count]) => (count < failuresToRemove ? [each] : []));
      for (const [socket, at] of this.sockets) if (!this.targets.includes(at)) socket.destroy();
    };
    this.probing = setInterval(() => void Promise.all([...failures.keys()].map(probe)), everyMs);
  }

  get url(): string {
    const { address, port } = this.server.address() as AddressInfo;
    return `http://${address}:${port}`;
  }

  async close(): Promise<void> {
    clearInterval(this.probing);
    for (const socket of this.sockets.keys()) socket.destroy();
    await new Promise(resolve => this.server.close(resolve));
  }

  private forward(client: Socket, [target, ...others]: string[]): void {
    if (target === undefined) return void client.destroy();
    const { hostname, port } = new URL(target);
    const upstream = connect(Number(port), hostname);
    const tryNext = (): void => this.forward(client, others);
    upstream.once('error', tryNext);
    upstream.setTimeout(answersWithinMs, () => upstream.destroy(new Error('The target does not answer.')));
    upstream.once('connect', () => {
      upstream.setTimeout(0);
      upstream.off('error', tryNext);
      client.pipe(upstream).pipe(client);
      this.tie(client, upstream, target);
      this.tie(upstream, client, target);
    });
  }

  /** The end of one side closes the other. */
  private tie(socket: Socket, other: Socket, target: string): void {
    this.sockets.set(socket, target);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.sockets.delete(socket);
      other.destroy();
    });
  }
}
