export * from './drain-state.js';
export * from './fact-outbox.js';
export * from './health.module.js';
export * from './lease-keeper.js';
export * from './node-drain.js';
export * from './stop-on-signals.js';
