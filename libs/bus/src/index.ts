export * from './bus-errors.js';
export type * from './bus.js';
export { MemoryBroker } from './memory-broker.js';
export { MemoryBus } from './memory-bus.js';
export { NatsBus } from './nats-bus.js';
export * from './requester.js';
