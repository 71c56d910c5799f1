export * from './fact-outbox.js';
export type { HealthCheck, HealthChecks, HealthOptions } from './health-checks.js';
export * from './health.module.js';
export * from './lease-keeper.js';
export { ManagementPort } from './management-port.js';
export * from './metrics-registry.js';
export * from './readiness.js';
