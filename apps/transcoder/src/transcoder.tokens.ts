/** Nest tokens of what is made before the application. */
export const TRANSCODER_CONFIG = Symbol('TranscoderConfig');
export const KEEP_LEASE = Symbol('KeepLease');
export const LOGGER = Symbol('Logger');
export const BUS = Symbol('Bus');
export const CLOCK = Symbol('Clock');
export const TRACING = Symbol('Tracing');
export const EPOCH = Symbol('Epoch');
