import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/**
 * Fetches one address after the other over one connection and discards the bodies unread. General load
 * generators parse each body in JavaScript and are slower than the origin that they measure.
 */
export class KeepAliveReader {
  readonly latenciesMs: number[] = [];
  bytes = 0;
  failures = 0;
  private missing = 0;
  private head = '';
  private sentAt = 0;
  private next = 0;

  private constructor(
    private readonly socket: Socket,
    private readonly paths: readonly string[],
  ) {
    socket.on('data', chunk => this.read(chunk));
    socket.on('error', () => (this.failures += 1));
  }

  static async start(port: number, paths: readonly string[]): Promise<KeepAliveReader> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const reader = new KeepAliveReader(socket, paths);
    reader.ask();
    return reader;
  }

  stop(): void {
    this.socket.destroy();
  }

  private ask(): void {
    const path = this.paths[this.next++ % this.paths.length]!;
    this.head = '';
    this.sentAt = performance.now();
    this.socket.write(
      `GET ${path} HTTP/1.1\r\nHost: bench\r\nAccept-Encoding: gzip\r\nOrigin: https://player.example\r\n\r\n`,
    );
  }

  private read(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.missing > 0) this.missing -= chunk.length;
    else if (!this.readHead(chunk)) return;
    if (this.missing > 0) return;
    this.latenciesMs.push(performance.now() - this.sentAt);
    this.ask();
  }

  /** Whether the head is complete; `missing` then has the bytes of the body that have not arrived. */
  private readHead(chunk: Buffer): boolean {
    this.head += chunk.toString('latin1', 0, 4096);
    const end = this.head.indexOf('\r\n\r\n');
    if (end < 0) return false;
    if (!this.head.startsWith('HTTP/1.1 200')) this.failures += 1;
    const length = Number(/content-length: (\d+)/i.exec(this.head)?.[1]);
    this.missing = length - (chunk.length - (end + 4));
    return true;
  }
}
