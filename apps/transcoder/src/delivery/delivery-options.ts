import type { Bus } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import type { TokenVerifier } from '@rtms/tokens';
import type { RecordingStore } from '../recordings/store/recording-store.js';
import type { Asking } from './origin-proxy.js';
import type { SegmentStore } from './segment-store.js';

export const DELIVERY_OPTIONS = Symbol('DeliveryOptions');

/** The parts of the service that the delivery uses. Their maker closes them. */
export interface DeliveryOptions {
  store: SegmentStore;
  recordings: RecordingStore;
  nodeID: string;
  bus: Bus;
  verifier: TokenVerifier;
  clock: Clock;
  /** Where other nodes reach this one; no trailing slash. */
  internalUrl: string;
  /** How long the first byte of another node's answer may take, where it is not as in service. */
  patienceMs?: Record<Asking, number>;
}
