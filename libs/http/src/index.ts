export * from './answer-broken-requests.js';
export * from './close-app.js';
export * from './error-envelope.filter.js';
export * from './listen.js';
export * from './media-headers.js';
export * from './method-not-allowed.js';
export * from './request-id.js';
export * from './to-service-error.js';
export { createServer, readTlsFiles, type TlsFiles } from './tls-server.js';
