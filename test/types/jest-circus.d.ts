declare module 'jest-circus/runner' {
  import type { TestEvents } from 'jest-runner';

  interface Environment {
    global: Record<symbol, unknown>;
    handleTestEvent?: (event: never) => void;
  }

  const runner: {
    default: (
      globalConfig: unknown,
      config: unknown,
      environment: Environment,
      ...rest: unknown[]
    ) => Promise<TestEvents['test-file-success'][1]>;
  };
  export = runner;
}
