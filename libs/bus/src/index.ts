export * from './bus-errors.js';
export * from './bus.js';
