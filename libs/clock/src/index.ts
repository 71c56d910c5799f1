export * from './clock.js';
export * from './late-ticks.js';
