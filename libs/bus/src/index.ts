export * from './bus-errors.js';
export type * from './bus.js';
export { MemoryBroker } from './memory-broker.js';
export { MemoryBus } from './memory-bus.js';
export { NatsBus } from './nats-bus.js';
export type { StreamStorage } from './nats-streams.js';
export { requestOutcomes, type DoneRequest, type RequestListener, type RequestOutcome } from './request-listeners.js';
export * from './requester.js';
