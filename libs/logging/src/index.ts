export * from './command-logging.js';
export * from './describe-answer.js';
export * from './http-logging.js';
export * from './logger.js';
export * from './nest-logger.js';
export * from './scrub-secrets.js';
