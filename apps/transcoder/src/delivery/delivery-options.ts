import type { Bus } from '@rtms/bus';
import type { TokenVerifier } from '@rtms/tokens';
import type { RecordingStore } from '../recordings/store/recording-store.js';
import type { Asking } from './origin-proxy.js';
import type { SegmentStore } from './segment-store.js';

export const DELIVERY_OPTIONS = Symbol('DeliveryOptions');

/** What the delivery needs from the service around it. Whoever made these closes them. */
export interface DeliveryOptions {
  store: SegmentStore;
  recordings: RecordingStore;
  nodeID: string;
  bus: Bus;
  verifier: TokenVerifier;
  /** Where other nodes reach this one; no trailing slash. */
  internalUrl: string;
  /** How long the first byte of another node's answer may take, where it is not as in service. */
  patienceMs?: Record<Asking, number>;
}
