import type { NodeRole } from './vocabulary/bus-address.js';
import type { RecordingStorage } from './transcoder-commands.js';

/** Lease of a media node. The node renews it every `leaseRenewSeconds`; it expires after `leaseTtlSeconds`. */
export interface NodeLease {
  nodeID: string;
  role: NodeRole;
  epoch: number;
  /** Base URL for publishers, viewers and players; no trailing slash. */
  publicUrl: string;
  /** Base URL for other nodes; no trailing slash. */
  internalUrl: string;
  /** WHEP consumers of an SFU, broadcasts of a transcoder, or encoders of an ingest node. */
  load: number;
  capacity: number;
  draining: boolean;
  /** Maximum duration of a drain. Absent from nodes of earlier versions. */
  drainSeconds?: number | undefined;
  /** The compositions that a transcoder makes, `recordings` and `broadcasts`. Absent from nodes of earlier versions. */
  composes?: string[] | undefined;
  /** Version of the node. Absent from nodes of earlier versions. */
  version?: string | undefined;
}

/** Whether a version such as `1.2.3` is older than another. A node without a version is older. Ignores pre-release labels. */
export function isOlderVersion(version: string | null | undefined, other: string): boolean {
  if (!version) return true;
  const numbers = (text: string): number[] => text.split(/[-+]/, 1).join().split('.').map(Number);
  const [own, others] = [numbers(version), numbers(other)];
  const at = others.findIndex((number, index) => number !== (own[index] ?? 0));
  return at >= 0 && (own[at] ?? 0) < (others[at] ?? 0);
}

export const leaseBucket = 'rtms_leases';
export const leaseRenewSeconds = 1;
export const leaseTtlSeconds = 5;

export function leaseKey(lease: Pick<NodeLease, 'role' | 'nodeID'>): string {
  return `${lease.role}.${lease.nodeID}`;
}

/** Bucket with the public keys for tokens (JWK Set, RFC 7517) under `jwksKey`. Does not expire. */
export const keyBucket = 'rtms_keys';
export const jwksKey = 'jwks';

/** Result of a self-test. */
export interface Trial {
  ok: boolean;
  /** Duration, or the reason of the failure. */
  detail: string;
}

/** Relay through one URL of a TURN server, with credentials as a peer gets them. */
export interface TurnTrial extends Trial {
  url: string;
}

/** ICE endpoint of a media worker, with the credentials of a test transport. */
export interface MediaEndpoint {
  protocol: 'udp' | 'tcp';
  address: string;
  port: number;
  usernameFragment: string;
  password: string;
}

export interface DirectorySpace {
  /** For example `segments`. */
  purpose: string;
  path: string;
  isWritable: boolean;
  freeBytes: number;
  totalBytes: number;
}

export interface SfuDiagnosis {
  /** RFC 3339, by the node's clock. */
  measuredAt: string;
  /** DTLS handshake between the node and each of its media workers. */
  handshake: Trial;
  /** Addresses of the machine without loopback. */
  machineAddresses: string[];
  /** Endpoints that answer for `diagnosisSeconds`. */
  endpoints: MediaEndpoint[];
  /** Absent from nodes of earlier versions. */
  turn?: TurnTrial[];
}

export interface TranscoderDiagnosis {
  measuredAt: string;
  /** Required encoders that are missing. */
  missingEncoders: string[];
  ffmpegVersion: string;
  /** Encoding of one second of video and audio. */
  encoding: Trial;
  directories: DirectorySpace[];
  /** Absent from nodes of earlier versions. */
  recordings?: RecordingsKeeping;
}

export interface IngestDiagnosis {
  measuredAt: string;
  /** Required protocols and encoders that FFmpeg does not have. */
  missingParts: string[];
  ffmpegVersion: string;
  /** Open ports by protocol. A protocol that is switched off is absent. */
  ports: { protocol: string; port: number; ok: boolean; detail: string }[];
}

/** The storage of a transcoder's recordings. */
export interface RecordingsKeeping {
  /** `node`: only this node can complete and serve its recordings. */
  storage: RecordingStorage;
  /** The node is a pod. Kubernetes may replace it and its disk. */
  isPod: boolean;
}

export interface EndpointTrial extends Trial {
  protocol: 'udp' | 'tcp';
  address: string;
  port: number;
}

/** Seconds that test transports stay open for other nodes. */
export const diagnosisSeconds = 20;

/** ms to wait for one endpoint. */
export const endpointTrialMs = 2_000;
