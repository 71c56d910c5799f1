export * from './port/bus-errors.js';
export * from './port/bus.js';
export { MemoryBroker } from './memory/memory-broker.js';
export { MemoryBus } from './memory/memory-bus.js';
export { NatsBus } from './nats/nats-bus.js';
export type { StreamStorage } from './nats/nats-streams.js';
export { requestOutcomes, type DoneRequest, type RequestListener, type RequestOutcome } from './port/listeners.js';
