/** A failure that only the reader can fix. The message is one line with the failure and the fix. */
export class StartFailure extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'StartFailure';
  }
}

/**
 * Waits for both results, so that one failure tells of both.
 * @template One, Other
 * @param {Promise<One>} one
 * @param {Promise<Other>} other
 * @returns {Promise<[One, Other]>}
 */
export async function allOf(one, other) {
  const results = await Promise.allSettled([one, other]);
  const reasons = results.flatMap(each => (each.status === 'rejected' ? [/** @type {unknown} */ (each.reason)] : []));
  const [first] = reasons;
  if (reasons.length > 1 && reasons.every(each => each instanceof StartFailure))
    throw new StartFailure(reasons.map(({ message }) => message).join('\n'));
  if (first !== undefined) throw first;
  return Promise.all([one, other]);
}

/**
 * Prints one line for a failure that the user can fix, and a stack for our own mistakes.
 * @param {unknown} error
 */
export function reportFailure(error) {
  const text = error instanceof StartFailure ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`\n${text}\n`);
}
