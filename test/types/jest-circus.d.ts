declare module 'jest-circus/runner' {
  import type { TestEvents } from 'jest-runner';

  const runner: { default: (...args: unknown[]) => Promise<TestEvents['test-file-success'][1]> };
  export = runner;
}
