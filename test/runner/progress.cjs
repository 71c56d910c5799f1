/** @typedef {{ name: string, parent?: Named }} Named */
/**
 * @typedef {{ name: string, test?: Named, hook?: { type: string, parent: Named } }} StepEvent
 * @typedef {{ currentlyRunningTest?: Named | null }} StepState
 */

/** Tells the runner each step of a test file, so that it can name the last one if the file never ends. */
class Progress {
  #send;
  #pathOf;
  #step = 'loads its modules';

  /**
   * @param {(step: string) => void} send
   * @param {(test: Named) => string | undefined} pathOf a test, in a suite of several files
   */
  constructor(send, pathOf) {
    this.#send = send;
    this.#pathOf = pathOf;
    this.report(this.#step);
    // In jest's own process, which has no channel, the exit code is that of the run.
    if (process.send) process.once('exit', this.#broken);
  }

  /** @param {StepEvent} event of jest-circus @param {StepState} state */
  handle({ name, test, hook }, { currentlyRunningTest }) {
    if (name === 'hook_start' && hook) this.#reportOf(currentlyRunningTest ?? hook.parent, `${hook.type} of `);
    if (name === 'test_fn_start' && test) this.#reportOf(test, '');
    if (name === 'test_done' && test) this.#reportOf(test, 'after ');
    if (name === 'run_finish') this.report('after all tests');
  }

  /** @param {string} step */
  report(step) {
    this.#step = step;
    this.#send(step);
  }

  end() {
    process.off('exit', this.#broken);
  }

  /** @param {Named} named @param {string} prefix */
  #reportOf(named, prefix) {
    const path = this.#pathOf(named);
    this.report(`${prefix}"${nameOf(named)}"${path === undefined ? '' : ` in ${path}`}`);
  }

  /** jest runs a file again whose process ended with an exit code, but not one whose process was killed. */
  #broken = (/** @type {number} */ code) => {
    this.report(`${this.#step}; there the process ended itself with exit code ${code}`);
    process.kill(process.pid, 'SIGKILL');
  };
}

/** As jest prints it. @param {Named} named @returns {string} */
function nameOf({ name, parent }) {
  return parent && parent.name !== 'ROOT_DESCRIBE_BLOCK' ? `${nameOf(parent)} › ${name}` : name;
}

module.exports = { Progress, nameOf };
