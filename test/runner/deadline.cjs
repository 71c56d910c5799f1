const { subscribe, unsubscribe } = require('node:diagnostics_channel');

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/** No step of a file, such as a test or a hook, lasts so many seconds: jest ends each after five minutes. */
const usualPatience = 360;
/** All steps together may take three times the patience, and so many times the seconds that the file states. */
const slowness = 4;

/**
 * How long a file or a suite may run before its process is killed. A busy machine needs long for a suite, but not for a step.
 * `RTMS_TEST_FILE_SECONDS` replaces the patience.
 *
 * @param {number} stated seconds on a quiet machine
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ step: number, file: number }} seconds from one step to the next, and of all
 * @throws {Error} for a variable that is no positive number
 */
function deadlinesOf(stated, env) {
  const { RTMS_TEST_FILE_SECONDS: text } = env;
  const patience = text === undefined ? usualPatience : Number(text);
  if (!(patience > 0)) throw new Error(`RTMS_TEST_FILE_SECONDS is ${text}; write the seconds as a positive number`);
  return { step: patience, file: 3 * patience + slowness * stated };
}

/**
 * Calls a function, and answers also the processes that it starts before it returns. jest keeps the processes of its
 * tests private.
 *
 * @template Result
 * @param {() => Result} start
 * @returns {{ result: Result, children: ChildProcess[] }}
 */
function withChildren(start) {
  /** @type {ChildProcess[]} */
  const children = [];
  const note = (/** @type {unknown} */ message) =>
    void children.push(/** @type {{ process: ChildProcess }} */ (message).process);
  subscribe('child_process', note);
  try {
    return { result: start(), children };
  } finally {
    unsubscribe('child_process', note);
  }
}

/**
 * Says why a process of tests was ended, as the failure of its file.
 *
 * @param {string} reason
 * @param {string | undefined} progress the last report of the file, see run-file.cjs
 */
function brokenProcess(reason, progress = 'started its process') {
  const error = new Error(`${reason} The last step of the file: ${progress}.`);
  // A stack would show the runner, not the test.
  error.stack = error.message;
  return error;
}

module.exports = { deadlinesOf, withChildren, brokenProcess };
