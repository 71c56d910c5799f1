export * from './bus-config.js';
export * from './configuration-error.js';
export * from './ice-servers.js';
export * from './load-config.js';
export * from './media-node-config.js';
export * from './traces-config.js';
export { z } from 'zod';
