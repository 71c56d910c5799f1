const { default: TestRunner } = require('jest-runner');

/** One file after the other, each in a process of its own: native peers and their threads go with it. */
module.exports = class OneAtATimeRunner extends TestRunner {
  /** @param {ConstructorParameters<typeof TestRunner>} args */
  constructor(...[globalConfig, context]) {
    super({ ...globalConfig, maxWorkers: 1 }, context);
  }
};
