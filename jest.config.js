/** @param {import('@swc/core').TsParserConfig & { syntax: 'typescript' }} parser */
const compiledBySwc = parser => [
  '@swc/jest',
  {
    module: { type: 'es6' },
    jsc: {
      target: 'es2023',
      parser,
      transform: {
        legacyDecorator: true,
        decoratorMetadata: true,
        useDefineForClassFields: false,
        react: { runtime: 'automatic' },
      },
      keepClassNames: true,
    },
  },
];

const shared = {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  globalSetup: '<rootDir>/test/setup/global-setup.mjs',
  globalTeardown: '<rootDir>/test/setup/global-teardown.mjs',
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/tools', '<rootDir>/test'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: {
    '^@rtms/([a-z-]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^@rtms/player/element$': '<rootDir>/libs/player/src/element.ts',
    '^fast-check$': '<rootDir>/test/setup/fast-check.mjs',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  transform: {
    '^.+\\.ts$': compiledBySwc({ syntax: 'typescript', decorators: true }),
    '^.+\\.tsx$': compiledBySwc({ syntax: 'typescript', tsx: true }),
  },
  runner: '<rootDir>/test/runner/tiered-runner.cjs',
  testRunner: '<rootDir>/test/runner/run-file.cjs',
};

/** One project a tier: fast, e2e (real PostgreSQL, NATS or media workers), system (everything running). They run in this order. */
export default {
  // The runner's number of cores; jest leaves one core free otherwise.
  maxWorkers: '100%',
  // A process with 400 MB takes longer than jest's 0.5 s to end on a busy machine. jest would call that an open handle.
  workerGracefulExitTimeout: 10_000,
  // Holds also on a machine that has much else to do; what a test waits for has bounds of its own.
  testTimeout: 300_000,
  // A test may expect a rejection only after it has happened. Without a last turn, jest fails it if that was its last line.
  waitForUnhandledRejections: true,
  reporters: ['<rootDir>/test/runner/time-reporter.cjs', 'default'],
  projects: [
    { ...shared, displayName: 'fast', testMatch: ['**/*.spec.{ts,tsx}'] },
    { ...shared, displayName: 'e2e', testMatch: ['**/*.e2e-spec.ts'] },
    { ...shared, displayName: 'system', testMatch: ['**/*.system-spec.ts'] },
  ],
};
