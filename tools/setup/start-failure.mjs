/** A failure that only the reader can fix. The message is one line with the failure and the fix. */
export class StartFailure extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'StartFailure';
  }
}

/**
 * Prints one line for a failure that the user can fix, and a stack for our own mistakes.
 * @param {unknown} error
 */
export function reportFailure(error) {
  const text = error instanceof StartFailure ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`\n${text}\n`);
}
