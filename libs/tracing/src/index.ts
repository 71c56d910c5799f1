export * from './http-tracing.js';
export * from './spans.js';
export * from './start-tracing.js';
