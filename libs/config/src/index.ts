export * from './configuration-error.js';
export * from './load-config.js';
export { z } from 'zod';
