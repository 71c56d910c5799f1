export * from './signed-path.js';
export * from './signing-key.js';
export * from './token-signer.js';
export { publishKeys, TokenVerifier, watchKeys } from './token-verifier.js';
