/** Runs tasks one after the other. A failed task does not stop the next ones. */
export class SerialQueue {
  private last: Promise<unknown> = Promise.resolve();

  /** Settles as the task does. A rejection that nobody awaits is not reported, so such a task must handle its errors. */
  run<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(task);
    this.last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when all tasks added so far have ended. Never rejects. */
  async idle(): Promise<void> {
    await this.last;
  }
}
