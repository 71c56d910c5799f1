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
      runtime: unknown,
      testPath: string,
      /** The runner gets the message as an event. */
      sendMessageToJest?: (eventName: string, data: unknown) => void,
    ) => Promise<TestEvents['test-file-success'][1]>;
  };
  export = runner;
}
