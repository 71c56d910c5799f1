/** The names in the headers. */
export const limitNames = ['address-reads', 'address-writes', 'address-handshakes', 'key-reads', 'key-writes'] as const;
export type LimitName = (typeof limitNames)[number];

export const quotaNames = {
  'address-reads': 'addressReads',
  'address-writes': 'addressWrites',
  'key-reads': 'keyReads',
  'key-writes': 'keyWrites',
} as const;

/** The limit of one kind of request in a window. */
export interface RateLimitPolicy {
  name: LimitName;
  /** 0: no limit. */
  quota: number;
  windowSeconds: number;
}

export interface RateLimitsConfig {
  windowSeconds: number;
  /** For one key. */
  keyReads: number;
  keyWrites: number;
  /** For one client address, counted before the key is checked. */
  addressReads: number;
  addressWrites: number;
  /** For one client address at the room socket. Default: `defaultRateLimits`. */
  addressHandshakes?: number;
}

/** Far more than an honest application sends, and little enough that one caller cannot use up the service. */
export const defaultRateLimits: Required<RateLimitsConfig> = {
  windowSeconds: 60,
  keyReads: 300_000,
  keyWrites: 120_000,
  addressReads: 600_000,
  addressWrites: 240_000,
  addressHandshakes: 12_000,
};

/** `RateLimit-Policy` of draft-ietf-httpapi-ratelimit-headers-10. */
export function formatPolicy({ name, quota, windowSeconds }: RateLimitPolicy): string {
  return `"${name}";q=${quota};w=${windowSeconds}`;
}

/** `RateLimit` of the same draft. */
export function formatState({ name, quota }: RateLimitPolicy, used: number, seconds: number): string {
  return `"${name}";r=${Math.max(0, quota - used)};t=${seconds}`;
}
