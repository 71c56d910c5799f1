export * from './health.module.js';
export * from './http-metrics.js';
export { ManagementPort } from './management-port.js';
export * from './metrics-registry.js';
export * from './node-metrics.js';
export { Readiness, type HealthCheck, type HealthChecks, type HealthOptions, type PartState } from './readiness.js';
