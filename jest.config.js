/** One configuration for every tier: *.spec.ts (fast), *.e2e-spec.ts (real PostgreSQL and NATS), *.system-spec.ts (everything running). */
const shared = {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  globalSetup: '<rootDir>/test/setup/global-setup.mjs',
  globalTeardown: '<rootDir>/test/setup/global-teardown.mjs',
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/tools', '<rootDir>/test'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^@rtms/([a-z-]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        module: { type: 'es6' },
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
          keepClassNames: true,
        },
      },
    ],
  },
};

/** Browsers, encoders, native media workers, and faults that must be noticed in time: these have the machine for themselves. */
const alone = [
  '**/*.system-spec.ts',
  '**/gateway/src/outages.e2e-spec.ts',
  '**/metering/*.e2e-spec.ts',
  '**/apps/sfu/**/*.e2e-spec.ts',
  '**/apps/sfu/src/{media/mediasoup,relay}/*.spec.ts',
  '**/apps/transcoder/src/{jobs,recordings}/**/*.e2e-spec.ts',
];

export default {
  // Each file in a process of its own.
  workerIdleMemoryLimit: '32MB',
  maxWorkers: 2,
  // Holds also on a machine that has much else to do; what a test waits for has bounds of its own.
  testTimeout: 120_000,
  projects: [
    {
      ...shared,
      testMatch: alone,
      runner: '<rootDir>/test/setup/one-at-a-time-runner.cjs',
    },
    {
      ...shared,
      testMatch: ['**/*spec.ts', ...alone.map(pattern => `!${pattern}`)],
    },
  ],
};
