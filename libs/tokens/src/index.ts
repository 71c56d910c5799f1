export * from './key-distribution.js';
export * from './signed-path.js';
export * from './signing-key.js';
export * from './token-signer.js';
export * from './token-verifier.js';
