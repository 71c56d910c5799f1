import type { Bus } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import type { TokenVerifier } from '@rtms/tokens';
import type { RecordingStore } from './stores/recording-store.js';
import type { Asking } from './routing/origin-proxy.js';
import type { SegmentStore } from './stores/segment-store.js';

export const DELIVERY_OPTIONS = Symbol('DeliveryOptions');

/** Dependencies of the delivery. The caller closes them. */
export interface DeliveryOptions {
  store: SegmentStore;
  recordings: RecordingStore;
  storyboards: RecordingStore;
  hls: RecordingStore;
  nodeID: string;
  bus: Bus;
  verifier: TokenVerifier;
  clock: Clock;
  /** Base URL of this node for other nodes; no trailing slash. */
  internalUrl: string;
  /** Other nodes learn it on the bus, and send it with their requests. */
  nodeKey: string;
  /** ms to wait for the first byte from another node. Tests shorten it. */
  patienceMs?: Record<Asking, number>;
}
