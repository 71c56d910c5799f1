/** Injection tokens of what has no class at run time. */
export const BUS = Symbol('Bus');
/** `@Inject(CLOCK) clock: Clock`. */
export const CLOCK = Symbol('Clock');
export const KEEP_LEASE = Symbol('KeepLease');
export const LOGGER = Symbol('Logger');
export const MEDIA_ENGINE = Symbol('MediaEngine');
export const SFU_CONFIG = Symbol('SfuConfig');
export const TRACING = Symbol('Tracing');
/** When this node started, ms since 1970: tells its facts from those of an earlier start. */
export const EPOCH = Symbol('Epoch');
