/** The browser's `Worker`, which jsdom lacks: the test answers in its place, at once or by hand. */
export class FakeWorker extends EventTarget {
  static started: FakeWorker[] = [];
  private static answer: ((data: unknown) => unknown) | undefined;
  readonly received: unknown[] = [];
  isTerminated = false;

  constructor(readonly url: URL) {
    super();
    FakeWorker.started.push(this);
  }

  /** Without an answer, a worker stays silent until the test acts for it. */
  static install(answer?: (data: unknown) => unknown): void {
    FakeWorker.started = [];
    FakeWorker.answer = answer;
    Object.assign(globalThis, { Worker: FakeWorker });
  }

  postMessage(data: unknown): void {
    this.received.push(data);
    if (FakeWorker.answer) queueMicrotask(() => this.reply(FakeWorker.answer?.(data)));
  }

  /** Nothing that a worker sends arrives after it was terminated. */
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
