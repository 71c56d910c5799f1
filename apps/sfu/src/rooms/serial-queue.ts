/** Runs tasks one after the other; a failed one does not stop those behind it. */
export class SerialQueue {
  private last: Promise<unknown> = Promise.resolve();

  run<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(task);
    this.last = result.catch(() => undefined);
    return result;
  }
}
