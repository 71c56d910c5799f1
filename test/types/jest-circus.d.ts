declare module 'jest-circus/runner' {
  import type { StackTraceConfig, StackTraceOptions } from 'jest-message-util';
  import type { TestEvents } from 'jest-runner';

  interface Environment {
    global: Record<symbol, unknown> & { it?: (name: string, body: () => void) => void };
    handleTestEvent?: (event: never, state: never) => void;
  }

  const runner: {
    default: (
      globalConfig: StackTraceOptions,
      config: StackTraceConfig,
      environment: Environment,
      ...rest: unknown[]
    ) => Promise<TestEvents['test-file-success'][1]>;
  };
  export = runner;
}
