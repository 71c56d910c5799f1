/** Replaces the browser's `Worker`, which jsdom lacks. The test answers at once or by hand. */
export class FakeWorker extends EventTarget {
  static started: FakeWorker[] = [];
  private static answer: ((data: unknown) => unknown) | undefined;
  readonly received: unknown[] = [];
  isTerminated = false;

  constructor(readonly url: URL) {
    super();
    FakeWorker.started.push(this);
  }

  /** Without `answer`, the worker is silent until the test calls `reply` or `fail`. */
  static install(answer?: (data: unknown) => unknown): void {
    FakeWorker.started = [];
    FakeWorker.answer = answer;
    Object.assign(globalThis, { Worker: FakeWorker });
  }

  postMessage(data: unknown): void {
    this.received.push(data);
    if (FakeWorker.answer) queueMicrotask(() => this.reply(FakeWorker.answer?.(data)));
  }

  /** A terminated worker sends nothing. */
  reply(data: unknown): void {
    if (!this.isTerminated) this.dispatchEvent(new MessageEvent('message', { data }));
  }

  fail(): void {
    if (!this.isTerminated) this.dispatchEvent(new Event('error'));
  }

  terminate(): void {
    this.isTerminated = true;
  }
}
