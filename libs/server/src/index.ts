export { createRtms, type Rtms } from './rtms.js';
export type { CallOptions, RtmsOptions, SdkClock } from './transport.js';
export type { WaitOptions } from './waiting.js';
export type { EventStream, RtmsEvent, StreamOptions } from './event-stream.js';
export type { Listing, Page } from './listing.js';
export { RtmsApiError, RtmsConnectionError, RtmsError, RtmsNotActiveError } from './errors.js';
export * from './generated/errors.js';
export type { Answer, Body, Item, One, Query } from './methods.js';
export type { components } from './generated/api.js';
