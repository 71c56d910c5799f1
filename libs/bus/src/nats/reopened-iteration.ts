import type { Clock } from '@rtms/clock';
import type { Closeable } from '../port/bus.js';

const retryMs = 250;

/** An iterable of the NATS client that can be stopped. */
export interface Source<Item> extends AsyncIterable<Item> {
  stop(): void;
}

/** The bus that an iteration belongs to. */
export interface BusConnection {
  readonly clock: Clock;
  isConnected(): boolean;
  onConnectionChange(listener: (connected: boolean) => void): Closeable;
}

/**
 * Handles the items of a source one by one and reopens the source after an outage. It stops the source when the connection
 * is lost, because a source that recovers by itself could receive an item just before it is replaced.
 */
export class ReopenedIteration<Item> {
  private source: Source<Item> | undefined;
  private running: Promise<void> = Promise.resolve();
  private readonly closing = new AbortController();
  private readonly listening: Closeable;
  private endPause = new AbortController();

  constructor(
    private readonly open: () => Promise<Source<Item>>,
    private readonly handle: (item: Item) => void | Promise<void>,
    private readonly connection: BusConnection,
  ) {
    this.listening = connection.onConnectionChange(() => this.interrupt());
  }

  /** Resolves once the source is open. */
  async start(): Promise<void> {
    this.source = await this.open();
    this.running = this.run();
  }

  /** Resolves when the item in progress is handled. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.listening.close();
    this.interrupt();
    await this.running;
  }

  private get isClosed(): boolean {
    return this.closing.signal.aborted;
  }

  private async run(): Promise<void> {
    while (!this.isClosed) {
      try {
        await this.runOnce();
      } catch {
        // Reopen after a pause, whatever the reason.
        this.source = undefined;
        await this.pause();
      }
    }
  }

  private async runOnce(): Promise<void> {
    if (!this.connection.isConnected()) return this.pause();
    const source = this.source ?? (await this.open());
    this.source = source;
    // A close or an outage may have happened while the source was opening.
    if (this.isClosed || !this.connection.isConnected()) source.stop();
    for await (const item of source) await this.handle(item);
    this.source = undefined;
  }

  private interrupt(): void {
    this.source?.stop();
    this.endPause.abort();
    this.endPause = new AbortController();
  }

  private async pause(): Promise<void> {
    if (!this.isClosed) await this.connection.clock.pause(retryMs, this.endPause.signal);
  }
}
