/** Something that only the reader can put right. The message is one line that says what it is and what to do. */
export class StartFailure extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'StartFailure';
  }
}

/**
 * Ends a program the way its user expects: one line for what the user can put right, a stack for our own mistakes.
 * @param {unknown} error
 */
export function reportFailure(error) {
  const text = error instanceof StartFailure ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`\n${text}\n`);
}
