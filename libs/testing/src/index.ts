export * from './encoder-publisher.js';
export * from './free-port.js';
export * from './launch-chromium.js';
export * from './make-token.js';
export * from './memory-bus.js';
export * from './start-nats.js';
export * from './start-postgres.js';
export * from './wait-for.js';
