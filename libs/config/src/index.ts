export * from './addresses.js';
export * from './bus-config.js';
export * from './load-config.js';
export * from './database-config.js';
export * from './installation.js';
export * from './media-node-config.js';
export * from './traces-config.js';
export { z } from 'zod';
