export * from './fact-outbox.js';
export * from './health.module.js';
export * from './lease-keeper.js';
