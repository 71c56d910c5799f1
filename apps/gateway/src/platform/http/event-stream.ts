import type { Clock, Timer } from '@rtms/clock';
import type { Response } from 'express';

/** Proxies close connections without traffic, often after a minute. */
const beatMs = 20_000;
/** A reader that leaves more than this unread is too slow. */
const unreadBytes = 1024 * 1024;

const headers = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'private, no-store',
  'X-Accel-Buffering': 'no',
};

interface StreamedEvent {
  /** The reader sends it as `Last-Event-ID` when it connects again. */
  id?: string;
  event?: string;
  /** JSON in one line. Without data the reader only takes the ID. */
  data?: string;
}

/** A response that sends server-sent events until one side ends it. A reader that is too slow is disconnected. */
export class EventStream {
  private readonly closed = new AbortController();
  private readonly beat: Timer;

  constructor(
    private readonly response: Response,
    clock: Clock,
  ) {
    response.writeHead(200, headers);
    response.flushHeaders();
    this.beat = clock.every(beatMs, () => this.write(': still here\n\n'));
    response.once('close', () => {
      this.beat.cancel();
      this.closed.abort();
    });
  }

  /** Aborts when the connection closes. */
  get signal(): AbortSignal {
    return this.closed.signal;
  }

  send({ id, event, data }: StreamedEvent): void {
    const lines = [
      ...(id === undefined ? [] : [`id: ${id}`]),
      ...(event === undefined ? [] : [`event: ${event}`]),
      ...(data === undefined ? [] : [`data: ${data}`]),
    ];
    this.write(`${lines.join('\n')}\n\n`);
  }

  /** The reader connects again after this time. */
  retryAfter(milliseconds: number): void {
    this.write(`retry: ${milliseconds}\n\n`);
  }

  /** Resolves when the reader has read enough for more events, or when the connection closes. */
  async drained(clock: Clock, atMostMs: number): Promise<void> {
    if (!this.response.writableNeedDrain || this.closed.signal.aborted) return;
    const done = new AbortController();
    const finish = (): void => done.abort();
    this.response.once('drain', finish).once('close', finish);
    await clock.pause(atMostMs, done.signal);
    this.response.off('drain', finish).off('close', finish);
    if (!done.signal.aborted) this.response.destroy();
  }

  end(): void {
    this.response.end();
  }

  private write(text: string): void {
    if (this.closed.signal.aborted || this.response.writableEnded) return;
    if (this.response.writableLength > unreadBytes) this.response.destroy();
    else this.response.write(text);
  }
}
