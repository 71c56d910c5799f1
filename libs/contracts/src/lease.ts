import type { NodeRole } from './bus-address.js';

/** How a media node says that it lives; renewed every `leaseRenewSeconds`, gone after `leaseTtlSeconds`. */
export interface NodeLease {
  nodeID: string;
  role: NodeRole;
  epoch: number;
  /** Base address that publishers, viewers and players use; no trailing slash. */
  publicUrl: string;
  /** Base address that other nodes use; no trailing slash. */
  internalUrl: string;
  /** In the role's own unit: WHEP consumers of an SFU, broadcasts of a transcoder. */
  load: number;
  capacity: number;
  draining: boolean;
  /** How long a drain lets work go on; nodes of former versions do not say. */
  drainSeconds?: number | undefined;
}

export const leaseBucket = 'rtms_leases';
export const leaseRenewSeconds = 1;
export const leaseTtlSeconds = 5;

export function leaseKey(lease: Pick<NodeLease, 'role' | 'nodeID'>): string {
  return `${lease.role}.${lease.nodeID}`;
}

/** Public halves of the token signing keys (JWK Set, RFC 7517), under `jwksKey`; kept without limit. */
export const keyBucket = 'rtms_keys';
export const jwksKey = 'jwks';
