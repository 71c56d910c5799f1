import { dirname } from 'node:path';
import base from '../../jest.config.js';

const fast = base.projects.find(({ displayName }) => displayName === 'fast');
if (!fast) throw new Error('jest.config.js has no fast tier.');
/** Stryker runs the tests itself, and none of them needs a server. */
const { globalSetup: _setup, globalTeardown: _teardown, runner: _runner, testRunner: _testRunner, ...project } = fast;

export default { ...project, rootDir: dirname(dirname(import.meta.dirname)), testTimeout: 20_000 };
